# expect 2: --max-cycles is about timing: leave out --functional, or say --max-insts
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --functional --max-cycles 5
