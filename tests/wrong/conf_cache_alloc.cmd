# expect 2: l1d.alloc: on_fill is for caches that keep no stores (l1d.write)
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1d.alloc=on_fill
