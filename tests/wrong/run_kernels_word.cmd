# expect 2: --kernels: 'all' is not A-B or A, launches counted from 1
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --kernels all
