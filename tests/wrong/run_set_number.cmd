# expect 2: --set: sm.n_warp: 'many' is not a whole number
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.n_warp=many