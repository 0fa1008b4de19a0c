# expect 2: --sample: 0 is outside 1..18446744073709551615
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --sample 0
