# expect 2: --set: gpu.core_mhz: 0 MHz is outside 1..10000
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set gpu.core_mhz=0
