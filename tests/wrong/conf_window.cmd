# expect 2: --set: sim.window: 0 cycles is outside 1..1024
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sim.window=0
