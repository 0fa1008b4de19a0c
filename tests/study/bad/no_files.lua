-- 3: 'io' is not defined
study { name = "x", title = "x" }
io.open("x")
