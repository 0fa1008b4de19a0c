# expect 2: op.dadd_unit: dp, but sm.dp_units is 0
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.dp_units=0
