# expect 2: sm.thread_scheduling: independent does not go with sm.atom_blocks off
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.thread_scheduling=independent --set sm.atom_blocks=off
