# expect 2: -m socgpu: socgpu does not go with dws: parts of a warp have a scoreboard each, follow nobody in lock step, and are not moved to another SM
run good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m dws -m socgpu
