# expect 2: --set: power.table: nowhere.conf: No such file or directory
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.table=nowhere.conf
