# expect 2: op.idiv_ii, op.idiv_lat: more than 1000 cycles for a warp of 128 lanes on sm.simd_width 1
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.simd_width=1 --set sm.warp_words=4
