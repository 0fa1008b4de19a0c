study { name = "f", title = "t", doc = "d" }
local p = programs { "bfs", { label = "c", program = "cp", args = { "--size", 5 }, kernel = "k" } }
local a = runs { programs = p, gpu = "tiny" }
local b = runs { programs = set("quick", { thin = 4 }), set = "sm.n_warp=8", mech = { "noop" }, sample = 100 }
local function m(run, base, program) return run.total.cycles / 2 end
figure { name = "a", kind = "bars", series = { a, b }, metric = m, mean = { "mean", "geomean" }, paper = { 1, 2 } }
figure { name = "b", kind = "box", columns = { "x", "least", "q1", "median", "q3", "most" },
         rows = function() local q = quartiles { 1, 2, 3 } return { { "r", q[1], q[2], q[3], q[4], q[5] } } end }
figure { name = "c", kind = "lines", log_x = true, columns = { "x", "y" }, rows = function() return { { 1, 2 }, { 3, 4 } } end }
target { where = "1", what = "w", paper = 1, ours = function() return spearman({ 1, 2, 3 }, { 3, 1, 2 }) end, percent = 5 }
order { where = "1", what = "w", labels = { "a", "b" }, paper = { 1, 2 }, ours = function() return { 2, 3 } end }
claim { where = "1", text = "t", check = function() return count(a, m) == 0, string.format("%5.1f%%", 3) end }
number("n", function() return pcall(error, "x") and 1 or #split("a b c", " ") end)
