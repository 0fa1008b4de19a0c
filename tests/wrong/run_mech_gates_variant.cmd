# expect 2: -m gates:variant=blackout: gates.variant: 'blackout' is not one of conv_pg|gates|naive|coordinated|warped
run -g gates good.ptx --grid 1 --block 32 --arg buf:f32[8]=zero --arg u32:8 -m gates:variant=blackout
