-- 3: figure: name = 'a/b'; it takes letters, digits, '_', '-' and '.'
study { name = "x", title = "x" }
figure { name = "a/b", kind = "table", columns = { "a" }, rows = function() return {} end }
