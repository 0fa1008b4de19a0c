# expect 2: -m gates:detect_min=8,detect_max=6: detect_min is above detect_max
run -g gates good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m gates:detect_min=8,detect_max=6
