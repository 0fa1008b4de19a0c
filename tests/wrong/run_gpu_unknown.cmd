# expect 2: no GPU 'gtx48'; known: gtx480, tiny; did you mean gtx480?
run --functional good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -g gtx48