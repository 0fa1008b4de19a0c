# expect 2: l1d.sets: 48 is not a power of two, as l1d.index=xor needs
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1d.index=xor --set l1d.sets=48
