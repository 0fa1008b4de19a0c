# expect 2: --max-cycles: 'many' is not a whole number
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --max-cycles many
