# expect 2: check.sh: a program is a file x.ptx or x.job
run --functional check.sh --grid 1 --block 32