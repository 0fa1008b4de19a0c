-- 3: figure: it has either rows or series
study { name = "x", title = "x" }
figure { name = "f", kind = "table", columns = { "a" } }
