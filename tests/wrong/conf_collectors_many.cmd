# expect 2: sm.cu_sp, cu_sfu, cu_dp, cu_mem, cu_tensor: 50 collector units together; at most 31 are possible
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.cu_sp=24 --set sm.cu_sfu=24
