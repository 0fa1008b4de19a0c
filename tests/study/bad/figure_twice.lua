-- 4: figure: there is a 'f' already, in line 3
study { name = "x", title = "x" }
figure { name = "f", kind = "table", columns = { "a" }, rows = function() return {} end }
figure { name = "f", kind = "table", columns = { "a" }, rows = function() return {} end }
