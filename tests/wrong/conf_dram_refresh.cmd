# expect 2: dram.t_refi: 10 clocks are no more than a refresh takes
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set dram.t_refi=10 --set dram.t_rfc=20
