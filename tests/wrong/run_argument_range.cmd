# expect 2: --arg: u32:4294967296: 4294967296 does not fit u32
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:4294967296