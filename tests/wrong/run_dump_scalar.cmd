# expect 2: --dump 1:x: argument 1 is u32:8, not a buffer
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --dump 1:x