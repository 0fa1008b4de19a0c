-- 3: attempt to call a nil value (method 'rep')
study { name = "x", title = "x" }
local s = ("x"):rep(1000)
