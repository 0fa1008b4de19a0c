# expect 2: -m share:scheme=bigsm: one SM would have 128 banks of shared memory; at most 64 are possible (sm.smem_banks)
run -g share good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.smem_banks=64 -m share:scheme=bigsm
