# expect 2: --kernels 5-3: the range ends before it begins; say --kernels 3-5
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --kernels 5-3
