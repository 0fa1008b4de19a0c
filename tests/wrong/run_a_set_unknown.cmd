# expect 2: no set 'nope'; see smelt list sets
run set:nope
