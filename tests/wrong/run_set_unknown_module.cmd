# expect 2: --set: no module 'smm'; did you mean sm?
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set smm.n_warp=8