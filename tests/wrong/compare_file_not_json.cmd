# expect 2: good.ptx:1:1: a value was expected
compare good.ptx good.ptx
