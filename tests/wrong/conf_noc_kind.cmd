# expect 2: --set: noc.kind: 'torus' is not one of ideal|xbar|mesh
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set noc.kind=torus
