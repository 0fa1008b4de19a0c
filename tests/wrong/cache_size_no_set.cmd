# expect 2: l1d.size: 20000 is no multiple of a set, 4 ways of 128 bytes: 16K or 32K would do
run -g gtx480 good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set l1d.size=20000
