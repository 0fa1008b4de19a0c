-- 3: runs: set: entry 1 is no text but a table
study { name = "x", title = "x" }
runs { programs = { "bfs" }, set = { {} } }
