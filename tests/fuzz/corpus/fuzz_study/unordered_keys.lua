-- 5: pairs: a table as a key has no order; use numbers and texts
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function()
    for k in pairs { [{}] = 1 } do end
end)
