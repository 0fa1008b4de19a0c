# expect 2: sm.sub_cores: 3 do not divide the 4 sm.schedulers
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.schedulers=4 --set sm.sub_cores=3
