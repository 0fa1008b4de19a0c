-- 6: result %: no kernel 'twise'; did you mean twice?
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
local p = programs { { program = "../tiny.job", kernel = "twise" } }
local k = runs { programs = p }
number("a", function() return value(k, "../tiny.job", function(run) return run.total.cycles end) end)
