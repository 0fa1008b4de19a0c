-- 4: a run has no 'totals'; did you mean total?
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function() return run(r, "../tiny.job").totals.cycles end)
