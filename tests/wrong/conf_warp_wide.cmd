# expect 2: sm.max_threads: 64 is less than one warp of 96 threads (32 * sm.warp_words)
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.warp_words=3 --set sm.max_threads=64
