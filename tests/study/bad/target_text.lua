-- 4: target: ours is no number but a text
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
target { where = "5", what = "x", paper = 1, sign = true, ours = function() return "1" end }
