# expect 2: mem.slices: 3 is not a power of two
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set mem.slices=3
