-- 3: format: there is no %p
study { name = "x", title = "x" }
local s = string.format("\0%p", {})
