# expect 2: -m gates: gates is there already
run -g gates good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m gates -m gates
