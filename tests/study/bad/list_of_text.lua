-- 4: mean: entry 2 is no number but a text
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function() return (mean { 1, "2" }) end)
