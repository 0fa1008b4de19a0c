# expect 2: l1t.line: 96 bytes is not 32, 64 or 128
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1t.line=96
