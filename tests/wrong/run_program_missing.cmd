# expect 2: ./nothere: no such file, and no workload is called so; see smelt list workloads
run --functional ./nothere 1024 -x
