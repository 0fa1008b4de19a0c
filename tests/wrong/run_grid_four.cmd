# expect 2: --grid takes X[,Y[,Z]], whole numbers from 1, not '1,1,1,1'
run --functional good.ptx --grid 1,1,1,1 --block 32 --arg buf:f32[8]=zero --arg u32:8