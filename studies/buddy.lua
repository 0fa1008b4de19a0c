-- buddy.lua -- the figures of "Buddy SM: Sharing Pipeline Front-End for Improved Energy Efficiency in
-- GPGPUs" (Zhang et al., ACM TACO 12(2), 2015).  Its page is docs/papers/buddy.md.
--
-- Performance is IPC "normalized to the performance of the default (baseline) 32-threaded warp
-- architecture" (6.5): the work of a program is the same everywhere, so it is the ratio of cycles.
-- Buddy time is that of 6.1, "the average value of all kernels of each application".  Energy saved is
-- "the energy savings minus the overhead" (6.6): of the baseline's.  Means are arithmetic.
--
-- The GPU's energy is what GPUWattch reports, dynamic, of idle SMs and constant, and the front end's
-- static energy, which 6.6 adds ("the dynamic power and the static power of the front-end units");
-- with all leakage it is another reading.  Each reading stands in `headline`, over a baseline of its
-- own.  What else the paper leaves open and the causes of distances are made at default sizes only, with
-- every third program.

study {
    name = "buddy",
    title = "Buddy SM: one front end for several SMs",
    doc = "headline claims in each reading, figures 1 and 11 to 21, table I, its claims, what it leaves open, causes",
}

local whole = not (options.quick or options.large)
local size = options.quick and "small" or options.large and "large" or nil
local all = set("buddy17", { thin = options.quick and 4 or 1, size = size })
local third = set("buddy17", { thin = 3 })
local format = string.format

-- ---- runs

local function machine(label, keys, base, programs, gpu)
    return runs { programs = programs or all, gpu = gpu or "buddy", set = keys, base = base, label = label }
end

local function buddy(label, keys, base, programs, set_keys, gpu)
    return runs { programs = programs or all, gpu = gpu or "buddy", mech = "buddy:" .. keys, set = set_keys,
                  base = base, label = label }
end

