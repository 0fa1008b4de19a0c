# expect 2: --set: sm.n_wrap: no such key; did you mean n_warp?
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.n_wrap=8