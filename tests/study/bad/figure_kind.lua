-- 3: figure: no kind of figure is 'bar'; did you mean bars?
study { name = "x", title = "x" }
figure { name = "f", kind = "bar", columns = { "a" }, rows = function() return {} end }
