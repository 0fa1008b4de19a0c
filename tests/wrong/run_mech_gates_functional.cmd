# expect 2: -m gatez: no mechanism 'gatez'; did you mean gates?
run --functional -g gates good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m gatez
