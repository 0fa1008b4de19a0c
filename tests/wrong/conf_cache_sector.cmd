# expect 2: l2.sector: 16 bytes is neither 0 nor 32
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l2.sector=16
