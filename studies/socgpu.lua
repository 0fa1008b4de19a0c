-- socgpu.lua -- the figures of "Improving instruction scheduling in GPGPUs" (R. Huerta, master thesis,
-- UPC Barcelona, 2022).
--
-- The baseline is its Table 5.1: two instructions of a warp a cycle, in order, source registers held
-- until write-back.  There are two of it: with one bit a register, as configured, a second reader waits;
-- counting, any number may read.  All figures are made over both.  Speed-up is cycles of the whole program; section 6.1 says "on average" and not
-- which: means are arithmetic here.  Energy (section 6.2) is the baseline's power model and 449.4 uW a
-- warp more; what is saved is a share of the baseline's.
--
-- What the thesis leaves open and the causes of distances are made at default sizes only, with every
-- third program.
--
-- Its page is docs/papers/socgpu.md.

study {
    name = "socgpu",
    title = "SOCGPU: out-of-order issue within a warp",
    doc = "figures 1.2 and 6.1 to 6.9, its claims, what it leaves open, causes",
}

local whole = not (options.quick or options.large)
local size = options.quick and "small" or options.large and "large" or nil
local all = set("socgpu22", { thin = options.quick and 3 or 1, size = size })
local third = set("socgpu22", { thin = 3 })
local format = string.format

-- ---- runs

local function machine(label, keys, programs, base)
    return runs { programs = programs or all, gpu = "socgpu", set = keys, base = base, label = label }
end

local function ooo(label, base, more, keys, programs)
    return runs {
        programs = programs or all, gpu = "socgpu", set = keys, base = base, label = label,
        mech = "socgpu" .. (more and ":" .. more or ""),
    }
end

local sizes = { 2, 4, 8, 16, 32, 64 }
local policies = { "first", "older", "younger", "most_ready", "least_ready", "random" }

-- Section 6.5: "the register file has been scaled by the same factor".
local function with_warps(n, keys)
    local list = { "sm.n_warp=" .. n, "sm.max_threads=" .. 32 * n, "sm.regs=" .. 1024 * n }
    if keys then table.insert(list, keys) end
    return list
end

-- SOCGPU with each size over one baseline; it has no scoreboard, so that `keys` are the baseline's alone.
local function over(keys)
    local o = { base = machine("baseline", keys), by_size = {} }
    o.soc = ooo("socgpu", o.base)
    for i, n in ipairs(sizes) do
        o.by_size[i] = ooo(n .. " entries", o.base, n ~= 8 and "entries=" .. n or nil)
    end
    return o
end

-- All that the figures show.
local function all_over(keys)
    local o = over(keys)
    o.by_policy, o.fewer = {}, {}
    for i, p in ipairs(policies) do
        o.by_policy[i] = ooo(p, o.base, p ~= "first" and "policy=" .. p or nil)
    end
    for _, n in ipairs { 48, 32 } do
        o.fewer[n] = {
            base = machine("baseline, " .. n .. " warps", with_warps(n, keys), all, o.base),
            soc = ooo("socgpu, " .. n .. " warps", o.base, nil, with_warps(n)),
        }
    end
    o.single = machine("baseline, single issue", keys and { keys, "sm.issue_width=1" } or "sm.issue_width=1",
                       all, o.base)
    o.soc_single = ooo("socgpu, single issue", o.base, "dual=off")
    o.smart = ooo("socgpu, smart", o.base, "dual=smart")
    return o
end

-- Readers of a register: one, and any number.
local one, counting = all_over(), all_over "sm.war_readers=0"
local base, soc, by_size, by_policy, fewer = one.base, one.soc, one.by_size, one.by_policy, one.fewer
local single, soc_single, smart = one.single, one.soc_single, one.smart

-- ---- what is measured of a run `r` against its baseline `b`

local function speedup(r, b)
    return b.total.cycles / r.total.cycles
end

local function saved(r, b)
    return 100 * (1 - r.total.energy_j / b.total.energy_j)
end

local function issued(r)
    return 100 * r.stalls.issued / r.stalls.scheduler_cycles
end

local function flushes(r)
    return 100 * r.stats.flushes / r.total.warp_insts
end

local function barrier_like(r)
    return 100 * r.stats.socgpu_barrier_like / r.total.warp_insts
