-- 4: figure f: row 2 has 3 cells, and there are 2 columns
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
figure { name = "f", kind = "table", columns = { "a", "b" }, rows = function() return { { "x", 1 }, { "y", 2, 3 } } end }
