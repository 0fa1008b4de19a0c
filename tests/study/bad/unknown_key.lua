-- 4: runs: --set: l1d.sice: no such key; did you mean size?
study { name = "x", title = "x" }
local b = { "bfs" }
runs { programs = b, set = "l1d.sice=16K" }
