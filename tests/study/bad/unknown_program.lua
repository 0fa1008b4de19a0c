-- 3: runs: bsf: no such file, and no workload is called so (did you mean bfs?)
study { name = "x", title = "x" }
runs { programs = { "bsf" } }
