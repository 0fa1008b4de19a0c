-- 4: no such variant: x
study { name = "x", title = "x" }
local function variant(name)
    error("no such variant: " .. name)
end
variant("x")
