# expect 2: a .ptx file needs --block X[,Y[,Z]]; see smelt run --help
run --functional good.ptx --grid 1 --arg buf:f32[8]=zero --arg u32:8