-- 4: order: what ours returned has 3 entries for 2 labels
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
order { where = "5", what = "x", labels = { "a", "b" }, paper = { 1, 2 }, ours = function() return { 1, 2, 3 } end }
