# expect 2: -m dws: dws does not go with amoeba: parts of a warp have a scoreboard each, follow nobody in lock step, and are not moved to another SM
run good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m amoeba:mode=scale_up -m dws
