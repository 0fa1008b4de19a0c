# expect 2: --block takes X[,Y[,Z]], whole numbers from 1, not '32x2'
run --functional good.ptx --grid 1 --block 32x2 --arg buf:f32[8]=zero --arg u32:8