# expect 2: --set: power.leak_sp0int: no such key; did you mean leak_sp0_int?
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.leak_sp0int=3
