-- 5: the metric of '../tiny.job' (r) is infinite; was divided by 0? (nil is no value)
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function()
    local m = mean(r, function(run) return 1 / run.stalls.gated end)
    return m
end)
