# expect 2: --kernels is about timing: leave out --functional
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --functional --kernels 1
