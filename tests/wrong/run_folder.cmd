# expect 2: ..: a program is a file x.ptx or x.job
run --functional .. --grid 1 --block 32