# expect 2: kernel k: a block of 64 threads does not fit an SM (sm.max_threads, sm.n_warp)
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.n_warp=1 --block 64
