# expect 2: -m bind:kind=wide: one SM would have 33554432 bytes of shared memory; at most 16777216 are possible (sm.shared)
run good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.shared=16M -m bind:kind=wide
