-- 3: runs: no GPU 'gtx408'
study { name = "x", title = "x" }
runs { programs = { "bfs" }, gpu = "gtx408" }
