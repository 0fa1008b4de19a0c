-- 4: attempt to index a nil value (local 'base')
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function() return (mean(r, function(run, base) return base.total.cycles end)) end)
