-- 3: attempt to divide by zero
study { name = "x", title = "x" }
local n = 1 // 0
