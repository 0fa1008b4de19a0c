-- 3: runs: no field 'programms'; did you mean programs?
study { name = "x", title = "x" }
runs { programms = { "bfs" } }
