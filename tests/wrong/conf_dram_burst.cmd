# expect 2: dram.t_ccd: 2 clocks are less than a burst takes (dram.burst_cycles, 4)
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set dram.burst_cycles=4
