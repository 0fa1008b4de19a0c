# expect 2: --set: power.model: 'maybe' is not one of off|on
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.model=maybe
