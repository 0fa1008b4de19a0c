-- 3: figure: kind is missing
study { name = "x", title = "x" }
figure { name = "f", columns = { "a" }, rows = function() return {} end }
