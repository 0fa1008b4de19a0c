# expect 2: dram.scheduler: no DRAM scheduler 'fcsf'; did you mean fcfs?
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set dram.scheduler=fcsf
