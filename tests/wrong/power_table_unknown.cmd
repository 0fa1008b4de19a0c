# expect 2: --set: power.table: no table 'fermi41'; known: fermi40, fermi40-321, pascal16; did you mean fermi40?
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.table=fermi41
