# expect 2: --dump 2:x: there is no argument 2, only 0..1
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --dump 2:x