# expect 2: --set: power.e_fetch: -1 pJ is outside 0..1e+09
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.e_fetch=-1
