# expect 2: -m gates: INT and FP have one pipeline; it needs sm.sp_split=on, as GPU gates has it
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m gates
