# expect 2: -m gates:idle_detect=2000: gates.idle_detect: 2000 cycles is outside 0..1000
run -g gates good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m gates:idle_detect=2000
