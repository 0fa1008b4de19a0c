# expect 2: mem.bank_bits: 8 twice
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set mem.bank_bits=8,8