end

local function ahead(r)
    return 100 * r.stats.socgpu_ahead / r.total.warp_insts
end

-- Of the baseline's cycles with a warp, those in which a scheduler waits for registers.
local function waits(r)
    local s = r.stalls
    local registers = (s.raw or 0) + (s.raw_mem or 0) + (s.waw or 0) + (s.war or 0)
    return 100 * registers / (s.scheduler_cycles - (s.launch or 0) - (s.no_warp or 0) - (s.tail or 0))
end

-- The same for a list of reasons.
local function share(reasons)
    return function(r)
        local s, cycles = r.stalls, 0
        for _, name in ipairs(reasons) do cycles = cycles + (s[name] or 0) end
        return 100 * cycles / (s.scheduler_cycles - (s.launch or 0) - (s.no_warp or 0) - (s.tail or 0))
    end
end

local deepbench = {}
for _, name in ipairs { "conv-train", "conv-inference", "gemm-train", "gemm-inference", "rnn-lstm-train",
                        "rnn-lstm-inference", "rnn-gru-train", "rnn-gru-inference" } do
    deepbench[name] = true
end

local function of_deepbench(metric, yes)
    return function(r, b, p)
        if (deepbench[p.label] or false) == yes then return metric(r, b, p) end
    end
end

-- ---- figures

figure {
    name = "fig6_2", kind = "bars", title = "flushes", unit = "per 100 warp instructions",
    series = { soc }, metric = flushes, mean = "mean",
}

figure {
    name = "fig6_3", kind = "bars", title = "branches, barriers and returns", unit = "% of warp instructions",
    series = { soc }, metric = barrier_like, mean = "mean",
}

-- Those that have a baseline in them, over one of the two.
local function draw(o, suffix, of)
    local by_warps = { o.soc, o.fewer[48].soc, o.fewer[32].soc, o.fewer[48].base, o.fewer[32].base }

    local function bars(t)
        t.name, t.title, t.kind, t.mean = t.name .. suffix, t.title .. of, "bars", t.mean or "mean"
        figure(t)
    end

    bars { name = "fig1_2", title = "scheduler cycles with an issue, baseline", unit = "%", series = { o.base },
           metric = issued }
    bars { name = "fig6_1", title = "speed-up of SOCGPU", unit = "times", series = { o.soc }, metric = speedup,
           mean = { "mean", "geomean" },
           paper = { mean = { 1.58 }, ["gemm-train"] = { 3.76 }, ["conv-inference"] = { 3.18 } } }
    bars { name = "fig6_4", title = "energy saved", unit = "% of the baseline's", series = { o.soc }, metric = saved,
           paper = { mean = { 17.6 }, ["conv-inference"] = { 62.49 }, gaussian = { -10.75 } } }
    bars { name = "fig6_5", title = "speed-up by entries of the instruction buffer", unit = "times",
           series = o.by_size, metric = speedup, paper = { mean = { 0.99, 1.38, 1.58, 1.65, 1.66, 1.64 } } }
    bars { name = "fig6_6", title = "speed-up by policy, 8 entries", unit = "times", series = o.by_policy,
           metric = speedup }
    bars { name = "fig6_7", title = "speed-up with fewer warps, over 64 warps in order", unit = "times",
           series = by_warps, metric = speedup, paper = { mean = { 1.58, 1.54, 1.43 } } }
    bars { name = "fig6_8", title = "energy saved with fewer warps, of 64 warps in order", unit = "%",
           series = by_warps, metric = saved }
    bars { name = "fig6_9", title = "one and two instructions a cycle", unit = "times",
           series = { o.single, o.soc_single, o.soc, o.smart }, metric = speedup,
           paper = { mean = { 1, 1.58, 1.58, 1.59 } } }
end

draw(one, "", "")
draw(counting, "_counting", ", over the baseline that counts readers")

-- ---- the headline claims, with each reading

-- Over baselines with two and three readers; and with other readings of the mechanism, over one.
local two, three = over "sm.war_readers=2", over "sm.war_readers=3"
local waits_back = { base = base, soc = ooo("socgpu", base, "branches=writeback") }
local oldest_valid = { base = base, soc = ooo("socgpu", base, "oldest=valid") }
local both_back = { base = base, soc = ooo("socgpu", base, "branches=writeback,oldest=valid") }

