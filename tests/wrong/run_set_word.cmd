# expect 2: --set: front.lower: 'maybe' is not one of off|on
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set front.lower=maybe