# expect 2: -m amoeba:mode=static_fuse,predictor=always: one SM would have 258 ways of L1T; at most 256 are possible (l1t.ways)
run -g amoeba good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1t.ways=129 -m amoeba:mode=static_fuse,predictor=always