local readings = { one, counting, two, three, waits_back, oldest_valid, both_back }

local function mean_of(metric)
    return function(series) return mean(series, metric) end
end

local function value_of(label, metric)
    return function(series) return value(series, label, metric) end
end

local function losers(series)
    return count(series, function(r, b) return speedup(r, b) < 1 end)
end

local function soc_of(o) return o.soc end
local function size_of(i) return function(o) return o.by_size and o.by_size[i] end end
local function fewer_of(n) return function(o) return o.fewer and o.fewer[n].soc end end

-- Section, what, which runs of a reading, what of them, the thesis.
local headlines = {
    { "6.1", "speed-up", soc_of, mean_of(speedup), 1.58 },
    { "6.1", "of it Rodinia", soc_of, mean_of(of_deepbench(speedup, false)) },
    { "6.1", "of it DeepBench", soc_of, mean_of(of_deepbench(speedup, true)) },
    { "6.1", "gemm-train", soc_of, value_of("gemm-train", speedup), 3.76 },
    { "6.1", "conv-inference", soc_of, value_of("conv-inference", speedup), 3.18 },
    { "6.1", "programs that lose", soc_of, losers, 0 },
    { "6.2", "energy saved, %", soc_of, mean_of(saved), 17.6 },
    { "6.2", "conv-inference", soc_of, value_of("conv-inference", saved), 62.49 },
    { "6.2", "gaussian", soc_of, value_of("gaussian", saved), -10.75 },
    { "6.3", "speed-up, 2 entries", size_of(1), mean_of(speedup), 0.99 },
    { "6.3", "4 entries", size_of(2), mean_of(speedup), 1.38 },
    { "6.3", "16 entries", size_of(4), mean_of(speedup), 1.65 },
    { "6.3", "gemm-train, 16 entries", size_of(4), value_of("gemm-train", speedup), 4.23 },
    { "6.3", "32 entries", size_of(5), mean_of(speedup), 1.66 },
    { "6.3", "64 entries", size_of(6), mean_of(speedup), 1.64 },
    { "6.5", "speed-up, 48 warps", fewer_of(48), mean_of(speedup), 1.54 },
    { "6.5", "32 warps", fewer_of(32), mean_of(speedup), 1.43 },
    { "6.6", "speed-up, smart dual issue", function(o) return o.smart end, mean_of(speedup), 1.59 },
}

