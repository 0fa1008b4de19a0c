# expect 2: -m dws: dws moves warps with one SIMT stack each, not paths of a warp on their own (sm.thread_scheduling=stack)
run -g v100 -m dws good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8
