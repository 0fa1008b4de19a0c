# expect 2: sm.inst_bytes: 12 is not 4, 8 or 16
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.inst_bytes=12
