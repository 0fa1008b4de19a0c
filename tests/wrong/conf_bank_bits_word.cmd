# expect 2: mem.bank_bits: x is not a bit from 7 to 40
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set mem.bank_bits=8,x
