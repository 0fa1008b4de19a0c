# expect 2: mem.bank_bits: 2 bits are 4 banks, but dram.banks is 8
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set dram.banks=8