figure {
    name = "headline", kind = "table", title = "headline claims, with each reading", unit = "", marks = 1,
    columns = { "section", "what", "here", "`sm.war_readers=0`", "`=2`", "`=3`", "`branches=writeback`",
                "`oldest=valid`", "both", "thesis" },
    rows = function()
        local rows = {}
        for i, h in ipairs(headlines) do
            local row = { n = #readings + 3, h[1], h[2] }
            for k, o in ipairs(readings) do
                local series = h[3](o)
                row[k + 2] = series and h[4](series) or nil
            end
            row[#readings + 3] = h[5]
            rows[i] = row
        end
        return rows
    end,
}

-- What the limit costs in order, and what SOCGPU gains over each.
local function named(label, o)
    return ooo("over " .. label, o.base)
end

figure {
    name = "readers", kind = "bars", title = "speed-up by readers that the baseline lets have a register",
    unit = "times", series = { named("one", one), named("two", two), named("three", three), named("any", counting) },
    metric = speedup, mean = "mean",
}

figure {
    name = "readers_baseline", kind = "bars", title = "baselines with more readers, over that with one",
    unit = "times", series = {
        machine("two", "sm.war_readers=2", all, base), machine("three", "sm.war_readers=3", all, base),
        machine("any", "sm.war_readers=0", all, base),
    },
    metric = speedup, mean = "mean",
}

-- What a program has to gain, and what holds it back; shares of instructions and cycles.
figure {
    name = "what", kind = "table", title = "what a program brings", unit = "",
    columns = { "program", "speed-up", "energy saved, %", "waits for registers, % of cycles", "issued, % of cycles",
                "flushes per 100", "barrier-like, %", "issued ahead, %" },
    rows = function()
        local rows = {}
        for i, p in ipairs(all) do
            local l = p.label
            rows[i] = { l, value(soc, l, speedup), value(soc, l, saved), value(base, l, waits),
                        value(base, l, issued), value(soc, l, flushes), value(soc, l, barrier_like),
                        value(soc, l, ahead) }
        end
        return rows
    end,
}

figure {
    name = "correlation", kind = "table", title = "rank correlation with the speed-up", unit = "",
    columns = { "of", "rho" },
    rows = function()
        local s = values(soc, speedup)
        return {
            { "flushes per 100 warp instructions", spearman(s, values(soc, flushes)) },
            { "barrier-like instructions, %", spearman(s, values(soc, barrier_like)) },
            { "cycles that wait for registers in the baseline, %", spearman(s, values(base, waits)) },
        }
    end,
}

-- Why schedulers that have a warp do not issue, in order and with SOCGPU.
local reasons = {
    { "loads", { "raw_mem" } }, { "results", { "raw" } }, { "WAR, WAW", { "war", "waw" } },
    { "collectors", { "collector" } }, { "load/store unit", { "lsu" } },
    { "other units", { "unit_sp", "unit_sfu", "unit_dp" } }, { "window", { "window" } },
    { "fetch, branches", { "control", "fetch", "imiss" } }, { "barriers", { "barrier", "atomic", "fence" } },
}

local function binds(name, title, series)
    local columns = { "program", "warps an SM", "issued" }
    for _, reason in ipairs(reasons) do table.insert(columns, reason[1]) end
    local function row(label, of)
        local cells = { label, of(function(r) return r.stats.warps_per_sm end), of(share { "issued" }) }
        for _, reason in ipairs(reasons) do table.insert(cells, of(share(reason[2]))) end
        return cells
    end
    figure {
        name = name, kind = "table", title = title, unit = "%", columns = columns,
        rows = function()
            local rows = {}
            for i, p in ipairs(all) do
                rows[i] = row(p.label, function(metric) return value(series, p.label, metric) end)
            end
            table.insert(rows, row("mean", function(metric) return mean(series, metric) end))
            return rows
        end,
    }
end

binds("binds", "scheduler cycles with a warp, baseline", base)
binds("binds_counting", "scheduler cycles with a warp, baseline that counts readers", counting.base)
binds("binds_soc", "scheduler cycles with a warp, SOCGPU", soc)

-- By size once more, over SOCGPU with two entries: what the baseline is plays no part in it.
figure {
    name = "from_two", kind = "table", title = "speed-up over SOCGPU with 2 entries", unit = "times",
    columns = { "entries", "Rodinia", "DeepBench", "all", "most", "thesis" }, marks = 1,
    rows = function()
        local two, rows = {}, {}
        local thesis = { 0.99, 1.38, 1.58, 1.65, 1.66, 1.64 }
        for _, p in ipairs(all) do
            two[p.label] = value(by_size[1], p.label, function(r) return r.total.cycles end)
        end
        local function gained(r, _, p)
            return two[p.label] and two[p.label] / r.total.cycles
        end
        for i, s in ipairs(by_size) do
            rows[i] = { tostring(sizes[i]), mean(s, of_deepbench(gained, false)), mean(s, of_deepbench(gained, true)),
                        mean(s, gained), most(s, gained), thesis[i] / thesis[1] }
        end
        return rows
    end,
}

number("gain", function() return 100 * (mean(soc, speedup) - 1) end)
number("rodinia", function() return mean(soc, of_deepbench(speedup, false)) end)
number("deepbench", function() return mean(soc, of_deepbench(speedup, true)) end)

-- The most that gemm-train could gain with one issue a cycle.
number("gemm_train_bound", function() return value(base, "gemm-train", function(r) return 100 / issued(r) end) end)

-- ---- targets

local aims = {}

local function aim(t)
    table.insert(aims, t)
    target(t)
end

local function ours(series, metric)
    return function() return mean(series, metric) end
end

aim { where = "6.1", what = "speed-up", unit = "times", paper = 1.58, ours = ours(soc, speedup), percent = 10 }
aim { where = "6.1", what = "speed-up, gemm-train", unit = "times", paper = 3.76,
      ours = function() return value(soc, "gemm-train", speedup) end, percent = 10 }
aim { where = "6.1", what = "speed-up, conv-inference", unit = "times", paper = 3.18,
      ours = function() return value(soc, "conv-inference", speedup) end, percent = 10 }
aim { where = "6.2", what = "energy saved", unit = "%", paper = 17.6, ours = ours(soc, saved), within = 5 }
aim { where = "6.2", what = "energy saved, conv-inference", unit = "%", paper = 62.49,
      ours = function() return value(soc, "conv-inference", saved) end, within = 5 }
for i, paper in ipairs { 0.99, 1.38, 1.58, 1.65, 1.66, 1.64 } do
    aim { where = "6.3", what = "speed-up, " .. sizes[i] .. " entries", unit = "times", paper = paper,
          ours = ours(by_size[i], speedup), percent = 10 }
end
order {
    where = "6.3", what = "speed-up by entries, up to 16", labels = { "2", "4", "8", "16" },
    paper = { 0.99, 1.38, 1.58, 1.65 },
    ours = function()
        local list = {}
        for i = 1, 4 do list[i] = mean(by_size[i], speedup) end
        return list
    end,
}
aim { where = "6.3", what = "speed-up, gemm-train with 16 entries", unit = "times", paper = 4.23,
      ours = function() return value(by_size[4], "gemm-train", speedup) end, percent = 10 }
aim { where = "6.5", what = "speed-up, 48 warps", unit = "times", paper = 1.54,
      ours = ours(fewer[48].soc, speedup), percent = 10 }
aim { where = "6.5", what = "speed-up, 32 warps", unit = "times", paper = 1.43,
      ours = ours(fewer[32].soc, speedup), percent = 10 }
aim { where = "6.6", what = "speed-up, smart dual issue", unit = "times", paper = 1.59,
      ours = ours(smart, speedup), percent = 10 }

-- Section 6.2 and 6.5: of the die.
local function area(r)
    return 100 * r.area.socgpu / (r.area.total - r.area.socgpu)
end

for _, a in ipairs { { 64, soc, 3.48 }, { 48, fewer[48].soc, 2.61 }, { 32, fewer[32].soc, 1.74 } } do
    aim { where = "6.2", what = "area, " .. a[1] .. " warps", unit = "% of the die of 471 mm2", paper = a[3],
          ours = function()
              return mean(a[2], function(r) return 100 * r.area.socgpu / 471 end)
          end, within = 0.01 }
end
number("area_of_chip", function() return mean(soc, area) end)

local function met(a, v)
    return math.abs(v - a.paper) <= (a.within or a.percent * math.abs(a.paper) / 100)
end

number("aims", function() return #aims end)
number("aims_met", function()
    local n = 0
    for _, a in ipairs(aims) do
        local v = a.ours()
        if v and met(a, v) then n = n + 1 end
    end
    return n
end)

figure {
    name = "summary", kind = "table", title = "numbers of the text", unit = "",
    columns = { "section", "what", "here", "thesis", "bound", "met" },
    rows = function()
        local rows = {}
        for i, a in ipairs(aims) do
            local v = a.ours()
            rows[i] = { n = 6, a.where, a.what .. (a.unit == "times" and "" or ", " .. a.unit), v, a.paper,
                        a.within and format("%g", a.within) or format("%g %%", a.percent),
                        v and (met(a, v) and "yes" or "no") }
        end
        return rows
    end,
}

-- ---- claims

local function says(where, what, check)
    claim { where = where, text = what, check = check }
end

says("6.1", "no benchmark loses performance", function()
    local n = count(soc, function(r, b) return speedup(r, b) < 1 end)
    return n == 0, format("%d of %d lose, at worst %.3f", n, #all, least(soc, speedup))
end)
says("6.1", "most of Rodinia gains less than DeepBench", function()
    local d, r = mean(soc, of_deepbench(speedup, true)), mean(soc, of_deepbench(speedup, false))
    if d and r then return d > r, format("%.3f and %.3f", r, d) end
end)
says("6.1", "DeepBench has fewer flushes", function()
    local d, r = mean(soc, of_deepbench(flushes, true)), mean(soc, of_deepbench(flushes, false))
    if d and r then return d < r, format("%.2f and %.2f per 100", d, r) end
end)
says("6.1", "DeepBench has fewer barrier-like instructions", function()
    local d, r = mean(soc, of_deepbench(barrier_like, true)), mean(soc, of_deepbench(barrier_like, false))
    if d and r then return d < r, format("%.2f and %.2f %%", d, r) end
end)
says("6.2", "those that save most energy are those that gain most speed", function()
    local rho = spearman(values(soc, speedup), values(soc, saved))
    if rho then return rho > 0.8, format("rank correlation %.2f", rho) end
end)
says("6.2", "a few that hardly gain consume more, gaussian most", function()
    local v = value(soc, "gaussian", saved)
    if v then return v < 0 and v <= least(soc, saved), format("gaussian %.1f %%, least %.1f %%", v, least(soc, saved)) end
end)
says("6.3", "with 2 entries most lose", function()
    local n = count(by_size[1], function(r, b) return speedup(r, b) < 1 end)
    return n > #all / 2, format("%d of %d", n, #all)
end)
says("6.3", "beyond 16 entries little is gained or lost", function()
    local a, b, c = mean(by_size[4], speedup), mean(by_size[5], speedup), mean(by_size[6], speedup)
    if not (a and b and c) then return end
    return math.abs(b / a - 1) < 0.02 and math.abs(c / a - 1) < 0.02, format("%.3f, %.3f, %.3f", a, b, c)
end)
says("6.4", "no policy is significantly better", function()
    local lo, hi = math.huge, 0
    for _, s in ipairs(by_policy) do
        local m = mean(s, speedup)
        if m then lo, hi = math.min(lo, m), math.max(hi, m) end
    end
    if hi > 0 then return hi / lo < 1.05, format("%.3f to %.3f", lo, hi) end
end)
says("6.4", "random is slightly below first", function()
    local f, r = mean(by_policy[1], speedup), mean(by_policy[6], speedup)
    if f and r then return r <= f, format("%.3f and %.3f", r, f) end
end)
says("6.5", "with 48 and 32 warps SOCGPU is still faster than the baseline with 64", function()
    local a, b = mean(fewer[48].soc, speedup), mean(fewer[32].soc, speedup)
    if a and b then return a > 1 and b > 1, format("%.3f and %.3f", a, b) end
end)
says("6.6", "single issue is no significant loss for the baseline", function()
    local v = mean(single, speedup)
    if v then return v > 0.98, format("%.3f", v) end
end)
says("6.6", "nor for SOCGPU", function()
    local a, b = mean(soc_single, speedup), mean(soc, speedup)
    if a and b then return a / b > 0.98, format("%.3f of dual issue", a / b) end
end)
says("6.6", "smart dual issue makes no big difference", function()
    local a, b = mean(smart, speedup), mean(soc, speedup)
    if a and b then return math.abs(a / b - 1) < 0.02, format("%.3f of plain", a / b) end
end)

figure {
    name = "claims", kind = "table", title = "what the text says", unit = "",
    columns = { "section", "claim", "here", "met" }, rows = claims,
}

-- ---- what it leaves open, and causes: every third program

if whole then
    local plain = machine("baseline", nil, third)

    -- hybridsort sorts wrongly when accesses may be in any order: the row and its like leave it out.
    local but_one = {}
    for _, p in ipairs(third) do
        if p.label ~= "hybridsort" then table.insert(but_one, p) end
    end
    local but_one_plain = machine("baseline", nil, but_one)

    -- Each reading of the mechanism, over the same baseline.
    local open_keys = {
        { "as configured" },
        { "as configured, without hybridsort", nil, but_one },
        { "accesses in any order: `memory_order=none`, without hybridsort", "memory_order=none", but_one },
        { "no access overtakes a store: `memory_order=store`", "memory_order=store" },
        { "branches wait, and are waited for, until write-back: `branches=writeback`", "branches=writeback" },
        { "the oldest is that in the buffer: `oldest=valid`", "oldest=valid" },
        { "both", "branches=writeback,oldest=valid" },
        { "fetch at one free entry: `refill=1`", "refill=1" },
        { "fetch when it is empty: `refill=8`", "refill=8" },
    }
    for _, o in ipairs(open_keys) do
        o.runs = ooo("socgpu", o[3] and but_one_plain or plain, o[2], nil, o[3] or third)
    end
    figure {
        name = "open_keys", kind = "table", title = "what the thesis leaves open", unit = "",
        columns = { "reading", "speed-up", "energy saved, %", "overtaken" },
        rows = function()
            local rows = {}
            for i, o in ipairs(open_keys) do
                rows[i] = { o[1], mean(o.runs, speedup), mean(o.runs, saved),
                            sum(o.runs, function(r) return r.stats.socgpu_overtook end) }
            end
            return rows
        end,
    }

    number("refill_8", function() return mean(open_keys[#open_keys].runs, speedup) end)

    -- Each machine or compiler, with and without; the matrix has no scoreboard for which `sm.war` would
    -- matter.  gemm-train, which gains most in the thesis, has a column of its own.
    local causes = {
        { "as configured" },
        { "any number of readers: `sm.war_readers=0`", "sm.war_readers=0", no_matter = true },
        { "one reader, until it has read: `sm.war=read`", "sm.war=read", no_matter = true },
        { "registers are free when read: `sm.war=read`, `sm.war_readers=0`", { "sm.war=read", "sm.war_readers=0" },
          no_matter = true, id = "read" },
        { "PTX as it is: `front.lower=off`", "front.lower=off", id = "lower" },
        { "no list scheduling: `front.schedule=off`", "front.schedule=off", id = "schedule" },
        { "its simulator's units: `sm.sp_clusters=1`, `sm.sfu_units=1`", { "sm.sp_clusters=1", "sm.sfu_units=1" } },
        { "four times the collectors: `sm.cu_any=8`", "sm.cu_any=8", id = "collectors" },
        { "an I-cache that can miss: `sm.perfect_icache=off`", "sm.perfect_icache=off" },
        { "16 warps: `sm.n_warp=16`", { "sm.n_warp=16", "sm.max_threads=512" } },
        { "inputs as small as the tests'", size = "small" },
    }
    local by_id = {}
    for _, c in ipairs(causes) do
        if c.id then by_id[c.id] = c end
        local programs = c.size and set("socgpu22", { thin = 3, size = c.size }) or third
        local gemm = {}
        for _, p in ipairs(set("socgpu22", { size = c.size })) do
            if p.label == "gemm-train" then table.insert(gemm, p) end
        end
        local keys = not c.no_matter and c[2] or nil
        c.base = machine("baseline", c[2], programs, not c.size and plain or nil)
        c.soc = ooo("socgpu", c.base, nil, keys, programs)
        c.gemm_base = machine("baseline", c[2], gemm)
        c.gemm = ooo("socgpu", c.gemm_base, nil, keys, gemm)
    end
    figure {
        name = "causes", kind = "table", title = "machine and compiler", unit = "",
        columns = { "with", "speed-up over the same in order", "of it gemm-train", "conv-inference",
                    "rnn-gru-inference", "in order, of the baseline", "waits for registers, %", "for WAR, WAW, %" },
        rows = function()
            local rows = {}
            for i, c in ipairs(causes) do
                rows[i] = { c[1], mean(c.soc, speedup), mean(c.gemm, speedup),
                            value(c.soc, "conv-inference", speedup), value(c.soc, "rnn-gru-inference", speedup),
                            not c.size and mean(c.base, speedup) or nil, mean(c.base, waits),
                            mean(c.base, share { "war", "waw" }) }
                rows[i].n = 8
            end
            return rows
        end,
    }

    -- Registers that are free when read, in order: over the baseline, and beside SOCGPU.
    number("war_read", function() return 100 * (mean(by_id.read.base, speedup) - 1) end)
    number("war_read_soc", function() return mean(by_id.read.soc, speedup) end)
    number("gemm_war_read_soc", function() return mean(by_id.read.gemm, speedup) end)
    number("gemm_schedule", function() return mean(by_id.schedule.gemm, speedup) end)
    number("gemm_collectors", function() return mean(by_id.collectors.gemm, speedup) end)
    number("lowered", function() return mean(by_id.lower.soc, speedup) end)
    number("lowered_dwt2d", function() return value(by_id.lower.soc, "dwt2d", speedup) end)
    number("lowered_lud", function() return value(by_id.lower.soc, "lud", speedup) end)
end
