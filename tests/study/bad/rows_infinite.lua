-- 4: figure f: row 1, cell 2 is infinite; was divided by 0? (nil is no value)
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
figure { name = "f", kind = "table", columns = { "a", "b" }, rows = function() return { { "x", 1 / 0 } } end }
