# expect 2: -m noop:timer=a: noop.timer: 'a' is not a whole number
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m noop:timer=a
