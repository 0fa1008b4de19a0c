# expect 2: mem.var_base: 0x30000 is not below mem.base, 0x20000
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set mem.base=0x20000 --set mem.var_base=0x30000