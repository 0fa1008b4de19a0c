# expect 2: mem.interleave: 300 is not a power of two
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set mem.interleave=300
