# expect 2: none.ptx: No such file or directory
run --functional none.ptx --grid 1 --block 32