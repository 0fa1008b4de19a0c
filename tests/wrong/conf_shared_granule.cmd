# expect 2: sm.shared_granule: 100 is not a power of two
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.shared_granule=100
