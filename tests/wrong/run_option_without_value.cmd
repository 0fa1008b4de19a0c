# expect 2: option '--kernel' of run needs a value; see smelt run --help
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --kernel