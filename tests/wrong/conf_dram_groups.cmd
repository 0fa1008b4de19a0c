# expect 2: dram.bank_groups: 8 are more than dram.banks, 4
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set dram.bank_groups=8
