# expect 2: --set: sm.shared: '48X' is not a size in bytes such as 4096, 48K or 2G
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.shared=48X