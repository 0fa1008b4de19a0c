# expect 2: --set: power.table: /dev/null: is not a regular file
run -g tiny good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 --set power.table=/dev/null
