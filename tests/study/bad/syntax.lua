-- 3: <name> expected near '='
study { name = "x", title = "x" }
local = 1
