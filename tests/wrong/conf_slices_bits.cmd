# expect 2: mem.slices: 8, but mem.bank_bits tell 4 apart
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set mem.slices=8
