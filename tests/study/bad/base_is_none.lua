-- 3: runs: base is no series; it is what another runs { .. } gave
study { name = "x", title = "x" }
runs { programs = { "bfs" }, base = { "bfs" } }
