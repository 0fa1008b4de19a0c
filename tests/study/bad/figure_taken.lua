-- 3: figure: name = 'numbers'; that name is taken
study { name = "x", title = "x" }
figure { name = "numbers", kind = "table", columns = { "a" }, rows = function() return {} end }
