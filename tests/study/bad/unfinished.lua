-- 5: '}' expected (to close '{' at line 4) near <eof>
study { name = "x", title = "x" }

runs { programs = { "bfs"
