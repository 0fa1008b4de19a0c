-- 5: total has no 'cycels'; did you mean cycles?
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
figure { name = "f", kind = "table", series = { r }, metric = function(run)
    return run.total.cycels
end }
