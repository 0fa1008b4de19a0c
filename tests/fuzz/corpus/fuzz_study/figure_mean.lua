-- 5: figure: mean: there is no 'average'
study { name = "x", title = "x" }
local r = runs { programs = { "bfs" } }
local function m(run) return run.total.cycles end
figure { name = "f", kind = "table", series = { r }, metric = m, mean = "average" }
