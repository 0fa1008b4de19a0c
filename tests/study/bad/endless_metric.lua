-- 5: more than 100 million instructions; does a loop not end?
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
number("a", function()
    while true do pcall(error) end
end)
