# expect 2: unknown option '--gird' of run (did you mean --grid?); see smelt run --help
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --gird 2