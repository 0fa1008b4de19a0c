# expect 2: --set: l1d.ways: 0 ways is outside 1..256
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1d.ways=0
