# expect 2: --set: power.vdd_mv: 0 mV is outside 1e+02..5e+03
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.vdd_mv=0
