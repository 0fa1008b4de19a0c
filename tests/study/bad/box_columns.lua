-- 4: figure 'f': box needs columns least, q1, median, q3 and most
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
figure { name = "f", kind = "box", columns = { "a", "b" }, rows = function() return { { "x", 1 } } end }
