-- 4: attempt to index a nil value (local 'a')
study { name = "x", title = "x" }
local a
local b = a.b
