# expect 2: sm.scheduler: no scheduler 'gtoo'; did you mean gto?
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.scheduler=gtoo
