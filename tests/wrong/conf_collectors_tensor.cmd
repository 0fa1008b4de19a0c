# expect 2: sm.cu_tensor: 0 units, but instructions need them (or sm.cu_any)
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set sm.tensor_units=1 --set sm.cu_tensor=0
