# expect 2: --grid is for .ptx files; a CUDA program says that itself
run --functional --grid 1 vectoradd
