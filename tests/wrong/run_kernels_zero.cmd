# expect 2: --kernels 0-2: 0 is outside 1..4294967295
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --kernels 0-2
