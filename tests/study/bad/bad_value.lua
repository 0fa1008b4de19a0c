-- 3: runs: --set: sm.n_warp: 1000 warps is outside 1..64
study { name = "x", title = "x" }
runs { programs = { "bfs" }, set = { "sm.n_warp=1000" } }
