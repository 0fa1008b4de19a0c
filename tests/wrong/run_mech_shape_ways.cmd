# expect 2: -m amoeba:mode=scale_up: one SM would have 512 ways of L1D; at most 256 are possible (l1d.ways)
run -g amoeba good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1d.index=linear --set l1d.sets=1 --set l1d.ways=256 -m noop -m amoeba:mode=scale_up
