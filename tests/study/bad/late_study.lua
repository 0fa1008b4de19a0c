-- 2: runs: study { name = .. } comes first
runs { programs = { "bfs" } }
