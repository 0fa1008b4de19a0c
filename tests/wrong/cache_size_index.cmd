# expect 2: l1d.size: 48K is 96 sets of 4 ways, which l1d.index does not take: 32K, or l1d.ways=6 would do
run -g gtx480 good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1d.size=48K
