# expect 2: l1d.sets: 48 with l1d.index=fermi, which is for 32 or 64
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1d.index=fermi --set l1d.sets=48
