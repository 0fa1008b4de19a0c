-- 3: programs: two programs have the label 'bfs'
study { name = "x", title = "x" }
programs { "bfs", "bfs" }
