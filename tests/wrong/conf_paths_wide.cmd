# expect 2: sm.thread_scheduling: independent is for warps of 32 lanes, not of sm.warp_words 2
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.thread_scheduling=independent --set sm.warp_words=2
