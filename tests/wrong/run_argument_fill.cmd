# expect 2: --arg: buf:f32[8]=random: 'random' fills no buffer; there are zero, iota, rand:SEED, file:PATH
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=random --arg u32:8