# expect 2: suite.cmake is not a program: x.ptx, x.job, an executable or a workload's name
run --functional suite.cmake --grid 1 --block 32
