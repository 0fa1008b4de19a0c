-- 3: set: size = 'huge'; there are small and large
study { name = "x", title = "x" }
local p = set("quick", { size = "huge" })
