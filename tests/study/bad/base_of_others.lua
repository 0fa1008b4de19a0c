-- 4: runs: base has no program 'cp'
study { name = "x", title = "x" }
local b = runs { programs = { "bfs" } }
runs { programs = { "bfs", "cp" }, base = b }
