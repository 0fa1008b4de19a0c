-- 4: the metric of '../tiny.job' (r) is no true or false but a number
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function() local n = count(r, function() return 1 end) return n end)
