# expect 2: --set: power.break_even: '1.5' is not a whole number
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.break_even=1.5
