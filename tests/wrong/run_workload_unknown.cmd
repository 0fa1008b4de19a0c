# expect 2: vectoraad: no such file, and no workload is called so (did you mean vectoradd?)
run --functional vectoraad
