# expect 2: -m nosuch: no mechanism 'nosuch'; see smelt list mechanisms
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m nosuch