-- Warps of so many words, and more keys.
local function large(words, base, keys, gpu)
    local set = { "sm.warp_words=" .. words }
    for _, k in ipairs(keys or {}) do set[#set + 1] = k end
    return machine(32 * words .. "-thread warps", set, base, nil, gpu)
end

local base = machine "baseline"
local wide = { large(2, base), large(4, base) }

-- Words of a large warp one by one: at issue, at the memory unit, both.
local ways = { { "issue", { "sm.wide_issue=words" } }, { "memory", { "sm.wide_memory=words" } },
               { "both", { "sm.wide_issue=words", "sm.wide_memory=words" } } }
local by_words = { {}, {} }
for k, w in ipairs { 2, 4 } do
    for i, way in ipairs(ways) do by_words[k][i] = large(w, base, way[2]) end
end

local two, four, eight = buddy("two", "size=2", base), buddy("four", "size=4", base), buddy("eight", "size=8", base)

local halfway = { buddy("two", "size=2,regroup=halfway", two), buddy("four", "size=4,regroup=halfway", four) }
local halfway_base = { buddy("two", "size=2,regroup=halfway", base), buddy("four", "size=4,regroup=halfway", base) }
local by_default = { buddy("two", "size=2,form=default", base), buddy("four", "size=4,form=default", base) }
local adaptive = { buddy("two", "size=2", by_default[1]), buddy("four", "size=4", by_default[2]) }

-- Readings of the machine, each over its own baseline.
local function reading(keys, gpu)
    local b = machine("baseline", keys, nil, nil, gpu)
    return { base = b, two = buddy("two", "size=2", b, nil, keys, gpu), four = buddy("four", "size=4", b, nil, keys, gpu),
             wide = { large(2, b, keys, gpu), large(4, b, keys, gpu) } }
end

local printed = reading { "l1d.sets=64", "l1i.sets=8", "l1t.sets=8", "l1t.ways=4", "power.e_icache_hit=64",
                          "power.ref_icache=4K" }
local version = reading({ "gpu.n_sm=16" }, "gtx480-322") -- the release after the one that the paper names
local older_base = machine("baseline", "power.table=fermi40-321")
local older = { base = older_base, two = buddy("two", "size=2", older_base, nil, "power.table=fermi40-321"),
                four = buddy("four", "size=4", older_base, nil, "power.table=fermi40-321") }
local lost = { two = buddy("two", "size=2,icache=lost", base), four = buddy("four", "size=4,icache=lost", base) }
local warm = { two = buddy("two", "size=2,icache=warm", base), four = buddy("four", "size=4,icache=warm", base) }

-- Figures 11 to 13: the baseline with fewer SMs.
local counts, one = { 1, 2, 4, 8, 16 }, machine("1", "gpu.n_sm=1")
local by_count = { machine("1", "gpu.n_sm=1", one) }
for i = 2, 4 do by_count[i] = machine(format("%d", counts[i]), "gpu.n_sm=" .. counts[i], one) end
by_count[5] = machine("16", nil, one)

-- ---- what is measured of a run `r` against another, `b`

local function performance(r, b)
    return 100 * b.total.cycles / r.total.cycles
end

local function speedup(r, b)
    return b.total.cycles / r.total.cycles
end

local function latency(r)
    return r.stats.mem_latency
end

local function latency_ratio(r, b)
    return 100 * latency(r) / latency(b)
end

local function lanes(r)
    return 32 * r.stats.simt_lanes / r.stats.simt_slots
end

local function buddy_time(r)
    return 100 * r.stats.buddy_time_shares / r.stats.buddy_clusters / 1e6
end

-- Cycles in which a scheduler has no instruction for its SM: one that follows the master's is issued.
local function stalls(r)
    return r.stalls.scheduler_cycles - r.total.warp_insts
end

local function stalls_ratio(r, b)
    return 100 * stalls(r) / stalls(b)
end

local function energy_of(part)
    return part.dynamic_j + part.static_j + part.gating_j + part.base_j
end

-- With what is added to it: the cluster's network, the master's larger scoreboard.
local function front_end(r)
    return r.total.front_end_j + energy_of(r.energy.mechanism)
end

local function front_end_saved(r, b)
    return 100 * (1 - front_end(r) / front_end(b))
end

local front_parts = { "icache", "fetch_decode", "ibuffer", "scoreboard", "scheduler", "simt_stack", "mechanism" }

-- What GPUWattch reports: no leakage.
local function reported(r)
    local sum = 0
    for _, part in pairs(r.energy) do
        for name, j in pairs(part) do sum = sum + ((name == "dynamic_j" or name == "base_j") and j or 0) end
    end
    return sum
end

local function total(r)
    local sum = reported(r)
    for _, name in ipairs(front_parts) do sum = sum + r.energy[name].static_j + r.energy[name].gating_j end
    return sum
end

local function saved(r, b)
    return 100 * (1 - total(r) / total(b))
end

local function saved_reported(r, b)
    return 100 * (1 - reported(r) / reported(b))
end

local function saved_leaking(r, b)
    return 100 * (1 - r.total.energy_j / b.total.energy_j)
end

local parts = {
    { "front end" }, { "register file", "regfile", "collector" },
    { "execution", "sp0_int", "sp1_int", "sp0_fp", "sp1_fp", "sfu", "dp" },
    { "memory unit", "lsu", "l1_shared", "const_cache", "tex_cache" }, { "network", "noc" }, { "L2", "l2" },
    { "memory", "mc", "dram" },
}

local function dynamic(r)
    local sum = 0
    for _, part in pairs(r.energy) do
        for name, j in pairs(part) do sum = sum + (name == "dynamic_j" and j or 0) end
    end
    return sum
end

local function share_of(part)
    return function(r)
        if #part == 1 then return 100 * r.total.front_end_share end
        local sum = 0
        for i = 2, #part do sum = sum + r.energy[part[i]].dynamic_j end
        return 100 * sum / dynamic(r)
    end
end

local dynamic_share = share_of(parts[1])

-- The cluster's network, and what a wire alone would make of it: section 4.7's 50 fJ a bit and mm.
local function wire_j(r)
    return 0.05e-12 * r.stats.buddy_bit_mm
end

local function less_link(r)
    return r.energy.mechanism.dynamic_j - wire_j(r)
end

local function front_end_saved_wire(r, b)
    return 100 * (1 - (front_end(r) - less_link(r)) / front_end(b))
end

local function saved_wire(r, b)
    return 100 * (1 - (total(r) - less_link(r)) / total(b))
end

-- ---- figures

-- The claims of the paper's abstract and of 6.5 to 6.7, in each reading; what one does not touch is empty.
figure {
    name = "headline", kind = "table", title = "headline claims in each reading", unit = "%",
    columns = { "reading", "two", "four", "eight", "64-thread warps", "128-thread warps", "front end saved, two",
                "front end saved, four", "energy saved, two", "energy saved, four", "front end, of dynamic power" },
    rows = function()
        local function of(series, metric)
            return series and metric and mean(series, metric)
        end
        local function row(label, m)
            return { n = 11, label, of(m.two, m.speed), of(m.four, m.speed), of(m.eight, m.speed),
                     of(m.wide and m.wide[1], performance), of(m.wide and m.wide[2], performance),
                     of(m.two, m.front), of(m.four, m.front), of(m.two, m.total), of(m.four, m.total),
                     of(m.base, dynamic_share) }
        end
        local function clusters(m)
            return { two = m.two, four = m.four, eight = m.eight, base = m.base, wide = m.wide, speed = performance,
                     front = front_end_saved, total = saved }
        end
        local function large_ones(i)
            return { wide = { by_words[1][i], by_words[2][i] } }
        end
        return {
            { "paper", 98.5, 97.9, 91.3, 96.3, 92.7, 27.8, 37.2, 5.4, 7.5, 18 },
            row("here", clusters { two = two, four = four, eight = eight, base = base, wide = wide }),
            row("large warps are issued word by word", large_ones(1)),
            row(".. coalesced and served by shared memory word by word", large_ones(2)),
            row(".. both", large_ones(3)),
            row("caches as Table III prints them", clusters(printed)),
            row("GPGPU-Sim 3.2.2 (`gtx480-322`)", clusters(version)),
            row("I-caches of followers are lost at launches", clusters(lost)),
            row("I-caches of followers are never lost", clusters(warm)),
            row("links are low-swing wires (4.7)", { two = two, four = four, front = front_end_saved_wire, total = saved_wire }),
            row("GPUWattch's report alone", { two = two, four = four, total = saved_reported }),
            row("with all leakage", { two = two, four = four, total = saved_leaking }),
            row("GPUWattch of 3.2.1", { two = older.two, four = older.four, base = older.base, front = front_end_saved,
                                        total = saved }),
        }
    end,
}

figure {
    name = "summary", kind = "table", title = "means", unit = "%",
    columns = { "mean", "two", "four", "eight", "64-thread warps", "128-thread warps" },
    rows = function()
        local function row(label, metric, large)
            return { n = 6, label, mean(two, metric), mean(four, metric), mean(eight, metric),
                     large and mean(wide[1], metric) or nil, large and mean(wide[2], metric) or nil }
        end
        return {
            row("performance, of the baseline's", performance, true),
            { "paper", 98.5, 97.9, 91.3, 96.3, 92.7 },
            row("buddy time", buddy_time),
            row("front-end energy saved", front_end_saved),
            { n = 6, "paper", 27.8, 37.2 },
            row("energy saved", saved, true),
            { n = 6, "paper", 5.4, 7.5 },
        }
    end,
}

-- Table I, of programs with one launch: what adaptive formation made of their blocks.
figure {
    name = "table1", kind = "table", title = "adaptive formation", unit = "",
    columns = { "size", "program", "blocks", "left over", "clusters", "SMs alone", "paper's formation" },
    rows = function()
        local rows = {}
        for _, c in ipairs { { four, 4, "AES", "4,4,4,2,1,1" }, { four, 4, "SGE", "4,4,4,2,1,1" },
                             { two, 2, "AES", "2 seven times,1,1" }, { two, 2, "SGE", "2 seven times,1,1" } } do
            local r = run(c[1], c[3])
            if r then
                local grid = r.kernels[1].grid
                local blocks = grid[1] * grid[2] * grid[3]
                rows[#rows + 1] = { tostring(c[2]), c[3], blocks, blocks % c[2], r.stats.buddy_clusters,
                                    16 - r.stats.buddy_cluster_cycles / r.total.cycles, c[4] }
            end
        end
        return rows
    end,
}

figure {
    name = "fig1", kind = "stacked", title = "dynamic power of the baseline", unit = "%",
    columns = { "program", "front end", "register file", "execution", "memory unit", "network", "L2", "memory", "other" },
    plain = #all,
    rows = function()
        local rows = {}
        for i, p in ipairs(all) do
            local row, left = { p.label }, 100
            for k, part in ipairs(parts) do
                row[k + 1] = value(base, p.label, share_of(part))
                left = left - (row[k + 1] or 0)
            end
            row[#parts + 2] = left
            rows[i] = row
        end
        local row, left = { "mean" }, 100
        for k, part in ipairs(parts) do
            row[k + 1] = mean(base, share_of(part))
            left = left - row[k + 1]
        end
        row[#parts + 2] = left
        rows[#rows + 1] = row
        return rows
    end,
}

figure {
    name = "fig11", kind = "bars", title = "performance by number of SMs", unit = "times that of one",
    series = by_count, metric = speedup,
}

figure {
    name = "fig12", kind = "bars", title = "memory latency by number of SMs", unit = "times that of one",
    series = by_count, metric = function(r, b) return latency(r) / latency(b) end,
}

figure {
    name = "fig13", kind = "bars", title = "active lanes of an instruction", unit = "lanes of 32",
    series = { base }, metric = lanes, mean = "mean",
}

figure {
    name = "fig14", kind = "bars", title = "buddy time", unit = "%", series = { two, four, eight }, metric = buddy_time,
    mean = "mean",
}

local function times_apart(r)
    return r.stats.buddy_ungrouped
end

local function part_at_all(r)
    return times_apart(r) > 0
end

-- Of the programs that do, the performance of halfway regrouping: of series i.
local function halfway_of(i)
    local list = {}
    for _, p in ipairs(all) do
        if (value(halfway[i], p.label, times_apart) or 0) > 0 then
            list[#list + 1] = { p.label, value(halfway[i], p.label, performance) }
        end
    end
    return list
end

figure {
    name = "fig15", kind = "bars", title = "halfway regrouping against regrouping at the next kernel", unit = "%",
    series = halfway, metric = performance, mean = "mean", where = part_at_all, paper = { 97.6, 96.2 },
}

figure {
    name = "fig15_more", kind = "table", title = "halfway regrouping", unit = "",
    columns = { "program", "times ungrouped", "buddy time, kernel, %", "buddy time, halfway, %", "energy saved, kernel, %",
                "energy saved, halfway, %" },
    rows = function()
        local rows = {}
        for _, p in ipairs(all) do
            local l = p.label
            local n = value(halfway[2], l, times_apart)
            if n and n > 0 then
                rows[#rows + 1] = { l, n, value(four, l, buddy_time), value(halfway_base[2], l, buddy_time),
                                    value(four, l, saved), value(halfway_base[2], l, saved) }
            end
        end
        return rows
    end,
}

figure {
    name = "fig16", kind = "bars", title = "adaptive against default formation", unit = "%", series = adaptive,
    metric = performance, mean = "mean",
}

figure {
    name = "fig17", kind = "bars", title = "stalls, of the baseline's", unit = "%", series = { two, four },
    metric = stalls_ratio, mean = "mean",
}

figure {
    name = "fig18", kind = "bars", title = "memory latency, of the baseline's", unit = "%", series = { two, four },
    metric = latency_ratio, mean = "mean",
}

local five = { wide[1], wide[2], two, four, eight }

figure {
    name = "fig19", kind = "bars", title = "performance, of the baseline's", unit = "%", series = five,
    metric = performance, mean = "mean", paper = { 96.3, 92.7, 98.5, 97.9, 91.3 },
}

figure {
    name = "fig20", kind = "bars", title = "front-end energy saved", unit = "%", series = { two, four },
    metric = front_end_saved, mean = "mean", paper = { 27.8, 37.2 },
}

figure {
    name = "fig21", kind = "bars", title = "energy saved", unit = "%", series = { two, four }, metric = saved,
    mean = "mean", paper = { 5.4, 7.5 },
}

-- Of which energy?
figure {
    name = "totals", kind = "table", title = "energy saved, of three totals", unit = "%",
    columns = { "program", "two", "four", "two, GPUWattch's report", "four, GPUWattch's report", "two, with all leakage",
                "four, with all leakage", "front end, of all energy" },
    plain = #all,
    rows = function()
        local rows, of = {}, { saved, saved_reported, saved_leaking }
        local function row(label, f)
            local r = { label, n = 8 }
            for i, metric in ipairs(of) do r[2 * i], r[2 * i + 1] = f(two, metric), f(four, metric) end
            r[8] = f(base, function(x) return 100 * front_end(x) / total(x) end)
            rows[#rows + 1] = r
        end
        for _, p in ipairs(all) do row(p.label, function(x, metric) return value(x, p.label, metric) end) end
        row("mean", mean)
        return rows
    end,
}

figure {
    name = "links", kind = "table", title = "the cluster's network", unit = "%",
    columns = { "program", "network, of what is left of the front end, two", "four", "front end saved, two", "four",
                "as a wire, two", "as a wire, four" },
    plain = #all,
    rows = function()
        local rows = {}
        local function network(r) return 100 * energy_of(r.energy.mechanism) / front_end(r) end
        local of = { network, front_end_saved, front_end_saved_wire }
        local function row(label, f)
            local r = { label, n = 7 }
            for i, metric in ipairs(of) do r[2 * i], r[2 * i + 1] = f(two, metric), f(four, metric) end
            rows[#rows + 1] = r
        end
        for _, p in ipairs(all) do row(p.label, function(x, metric) return value(x, p.label, metric) end) end
        row("mean", mean)
        return rows
    end,
}

-- What a large warp does to the memory side, % of the baseline's.
figure {
    name = "wide", kind = "table", title = "64-thread warps", unit = "",
    columns = { "program", "performance, %", "accesses, %", "cycles of shared memory, %", "L1D hits, baseline, %",
                "L1D hits, %", "DRAM activates, %", "waits for the load/store unit, baseline, %",
                "waits for the load/store unit, %" },
    rows = function()
        local rows = {}
        local function of(name)
            return function(r, b)
                if b.stats[name] > 0 then return 100 * r.stats[name] / b.stats[name] end
            end
        end
        local function hits(r)
            if r.stats.l1d_access > 0 then return 100 * (1 - r.stats.l1d_miss / r.stats.l1d_access) end
        end
        local function lsu(r)
            return 100 * (r.stalls.lsu or 0) / r.stalls.scheduler_cycles
        end
        for i, p in ipairs(all) do
            local l, w = p.label, wide[1]
            rows[i] = { n = 9, l, value(w, l, performance), value(w, l, of "mem_accesses"), value(w, l, of "shared_cycles"),
                        value(base, l, hits), value(w, l, hits), value(w, l, of "dram_act"), value(base, l, lsu),
                        value(w, l, lsu) }
        end
        return rows
    end,
}

figure {
    name = "wide_ways", kind = "table", title = "large warps, issued and served word by word", unit = "%",
    columns = { "program", "64", "64, issue", "64, memory", "64, both", "128", "128, issue", "128, memory", "128, both" },
    plain = #all,
    rows = function()
        local rows, series = {}, {}
        for k = 1, 2 do
            series[#series + 1] = wide[k]
            for i = 1, #ways do series[#series + 1] = by_words[k][i] end
        end
        local means, lose = { "mean" }, { "programs that lose" }
        for c, x in ipairs(series) do
            means[c + 1] = mean(x, performance)
            lose[c + 1] = count(x, function(r, b) return performance(r, b) < 100 end)
        end
        for i, p in ipairs(all) do
            rows[i] = { p.label, n = #series + 1 }
            for c, x in ipairs(series) do rows[i][c + 1] = value(x, p.label, performance) end
        end
        rows[#rows + 1], rows[#rows + 2] = means, lose
        return rows
    end,
}

-- RD launches a hundred blocks one by one.
local function but_rd(metric)
    return function(r, b, p)
        if p.label ~= "RD" then return metric(r, b, p) end
    end
end

number("wide_gain", function() return mean(wide[1], performance) - 100 end)
number("wide_gain_128", function() return mean(wide[2], performance) - 100 end)
number("front_of_energy", function() return mean(base, function(r) return 100 * front_end(r) / total(r) end) end)
number("saved_two_but_rd", function() return mean(two, but_rd(saved)) end)
number("saved_four_but_rd", function() return mean(four, but_rd(saved)) end)
number("four_but_rd", function() return mean(four, but_rd(performance)) end)
number("wires", function()
    return mean(four, function(r) return 100 * energy_of(r.energy.mechanism) / front_end(r) end)
end)
number("misses", function() return value(four, "RD", function(r, b) return r.stats.l1i_miss / b.stats.l1i_miss end) end)

-- ---- targets

local function ours(series, metric)
    return function() return mean(series, metric) end
end

local papers = { { "64-thread warps", wide[1], 96.3 }, { "128-thread warps", wide[2], 92.7 }, { "two", two, 98.5 },
                 { "four", four, 97.9 }, { "eight", eight, 91.3 } }
for _, t in ipairs(papers) do
    target { where = "6.5", what = "performance, " .. t[1], unit = "%", paper = t[3], ours = ours(t[2], performance),
             within = 3 }
end
for i, t in ipairs { { "two", 97.6 }, { "four", 96.2 } } do
    target { where = "6.2", what = "halfway against kernel, " .. t[1], unit = "%", paper = t[2],
             ours = function()
                 local v = {}
                 for k, pair in ipairs(halfway_of(i)) do v[k] = pair[2] end
                 return mean(v)
             end, within = 3 }
end
target { where = "6.6", what = "front-end energy saved, two", unit = "%", paper = 27.8, ours = ours(two, front_end_saved),
         within = 5 }
target { where = "6.6", what = "front-end energy saved, four", unit = "%", paper = 37.2, ours = ours(four, front_end_saved),
         within = 5 }
target { where = "6.7", what = "energy saved, two", unit = "%", paper = 5.4, ours = ours(two, saved), within = 2 }
target { where = "6.7", what = "energy saved, four", unit = "%", paper = 7.5, ours = ours(four, saved), within = 2 }
target { where = "1", what = "front end, of dynamic power", unit = "%", paper = 18, ours = ours(base, share_of(parts[1])),
         within = 3 }

-- ---- claims

local function says(where, what, check)
    claim { where = where, text = what, check = check }
end

local function list(names, f)
    local ok, said = true, {}
    for _, l in ipairs(names) do
        local v = f(l)
        if v ~= nil then
            ok = ok and v[1]
            said[#said + 1] = l .. " " .. v[2]
        end
    end
    if #said > 0 then return ok, table.concat(said, ", ") end
end

local function each(names, series, metric, holds, form)
    return function()
        return list(names, function(l)
            local v = value(series, l, metric)
            if v then return { holds(v), format(form, v) } end
        end)
    end
end

says("5.2", "BO, CP, AES and PF keep gaining with more SMs", function()
    return list({ "BO", "CP", "AES", "PF" }, function(l)
        local v = {}
        for i = 1, 5 do v[i] = value(by_count[i], l, speedup) end
        if v[5] then return { v[2] > v[1] and v[3] > v[2] and v[4] > v[3] and v[5] > v[4], format("%.1f", v[5]) } end
    end)
end)
says("5.2", "BFS varies very little with the number of SMs", each({ "BFS" }, by_count[5], speedup,
    function(v) return v < 2 end, "%.2f"))
says("5.2", "latency of BS, SQ, TP and SC increases significantly", each({ "BS", "SQ", "TP", "SC" }, by_count[5],
    function(r, b) return latency(r) / latency(b) end, function(v) return v > 1.5 end, "%.2f"))
says("5.2", "BFS, MS and HG are irregular: fewer lanes than the mean", function()
    local m = mean(base, lanes)
    return each({ "BFS", "MS", "HG" }, base, lanes, function(v) return v < m end, "%.1f")()
end)
says("6.1", "BFS, MS and HG have less than 100 % buddy time", each({ "BFS", "MS", "HG" }, four, buddy_time,
    function(v) return v < 99.99 end, "%.1f"))
says("6.1", "many have 100 %", function()
    local n = count(four, function(r) return buddy_time(r) > 99.99 end)
    return n > #all / 2, format("%d of %d", n, #all)
end)
says("6.2", "the new kernel strategy outperforms halfway", function()
    local list, worse = halfway_of(2), 0
    for _, pair in ipairs(list) do worse = worse + (pair[2] < 100 and 1 or 0) end
    if #list > 0 then return worse == #list, format("%d of %d", worse, #list) end
end)
says("6.2", "PF and BFS have the lowest performance halfway", function()
    local v, low = halfway_of(2), 0
    table.sort(v, function(a, b) return a[2] < b[2] end)
    if #v < 2 then return end
    for i = 1, 2 do low = low + ((v[i][1] == "PF" or v[i][1] == "BFS") and 1 or 0) end
    return low == 2, format("lowest: %s %.1f, %s %.1f", v[1][1], v[1][2], v[2][1], v[2][2])
end)
says("6.2", "halfway improves the buddy time of some", function()
    local n = 0
    for _, p in ipairs(all) do
        local a, b = value(halfway_base[2], p.label, buddy_time), value(four, p.label, buddy_time)
        n = n + (a and b and a > b + 0.01 and 1 or 0)
    end
    return n > 0, format("%d", n)
end)
says("6.2", "halfway does not save more energy", function()
    local a, b = mean(halfway_base[2], saved), mean(four, saved)
    if a and b then return a <= b, format("%.2f and %.2f %%", a, b) end
end)
local uneven = { "AES", "HG", "PF", "SAD", "SGE" }
for i, name in ipairs { "two", "four" } do
    says("6.3", "adaptive formation gains for AES, HG, PF, SAD and SGE, " .. name, each(uneven, adaptive[i], performance,
        function(v) return v > 100 end, "%.1f"))
    says("6.3", "and is the same for all others, " .. name, function()
        local other, n = {}, 0
        for _, p in ipairs(all) do
            local v, is = value(adaptive[i], p.label, performance), false
            for _, l in ipairs(uneven) do is = is or l == p.label end
            if v and not is then
                n = n + 1
                if math.abs(v - 100) > 0.1 then other[#other + 1] = format("%s %.1f", p.label, v) end
            end
        end
        if n > 0 then return #other == 0, #other == 0 and "all" or table.concat(other, ", ") end
    end)
end
says("6.4", "most suffer only a minor increase of stalls", function()
    local n = count(four, function(r, b) return stalls_ratio(r, b) < 110 end)
    return n > #all / 2, format("%d of %d below 110 %%", n, #all)
end)
says("6.4", "stalls increase with the size", function()
    local a, b = mean(two, stalls_ratio), mean(four, stalls_ratio)
    if a and b then return b > a, format("%.1f and %.1f %%", a, b) end
end)
says("6.4", "HG and SQ have fewer", each({ "HG", "SQ" }, four, stalls_ratio, function(v) return v < 100 end, "%.1f"))
says("6.4", "latency increases for half and decreases for the rest", function()
    local n = count(four, function(r, b) return latency_ratio(r, b) > 100 end)
    return n >= #all / 3 and n <= 2 * #all / 3, format("%d of %d increase", n, #all)
end)
says("6.4", "DH has a significant increase of latency", each({ "DH" }, four, latency_ratio,
    function(v) return v > 105 end, "%.1f"))
says("6.4", "SQ an obvious reduction", each({ "SQ" }, four, latency_ratio, function(v) return v < 95 end, "%.1f"))
says("6.5", "two and four are above the large warp of their width", function()
    local w64, w128, a, b = mean(wide[1], performance), mean(wide[2], performance), mean(two, performance), mean(four, performance)
    if a and b then return a > w64 and b > w128, format("%.1f and %.1f, %.1f and %.1f", a, w64, b, w128) end
end)
says("6.5", "performance falls with the size", function()
    local a, b, c = mean(two, performance), mean(four, performance), mean(eight, performance)
    if a and b and c then return a > b and b > c, format("%.1f, %.1f, %.1f", a, b, c) end
end)
says("6.5", "most lose with large warps", function()
    local n = count(wide[2], function(r, b) return performance(r, b) < 100 end)
    return n > #all / 2, format("%d of %d, 128 threads", n, #all)
end)
says("6.6", "all save front-end energy", function()
    local a, b = least(two, front_end_saved), least(four, front_end_saved)
    if a and b then return a > 0 and b > 0, format("least %.1f and %.1f %%", a, b) end
end)
says("6.6", "four saves more front-end energy than two", function()
    local a, b = mean(two, front_end_saved), mean(four, front_end_saved)
    if a and b then return b > a, format("%.1f and %.1f %%", a, b) end
end)
says("6.6", "SQ saves most front-end energy", function()
    local v = value(four, "SQ", front_end_saved)
    if v then return v >= most(four, front_end_saved), format("SQ %.1f, most %.1f %%", v, most(four, front_end_saved)) end
end)
says("6.6", "BFS and TP save least", function()
    local low = {}
    for _, p in ipairs(all) do low[#low + 1] = { p.label, value(four, p.label, front_end_saved) } end
    table.sort(low, function(a, b) return a[2] < b[2] end)
    if not value(four, "BFS", front_end_saved) or not value(four, "TP", front_end_saved) then return end
    local ok = (low[1][1] == "BFS" or low[1][1] == "TP") and (low[2][1] == "BFS" or low[2][1] == "TP")
    return ok, format("%s %.1f, %s %.1f", low[1][1], low[1][2], low[2][1], low[2][2])
end)
says("6.6", "SC saves more front-end energy with two than with four", function()
    local a, b = value(two, "SC", front_end_saved), value(four, "SC", front_end_saved)
    if a and b then return a > b, format("%.1f and %.1f %%", a, b) end
end)
says("6.7", "four saves more energy than two for all but SC", function()
    local less = {}
    for _, p in ipairs(all) do
        local a, b = value(two, p.label, saved), value(four, p.label, saved)
        if a and b and b <= a then less[#less + 1] = p.label end
    end
    return #less == 1 and less[1] == "SC", #less == 0 and "for all" or "not for " .. table.concat(less, ", ")
end)
says("6.7", "SQ saves the highest share", function()
    local v = value(four, "SQ", saved)
    if v then return v >= most(four, saved), format("SQ %.1f, most %.1f %%", v, most(four, saved)) end
end)
says("6.7", "five save more than 10 %", function()
    local n = count(four, function(r, b) return saved(r, b) > 10 end)
    return n >= 4 and n <= 6, format("%d", n)
end)

figure {
    name = "claims", kind = "table", title = "what the text says", unit = "",
    columns = { "section", "claim", "here", "met" }, rows = claims,
}

-- ---- what it leaves open, and causes: every third program

if whole then
    local plain = machine("baseline", nil, nil, third)

    local function row(label, keys)
        return { label, buddy("buddy", keys, plain, third) }
    end

    local readings = {
        row("as configured, four", "size=4"),
        row("only paths are compared: `compare=paths`", "size=4,compare=paths"),
        row("no communicate stage: `communicate=0`", "size=4,communicate=0"),
        row("two of them: `communicate=2`", "size=4,communicate=2"),
        row("acknowledgements at once: `ack=0`", "size=4,ack=0"),
        row("in four cycles: `ack=4`", "size=4,ack=4"),
        row("links are wires: `link_energy=wire`", "size=4,link_energy=wire"),
        row("distance of the large network 8 mm: `icnt_mm=8`", "size=4,icnt_mm=8"),
        row("16 mm: `icnt_mm=16`", "size=4,icnt_mm=16"),
        row("front ends on at once: `wake=1`", "size=4,wake=1"),
        row("in 100 cycles: `wake=100`", "size=4,wake=100"),
    }
    figure {
        name = "open_keys", kind = "table", title = "what the paper leaves open", unit = "",
        columns = { "reading", "performance, %", "buddy time, %", "front-end energy saved, %", "energy saved, %" },
        rows = function()
            local rows = {}
            for i, o in ipairs(readings) do
                rows[i] = { o[1], mean(o[2], performance), mean(o[2], buddy_time), mean(o[2], front_end_saved),
                            mean(o[2], saved) }
            end
            return rows
        end,
    }

    -- Each machine or compiler, with four and with large warps.
    local causes = {
        { "as configured" },
        { "code that is lowered: `front.lower=on`", "front.lower=on" },
        { "no I-cache misses: `sm.perfect_icache=on`", "sm.perfect_icache=on" },
        { "loose round robin: `sm.scheduler=lrr`", "sm.scheduler=lrr" },
        { "L1D of 32 KB: `l1d.sets=64`", "l1d.sets=64" },
        { "I-cache of 4 KB: `l1i.sets=8`", "l1i.sets=8" },
        { "texture cache of 4 KB, four ways: `l1t.sets=8 l1t.ways=4`", { "l1t.sets=8", "l1t.ways=4" } },
        { "GPUWattch of 3.2.1: `power.table=fermi40-321`", "power.table=fermi40-321" },
        { "no pipeline registers are the front end's, as in GPUWattch's report: `power.pipe_front_share=0`",
          "power.pipe_front_share=0" },
        { "a quarter, as in McPAT's fetch unit: `power.pipe_front_share=0.25`", "power.pipe_front_share=0.25" },
        { "all pipeline registers are the front end's: `power.pipe_front_share=1`", "power.pipe_front_share=1" },
    }
    for _, c in ipairs(causes) do
        c.base = machine("baseline", c[2], nil, third)
        c.four = buddy("four", "size=4", c.base, third, c[2])
        local keys = { "sm.warp_words=4" }
        for _, k in ipairs(type(c[2]) == "table" and c[2] or { c[2] }) do keys[#keys + 1] = k end
        c.wide = machine("128", keys, c.base, third)
    end
    local narrow = {
        { "64-thread warps", "sm.warp_words=2" },
        { "and one scheduler: `sm.schedulers=1`", { "sm.warp_words=2", "sm.schedulers=1" } },
        { "and half the register banks: `sm.banks=8`", { "sm.warp_words=2", "sm.banks=8" } },
        { "and 16 lanes: `sm.simd_width=16`", { "sm.warp_words=2", "sm.simd_width=16" } },
    }
    for _, c in ipairs(narrow) do c.runs = machine(c[1], c[2], plain, third) end
    figure {
        name = "wide_causes", kind = "table", title = "64-thread warps with less", unit = "",
        columns = { "with", "performance, %" },
        rows = function()
            local rows = {}
            for i, c in ipairs(narrow) do rows[i] = { c[1], mean(c.runs, performance) } end
            return rows
        end,
    }

    number("wide_third", function() return mean(narrow[1].runs, performance) end)
    number("wide_one_scheduler", function() return mean(narrow[2].runs, performance) end)
    number("wide_half_lanes", function() return mean(narrow[4].runs, performance) end)

    local bfs = {}
    for _, p in ipairs(all) do
        if p.label == "BFS" then bfs[#bfs + 1] = p end
    end
    local paths = buddy("paths", "size=4,compare=paths", nil, bfs)
    number("bfs_masks", function() return value(four, "BFS", buddy_time) end)
    number("bfs_paths", function() return value(paths, "BFS", buddy_time) end)

    -- Programs of many short kernels: what cold I-caches cost them.
    local short = {}
    for _, p in ipairs(all) do
        if p.label == "RD" or p.label == "MS" or p.label == "BFS" or p.label == "DH" then short[#short + 1] = p end
    end
    local perfect = machine("baseline", "sm.perfect_icache=on", nil, short)
    local perfect_four = buddy("four", "size=4", perfect, short, "sm.perfect_icache=on")
    figure {
        name = "cold", kind = "table", title = "programs of short kernels", unit = "%",
        columns = { "program", "four", "four, lost at launches", "four, never lost", "four, default formation",
                    "four, no I-cache misses" },
        rows = function()
            local rows = {}
            for i, p in ipairs(short) do
                rows[i] = { p.label, value(four, p.label, performance), value(lost.four, p.label, performance),
                            value(warm.four, p.label, performance), value(by_default[2], p.label, performance),
                            value(perfect_four, p.label, performance) }
            end
            return rows
        end,
    }

    number("saved_as_configured", function() return mean(causes[1].four, saved) end)
    number("share_all_registers", function() return mean(causes[#causes].base, share_of(parts[1])) end)
    number("saved_all_registers", function() return mean(causes[#causes].four, saved) end)

    figure {
        name = "causes", kind = "table", title = "machine and compiler", unit = "",
        columns = { "with", "four, %", "128-thread warps, %", "front-end energy saved, %", "energy saved, %",
                    "front end, % of dynamic power" },
        rows = function()
            local rows = {}
            for i, c in ipairs(causes) do
                rows[i] = { c[1], mean(c.four, performance), mean(c.wide, performance), mean(c.four, front_end_saved),
                            mean(c.four, saved), mean(c.base, share_of(parts[1])) }
            end
            return rows
        end,
    }
end
