-- 5: a run cannot be changed
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function()
    run(r, "../tiny.job").total.cycles = 1
    return 1
end)
