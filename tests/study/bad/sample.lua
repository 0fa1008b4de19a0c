-- 3: runs: sample = 0.5; it takes cycles, 1 or more
study { name = "x", title = "x" }
runs { programs = { "bfs" }, sample = 0.5 }
