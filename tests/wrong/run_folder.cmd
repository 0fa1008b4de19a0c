# expect 2: .. is not a program: x.ptx, x.job, an executable or a workload's name
run --functional .. --grid 1 --block 32
