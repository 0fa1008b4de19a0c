# expect 2: dram.t_refi: 81 clocks are no more than a refresh, a row and its closing take, 81
run -g gtx480 good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set dram.t_refi=81
