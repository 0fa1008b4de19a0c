# expect 2: mem.channels: 6 is not a power of two, as mem.channel_hash=xor needs
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set mem.channel_hash=xor --set mem.channels=6
