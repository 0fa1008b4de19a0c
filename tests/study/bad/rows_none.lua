-- 4: figure f: what rows returned is missing
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
figure { name = "f", kind = "table", columns = { "a", "b" }, rows = function() end }
