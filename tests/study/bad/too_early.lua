-- 4: there are no results yet: put this into a function
study { name = "x", title = "x" }
local r = runs { programs = { "bfs" } }
local m = mean(r, function(run) return run.total.cycles end)
