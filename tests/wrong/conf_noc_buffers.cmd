# expect 2: noc.buffer_flits: 4096 flits in each of 2 channels (noc.vcs) are more than 4096 in all
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set noc.kind=mesh --set noc.buffer_flits=4096
