-- 3: format: there is no %p
study { name = "x", title = "x" }
local s = ("%%\0%s\0%-9p"):format(1, split)
