-- 3: figure: name = 'summary'; every study has a file of that name
study { name = "x", title = "x" }
figure { name = "summary", kind = "table", columns = { "a" }, rows = function() return {} end }
