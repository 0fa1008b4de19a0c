-- 4: figure: metric is missing
study { name = "x", title = "x" }
local r = runs { programs = { "bfs" } }
figure { name = "f", kind = "table", series = { r }, metrics = nil }
