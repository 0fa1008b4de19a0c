# expect 2: --arg: 8: an argument is TYPE:VALUE, buf:TYPE[N]=FILL or bytes:HEX
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg 8