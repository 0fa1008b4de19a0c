# expect 2: -m: ':size=4' names no mechanism; it takes MECH[:key=val,..]
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m :size=4
