-- What the study language can do, checked by itself: a wrong answer is an error (tests/e2e/study.sh).
study { name = "language", title = "The study language", doc = "for tests" }

local function same(a, b, what)
    if a ~= b then
        error((what or "") .. ": " .. tostring(a) .. ", not " .. tostring(b), 2)
    end
end

local function close(a, b, what)
    if not a or math.abs(a - b) > 1e-12 * math.abs(b) then
        error((what or "") .. ": " .. tostring(a) .. ", not " .. tostring(b), 2)
    end
end

---- Lua, as far as it is there

same(table.concat(split("a,b,,c", ","), "|"), "a|b||c", "split")
same(("hello"):find("l"), 3)
same(("a.b"):find(".", 1), 2, "find is plain")
same(("hello"):find("xyz"), nil)
same(("hello"):find("l", -1), nil)
same(("x"):upper(), "X")
same(tostring({}), "table", "no address")
same(tostring(same), "function")
same(string.format("%s %d %5.1f", same, 3, 2.25), "function 3   2.2")
same(select("#", 1, nil, 3), 3)
local keys = {}
for k in pairs { z = 1, a = 1, [3] = 1, [1] = 1, [-1] = 1, [2.5] = 1, [true] = 1 } do
    keys[#keys + 1] = tostring(k)
end
same(table.concat(keys, " "), "-1 1 2.5 3 a z true", "pairs in order")
local list = { 5, 3, 9, 1 }
table.sort(list)
same(table.concat(list, " "), "1 3 5 9")
table.sort(list, function(a, b) return a > b end)
same(table.concat(list, " "), "9 5 3 1")
table.insert(list, 2, 7)
table.insert(list, 0)
same(table.concat(list, " "), "9 7 5 3 1 0")
same(table.remove(list, 1), 9)
same(table.remove(list), 0)
same(table.concat(list, " "), "7 5 3 1")
same(table.remove({}), nil)
local stable = { { 1, "a" }, { 0, "b" }, { 1, "c" }, { 0, "d" } }
table.sort(stable, function(a, b) return a[1] < b[1] end)
same(stable[1][2] .. stable[2][2] .. stable[3][2] .. stable[4][2], "bdac", "a stable sort")
for _, name in ipairs { "print", "io", "os", "require", "load", "dofile", "loadfile", "loadstring",
                        "collectgarbage", "setmetatable", "getmetatable", "rawget", "rawset", "rawequal",
                        "next", "coroutine", "debug", "package", "utf8", "_G", "xpcall" } do
    local ok, message = pcall(function() return _ENV[name] end)
    same(ok, false, name)
    assert(message:find("'" .. name .. "' is not defined"), message)
end
for _, name in ipairs { "rep", "match", "gmatch", "gsub", "dump", "pack", "unpack" } do
    same(string[name], nil, name)
    same(("x")[name], nil, name)
end
for _, name in ipairs { "random", "randomseed" } do
    same(math[name], nil, name)
end
same(table.move, nil)
local ok, message = pcall(error, "mine", 0)
same(message:sub(-6), ": mine")
same(pcall(function() return "1" + 1 end), false, "texts are no numbers")

---- lists

same(mean { 1, 2, 6 }, 3.0)
same(mean {}, nil)
same(mean { 1, nil, 3, n = 4 }, 2.0)
same(mean { 0 / 0, 4 }, 4.0, "what is not a number does not count")
close(geomean { 1, 4, -1, 0 }, 2)
same(median { 4, 1, 3, 2 }, 2.5)
same(median { 3, 1, 2 }, 2.0)
same(least { 3, -1, 2 }, -1)
same(most { 3, -1, 2 }, 3)
same(sum { 1, 2, 3.5 }, 6.5)
same(sum {}, 0)
local q = quartiles { 5, 1, 2, 3, 4 }
same(table.concat({ q[1], q[2], q[3], q[4], q[5] }, " "), "1 2.0 3.0 4.0 5")
same(quartiles({}).n, 5)
close(pearson({ 1, 2, 3 }, { 2, 4, 6 }), 1)
close(pearson({ 1, 2, 3, 4 }, { 4, nil, 2, 1, n = 4 }), -1)
same(pearson({ 1, 1 }, { 1, 2 }), nil)
close(spearman({ 1, 2, 3, 4 }, { 1, 10, 100, 1000 }), 1)
close(spearman({ 1, 2, 3, 4 }, { 1, 3, 2, 4 }), 0.8)
close(spearman({ 1, 2, 2, 3 }, { 1, 2, 2, 3 }), 1)

---- programs

local quick = set "quick"
same(#quick, 8)
same(quick[1].label, "backprop")
same(#set("quick", { thin = 3 }), 3)
same(set("quick", { size = "large" })[1].args[2], "large")
same(set("quick", { size = "small" })[2].args[1], "--size")
local share = set "share33"
same(share[2].kernel, "cutcp_region")
local own = programs { "bfs  --size 2000", { label = "B", program = "cp", args = { "--size", 5 } } }
same(own[1].label, "bfs --size 2000")
same(own[1].args[2], "2000")
same(own[2].args[2], "5")
same(options.quick, false)
same(options.large, true)
same(options.colour, "red")
same(options.size, nil)

---- runs

local tiny = programs {
    { label = "all", program = "tiny.job" },
    { label = "copy", program = "tiny.job", kernel = "copy" },
    { label = "twice", program = "tiny.job", kernel = "twice" },
}
local base = runs { programs = tiny, label = "base" }
local alike = runs { programs = tiny, set = "l1d.ways=4", gpu = "gtx480", label = "alike" }
local small = runs { programs = tiny, set = { "l1d.size=16K", "sm.n_warp=8" }, base = base, label = "small" }
local gone = runs { programs = { "fails.job", tiny[1] }, base = runs { programs = { "fails.job", tiny[1] } },
                    label = "gone" }
local never = runs { programs = { tiny[2], { label = "never", program = "tiny.job", kernel = "never" } },
                     label = "never" }
same(base.label, "base")
same(#base.programs, 3)
same(runs({ programs = { tiny[1] }, set = "l1d.size=16K", mech = "noop" }).label, "noop l1d.size=16K")

local function cycles(run)
    return run.total.cycles
end

local function ratio(run, base, program)
    assert(program.program == "tiny.job" and program.label)
    return run.total.cycles / base.total.cycles
end

number("checks", function()
    local all, copy, twice = run(base, "all"), run(base, "copy"), run(base, "twice")
    same(type(all), "table")
    same(tostring(all), "table")
    same(#all.kernels, 3)
    same(#copy.kernels, 2)
    same(#twice.kernels, 1)
    same(copy.kernels[2].grid[1], 4)
    same(copy.kernels[2].grid[4], nil)
    same(all.total.cycles, copy.total.cycles + twice.total.cycles, "cycles of kernels")
    same(math.type(all.total.cycles), "integer")
    same(copy.total.cycles, copy.kernels[1].cycles + copy.kernels[2].cycles)
    for name, value in pairs(all.stalls) do
        same(value, copy.stalls[name] + twice.stalls[name], name)
    end
    same(twice.stats.l1d_miss_rate, twice.kernels[1].stats.l1d_miss_rate)
    same(copy.stats.l1d_miss_rate, copy.stats.l1d_miss / copy.stats.l1d_access, "ratio of sums")
    close(twice.stats.mem_latency, twice.kernels[1].stats.mem_latency, "mean of a histogram")
    close(twice.total.power_w, twice.kernels[1].power_w)
    close(all.total.power_w, (copy.total.energy_j + twice.total.energy_j) /
          (copy.total.energy_j / copy.total.power_w + twice.total.energy_j / twice.total.power_w))
    close(all.energy.l2.static_j, copy.energy.l2.static_j + twice.energy.l2.static_j)
    same(copy.stats.mem_latency_log2[8], copy.kernels[1].stats.mem_latency_log2[8] +
         copy.kernels[2].stats.mem_latency_log2[8])
    same(all.build.dirty == true or all.build.dirty == false, true)
    same(all.partial, false)
    same(pcall(function() return copy.total.seconds end), false, "what a launch does not have")
    same(pcall(function() all.total.cycles = 1 end), false)
    same(pcall(function() all.new = 1 end), false)
    local n = 0
    for i, launch in ipairs(all.kernels) do
        n = n + i * launch.launches
    end
    same(n, 6)

    local v = values(base, cycles)
    same(v.n, 3)
    same(v[1], cycles(all))
    same(value(base, "copy", cycles), v[2])
    same(value(base, "none", cycles), nil)
    same(run(base, "none"), nil)
    same(mean(base, cycles), (v[1] + v[2] + v[3]) / 3)
    same(most(base, cycles), v[1])
    same(count(base, function(r) return r.total.cycles < v[1] end), 2)
    same(table.concat(values(alike, cycles), " "), table.concat(v, " "), "the same said otherwise")
    close(value(small, "all", ratio), value(small, "all", cycles) / v[1])

    same(run(gone, "fails.job"), nil)
    same(values(gone, cycles)[1], nil)
    same(values(gone, cycles).n, 2)
    same(mean(gone, cycles), v[1] + 0.0)
    same(count(gone, function() return true end), 1)

    same(run(never, "never"), nil, "a kernel that was not launched")
    same(value(never, "never", cycles), nil)
    same(values(never, cycles).n, 2)
    same(mean(never, cycles), v[2] + 0.0)
    return 1
end)
number("nothing", function() return nil end)
text { name = "words", lines = function() return { "# of " .. #values(base, cycles), "a b" } end }

---- figures

figure { name = "series", kind = "bars", title = "cycles", unit = "cycles", series = { base, small },
         metric = cycles, mean = { "mean", "geomean" }, paper = { 1000 }, doc = "a line below" }
figure { name = "filtered", kind = "table", series = { small }, metric = ratio,
         where = function(run, base, program) return base and program.kernel end,
         paper = { twice = { 2.5 } } }
figure { name = "holes", kind = "bars", series = { gone }, metric = cycles, mean = "median" }
figure { name = "unlaunched", kind = "bars", series = { never }, metric = cycles }
figure { name = "rows", kind = "table", columns = { "a", "b", "c" }, rows = function()
    return { { "x", 1, "text, quoted" }, { "y", nil, 2.5 }, { "z", 0 / 0 }, { 4 }, n = 4 }
end }
figure { name = "lines", kind = "lines", columns = { "x", "y", "paper y" }, marks = 1, log_x = true,
         x_title = "entries", rows = function() return { { 1, 2, 2.5 }, { 10, 3, nil }, { 100, 4, 5 } } end }

---- what a paper says

local function say(v)
    return function() return v end
end
target { where = "1", what = "within", unit = "%", paper = 10, ours = say(10.5), within = 0.5 }
target { where = "2", what = "beyond", paper = 10, ours = say(10.6), within = 0.5 }
target { where = "3", what = "per cent", paper = -10, ours = say(-11), percent = 10 }
target { where = "4", what = "sign", paper = 2, ours = say(0.1), sign = true }
target { where = "5", what = "the other side", paper = 1.2, ours = say(0.9), sign = true, neutral = 1 }
target { where = "6", what = "no value", paper = 1, ours = say(nil), sign = true }
order { where = "7", what = "order", labels = { "a", "b", "c" }, paper = { 1, 3, 2 },
        ours = function() return { 10, 30, 20 } end }
order { where = "8", what = "another", labels = { "a", "b" }, paper = { 1, 2 },
        ours = function() return { 2, 2 } end }
order { where = "9", what = "not all", labels = { "a", "b" }, paper = { 1, 2 },
        ours = function() return { nil, 2 } end }
claim { where = "10", text = "It holds.", check = function() return true, "5 of 5" end }
claim { where = "11", text = "It does not.", check = function() return false end }
claim { where = "12", text = "Its program was not run.", check = function() return nil end }
