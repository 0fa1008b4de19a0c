# expect 2: --set: noc.latency: 0 cycles is outside 1..200
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set noc.latency=0
