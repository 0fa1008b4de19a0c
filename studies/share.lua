-- share.lua -- the figures of "Efficient GPGPU Computing with Cross-Core Resource Sharing", by
-- Dhar and Chen (" .. and Core Reconfiguration").  Its page is docs/papers/share.md.
--
-- A row is a kernel of Table I: all its launches together.  Section VI-C: results are "normalized to
-- the baseline configuration", "the power data shown includes the static power", "energy is computed as
-- the power-delay-product".  The work of a kernel is the same in every scheme, so its IPC, thread
-- instructions a cycle of the whole GPU, is in proportion to its speed.  Means are arithmetic, over all
-- kernels ("across all kernels"), unless the text leaves some out.
--
-- What the paper leaves open and the causes of distances are made at default sizes only, with some of
-- the kernels.

study {
    name = "share",
    title = "Cross-core resource sharing",
    doc = "figures 2, 3, 6 and 7, the best scheme for each kernel, its claims, what it leaves open, causes",
}

local whole = not (options.quick or options.large)
local size = options.quick and "small" or options.large and "large" or nil

-- BFSP's kernel is not launched at --quick: no level of the small graph is too large for one block.
local kernels = set("share33", { thin = options.quick and 4 or 1, size = size })

-- ---- runs

local PERIOD = 2000 -- cycles of a sample; open

local base = runs { programs = kernels, gpu = "share", label = "base", sample = PERIOD }

local function scheme(name, keys, of, programs)
    return runs {
        programs = programs or kernels, gpu = "share", base = of or base, label = name,
        mech = "share:scheme=" .. name .. (keys or ""),
    }
end

local half, occ, bal = scheme "half", scheme "occ", scheme "bal"
local bigsm, bigsm_occ = scheme "bigsm", scheme "bigsm_occ"
local schemes = { occ, bal, bigsm, bigsm_occ }
local names = { "occ", "bal", "bigsm", "bigsm_occ" }

-- ---- what is measured

-- BFSP's program asks how many SMs there are, and launches that kernel for levels of the graph that
-- have more blocks.  Levels of 7 to 12 are another kernel's on the baseline; those that are this one's
-- in all schemes count.
local function counted(r, program)
    if not program or program.label ~= "BFSP" then
        return r.total
    end
    local t = { cycles = 0, thread_insts = 0, energy_j = 0 }
    for _, launch in ipairs(r.kernels) do
        if launch.grid[1] > 12 then
            for name, v in pairs(t) do
                t[name] = v + launch[name]
            end
        end
    end
    return t
end

local function ipc(r, _, program)
    local t = counted(r, program)
    return t.thread_insts / t.cycles
end

-- Of the baseline's.
local function speed(r, b, program)
    return ipc(r, nil, program) / ipc(b, nil, program)
end

local function energy(r, b, program)
    return counted(r, program).energy_j / counted(b, program).energy_j
end

local function power(r, b, program)
    return energy(r, b, program) * counted(b, program).cycles / counted(r, program).cycles
end

local function energy_delay(r, b, program)
    return energy(r, b, program) * counted(r, program).cycles / counted(b, program).cycles
end

local function in_percent(metric)
    return function(r, b, program)
        return 100 * (metric(r, b, program) - 1)
    end
end

local function saved(r, b, program)
    return 100 * (1 - energy(r, b, program))
end

-- Kernels that section VI-C names.
local slow_ones = { "BFSP", "MRI2", "GAUS1", "KM2" }
local compute = { "CUTCP", "MRI1", "SGEMM", "BP2", "HS", "KM1", "PATH", "SRAD5" }

-- The values of these kernels; nothing if one has none.
local function of_labels(series, labels, metric)
    local list = {}
    for i, label in ipairs(labels) do
        list[i] = value(series, label, metric)
        if not list[i] then return nil end
    end
    return list
end

-- ---- Fig. 2: the baseline over time

-- "IPC greater than 50 % of the theoretical peak": 32 lanes of each SM, as the paper's table has them.
local PEAK = 12 * 32

local function above(share, of, peak)
    return count(of or base, function(r, _, program) return ipc(r, nil, program) > share * (peak or PEAK) end)
end

figure {
    name = "fig2a", kind = "bars", title = "IPC of the baseline", unit = "thread instructions a cycle",
    series = { base }, metric = ipc, first = "kernel",
}

-- Quartiles of what `of` says of each sample of a kernel's launches.
local function over_time(name, title, unit, of)
    figure {
        name = name, kind = "box", title = title, unit = unit,
        columns = { "kernel", "least", "q1", "median", "q3", "most" },
        rows = function()
            local rows = {}
            for _, k in ipairs(kernels) do
                local r, list = run(base, k.label), {}
                for _, launch in ipairs(r and r.kernels or {}) do
                    for _, sample in ipairs(launch.samples) do
                        table.insert(list, of(sample))
                    end
                end
                if #list > 0 then
                    table.insert(rows, { k.label, table.unpack(quartiles(list)) })
                end
            end
            return rows
        end,
    }
end

-- "The ratio of committed number of instructions to the maximum peak of committed instructions".
over_time("fig2b", "duty cycle of the pipelines over time", "% of issue slots", function(s)
    return 100 * s.stalls.issued / s.stalls.scheduler_cycles
end)
over_time("fig2c", "power over time", "W", function(s) return s.power_w end)

-- ---- Figs 3, 6 and 7

figure {
    name = "fig3", kind = "bars", title = "half of the SMs, nothing lent", unit = "of the baseline",
    columns = { "kernel", "IPC", "power" }, plain = #kernels,
    rows = function()
        local rows = {}
        for i, k in ipairs(kernels) do
            rows[i] = { k.label, value(half, k.label, speed), value(half, k.label, power) }
        end
        table.insert(rows, { "mean", mean(half, speed), mean(half, power) })
        return rows
    end,
}

local paper_ipc = { 0.85, 0.91, 1.058, 1.086 }

for _, f in ipairs {
    { "fig6a", "IPC of each scheme", speed, paper_ipc },
    { "fig6b", "power of each scheme", power },
    { "fig6c", "energy of each scheme", energy },
} do
    local name, title, metric, paper = table.unpack(f)
    figure {
        name = name, kind = "bars", title = title, unit = "of the baseline", series = schemes,
        metric = metric, mean = "mean", paper = paper, first = "kernel",
    }
end

figure {
    name = "fig7", kind = "bars", title = "bigsm_occ against bigsm", unit = "of bigsm",
    columns = { "kernel", "IPC", "energy" }, plain = #kernels,
    rows = function()
        local rows, speeds, energies = {}, {}, {}
        for i, k in ipairs(kernels) do
            local s = value(bigsm_occ, k.label, speed)
            local e = value(bigsm_occ, k.label, energy)
            local s0, e0 = value(bigsm, k.label, speed), value(bigsm, k.label, energy)
            speeds[i], energies[i] = s and s0 and s / s0, e and e0 and e / e0
            rows[i] = { k.label, speeds[i], energies[i] }
        end
        speeds.n, energies.n = #kernels, #kernels
        table.insert(rows, { "mean", mean(speeds), mean(energies) })
        return rows
    end,
}

-- ---- the means, in %

-- "Kernels that do not degrade severely": of occ and bal those that lose less than a tenth; open.
local function if_not_slow(metric, limit)
    return function(r, b, program)
        return speed(r, b, program) > (limit or 0.9) and metric(r, b, program) or nil
    end
end

local function but_for_bfsr2(r, b, program)
    return program.label ~= "BFSR2" and 100 * (speed(r, b, program) - 1) or nil
end

local five = { half, occ, bal, bigsm, bigsm_occ }

local function row_of(label, list, metric, average)
    local row = { label }
    for i, series in ipairs(list) do
        row[i + 1] = (average or mean)(series, metric)
    end
    row.n = #list + 1
    return row
end

figure {
    name = "summary", kind = "table", title = "means", unit = "%",
    columns = { "mean", "half", "occ", "bal", "bigsm", "bigsm_occ" },
    rows = function()
        return {
            row_of("IPC against the baseline", five, in_percent(speed)),
            { "paper, IPC", nil, -15, -9, 5.8, 8.6, n = 6 },
            row_of("most IPC gained, but for BFSR2", five, but_for_bfsr2, most),
            { "paper, most IPC gained", nil, nil, nil, 54, 57, n = 6 },
            row_of("power against the baseline", five, in_percent(power)),
            row_of("energy saved", five, saved),
            { "paper, energy saved", nil, nil, nil, 26, nil, n = 6 },
            row_of("energy saved, kernels that lose less than a tenth", five, if_not_slow(saved)),
            { "paper, those that do not degrade severely", nil, 20, 14, nil, nil, n = 6 },
            row_of("most energy saved", five, saved, most),
            { "paper, most energy saved", nil, 57.5, 27.5, 54, nil, n = 6 },
        }
    end,
}

figure {
    name = "not_slow", kind = "table", title = "energy saved by kernels that do not degrade severely",
    unit = "%", columns = { "kernels that lose less than", "occ", "of them", "bal", "of them" },
    rows = function()
        local rows = {}
        for i, limit in ipairs { 0.95, 0.9, 0.8, 0 } do
            local metric = if_not_slow(saved, limit)
            rows[i] = { limit > 0 and string.format("%.0f %%", 100 * (1 - limit)) or "any" }
            for k, series in ipairs { occ, bal } do
                rows[i][2 * k] = mean(series, metric)
                rows[i][2 * k + 1] = count(series, function(...) return metric(...) ~= nil end)
            end
        end
        return rows
    end,
}

-- ---- what a GPU holds, and how its kernels are bound

-- CTAs of the largest launch, and how many the whole GPU has at once.
local function largest(r)
    local n = 0
    for _, launch in ipairs(r.kernels) do
        n = math.max(n, launch.grid[1] * launch.grid[2] * launch.grid[3])
    end
    return n
end

local function holds(sms)
    return function(r) return sms * r.kernels[1].ctas_per_sm end
end

figure {
    name = "fill", kind = "table", unit = "CTAs",
    title = "CTAs of a kernel's largest launch, and those that the GPU has at once",
    columns = { "kernel", "launch", "base", "occ", "bal", "bigsm", "bigsm_occ" },
    rows = function()
        local rows, sms = {}, { 12, 6, 8, 6, 6 }
        for i, k in ipairs(kernels) do
            rows[i] = { k.label, value(base, k.label, largest), n = 7 }
            for s, series in ipairs { base, occ, bal, bigsm, bigsm_occ } do
                rows[i][s + 2] = value(series, k.label, holds(sms[s]))
            end
        end
        return rows
    end,
}

local function among(labels)
    local is = {}
    for _, label in ipairs(labels) do is[label] = true end
    return function(_, _, program) return is[program.label] end
end

local function dram_bound(_, b) return b.stats.dram_utilization > 0.5 end
local function few_ctas(_, b) return largest(b) < 2 * holds(12)(b) end

local groups = {
    { "all", function() return true end },
    { "compute bound, as the text has it: " .. table.concat(compute, " "), among(compute) },
    { "DRAM busy for more than half of the time", dram_bound },
    { "fewer CTAs than two for each that the GPU holds", few_ctas },
    { "neither of the last two", function(...) return not dram_bound(...) and not few_ctas(...) end },
}

figure {
    name = "groups", kind = "table", title = "IPC against the baseline, by what binds a kernel", unit = "%",
    columns = { "kernels", "of them", "half", "occ", "bal", "bigsm", "bigsm_occ" },
    rows = function()
        local rows = {}
        for i, group in ipairs(groups) do
            local within = group[2]
            local row = row_of("", five, function(r, b, program)
                return within(r, b, program) and 100 * (speed(r, b, program) - 1) or nil
            end)
            rows[i] = { group[1], count(occ, function(...) return within(...) and true or false end),
                        table.unpack(row, 2, 6) }
        end
        return rows
    end,
}

-- ---- section VII: SGEMM in GFLOPS/W; an fma is two operations

local function gflops_per_watt(r)
    return 2 * r.stats.op_fp / r.total.energy_j / 1e9
end

local function gflops(r)
    return 2 * r.stats.op_fp / (r.total.cycles / 0.7) -- at 700 MHz a cycle is 1 / 0.7 ns
end

local function watts(r)
    return r.total.power_w
end

-- Its energy if the SMs that are not active, as many as are, leaked what Table III calls
-- undifferentiated.
local function not_gated(r)
    return 1 + r.energy.core_other.static_j / r.total.energy_j
end

figure {
    name = "sgemm", kind = "table", title = "SGEMM", unit = "", marks = 1,
    columns = { "scheme", "GFLOPS", "W", "GFLOPS/W", "paper GFLOPS/W" },
    rows = function()
        local rows, paper = {}, { [1] = 1.76, [5] = 2.2 }
        for i, series in ipairs { base, table.unpack(five) } do
            rows[i] = { series.label, value(series, "SGEMM", gflops), value(series, "SGEMM", watts),
                        value(series, "SGEMM", gflops_per_watt), paper[i], n = 5 }
        end
        rows[7] = { "bigsm, were what is undifferentiated not gated", value(bigsm, "SGEMM", gflops),
                    value(bigsm, "SGEMM", function(r) return watts(r) * not_gated(r) end),
                    value(bigsm, "SGEMM", function(r) return gflops_per_watt(r) / not_gated(r) end),
                    nil, n = 5 }
        return rows
    end,
}

-- ---- section VI-A: wiring and boundary buffers

local function area(part)
    return function(r) return r.area[part] end
end

figure {
    name = "area", kind = "table", title = "area of the wiring", unit = "",
    columns = { "what", "here", "paper" },
    rows = function()
        local wiring, whole = mean(occ, area "share"), mean(occ, area "total")
        return {
            { "of a pair of SMs, mm2", wiring and wiring / 6, 4.71 },
            { "of 12 SMs, mm2", wiring, nil, n = 3 },
            { "the same, % of the rest of this chip", wiring and 100 * wiring / (whole - wiring), nil,
              n = 3 },
            { "of 16 SMs, % of a GTX 580 of 520 mm2", wiring and 100 * wiring / 12 * 16 / 520, 7.24 },
        }
    end,
}

-- ---- the best scheme for each kernel

local all = { base, half, occ, bal, bigsm, bigsm_occ }
local all_names = { "base", "half", "occ", "bal", "bigsm", "bigsm_occ" }

-- The scheme with the least cost; `allowed(speed)` may forbid one.
local function best(label, cost, allowed)
    local found, least_cost = "base", nil
    for i, series in ipairs(all) do
        local s = i == 1 and 1 or value(series, label, speed)
        local c = i == 1 and 1 or value(series, label, cost)
        if s and c and (not allowed or allowed(s)) and (not least_cost or c < least_cost) then
            found, least_cost = all_names[i], c
        end
    end
    return found
end

local goals = {
    { "best_energy", "energy", energy },
    { "best_energy_delay", "energy x delay", energy_delay },
    { "best_ipc", "IPC", function(r, b, program) return 1 / speed(r, b, program) end },
    { "best_energy_5", "energy, at most 5 % of IPC lost", energy, function(s) return s >= 0.95 end },
}

figure {
    name = "best", kind = "table", title = "the best scheme for each kernel", unit = "",
    columns = { "kernel", goals[1][2], goals[2][2], goals[3][2], goals[4][2] },
    rows = function()
        local rows = {}
        for i, k in ipairs(kernels) do
            rows[i] = { k.label }
            for g, goal in ipairs(goals) do
                rows[i][g + 1] = best(k.label, goal[3], goal[4])
            end
        end
        return rows
    end,
}

-- Tables for -m share:scheme=table:FILE.
for _, goal in ipairs(goals) do
    text {
        name = goal[1],
        lines = function()
            local lines = { "# " .. goal[2] .. "; made by studies/share.lua" }
            for _, k in ipairs(kernels) do
                table.insert(lines, k.kernel .. " " .. best(k.label, goal[3], goal[4]))
            end
            return lines
        end,
    }
end

-- An instruction of 64 lanes takes as much for pipeline registers as one of 32 (docs/MODEL.md): what
-- bigsm would save if those behind the front end, half of them, counted twice.
number("saved_wide_pipes", function()
    return mean(bigsm, function(r, b, program)
        local more = 0.5 * r.energy.pipeline.dynamic_j / r.total.energy_j
        return 100 * (1 - energy(r, b, program) * (1 + more))
    end)
end)

-- ---- targets

local function ours(series, metric)
    return function() return mean(series, metric) end
end

for i, paper in ipairs { -15, -9, 5.8, 8.6 } do
    target {
        where = "VI-C", what = "IPC against the baseline, " .. names[i], unit = "%", paper = paper,
        ours = ours(schemes[i], in_percent(speed)), within = 5,
    }
end
order {
    where = "VI-C", what = "IPC by scheme", labels = names, paper = { -15, -9, 5.8, 8.6 },
    ours = function()
        local list = {}
        for i, series in ipairs(schemes) do list[i] = mean(series, speed) end
        return list
    end,
}
target { where = "VI-C1", what = "energy saved, occ, kernels that do not degrade", unit = "%", paper = 20,
         ours = ours(occ, if_not_slow(saved)), within = 5 }
target { where = "VI-C1", what = "energy saved, bal, kernels that do not degrade", unit = "%", paper = 14,
         ours = ours(bal, if_not_slow(saved)), within = 5 }
target { where = "VI-C2", what = "energy saved, bigsm", unit = "%", paper = 26,
         ours = ours(bigsm, saved), within = 5 }
target { where = "VI-C1", what = "most energy saved, occ", unit = "%", paper = 57.5,
         ours = function() return most(occ, saved) end, within = 10 }
target { where = "VI-C1", what = "most energy saved, bal", unit = "%", paper = 27.5,
         ours = function() return most(bal, saved) end, within = 10 }
target { where = "VI-C2", what = "most energy saved, bigsm", unit = "%", paper = 54,
         ours = function() return most(bigsm, saved) end, within = 10 }
target { where = "VI-C2", what = "most IPC gained, bigsm, but for BFSR2", unit = "%", paper = 54,
         ours = function() return most(bigsm, but_for_bfsr2) end, within = 10 }
target { where = "VI-C2", what = "most IPC gained, bigsm_occ, but for BFSR2", unit = "%", paper = 57,
         ours = function() return most(bigsm_occ, but_for_bfsr2) end, within = 10 }

for _, t in ipairs { { "baseline", base, 1.76 }, { "bigsm", bigsm, 2.2 } } do
    target { where = "VII", what = "SGEMM, " .. t[1], unit = "GFLOPS/W", paper = t[3], percent = 20,
             ours = function() return value(t[2], "SGEMM", gflops_per_watt) end }
end
target { where = "VII", what = "SGEMM, GFLOPS/W gained on bigsm", unit = "%", paper = 26, within = 10,
         ours = function()
             local b, s = value(base, "SGEMM", gflops_per_watt), value(bigsm, "SGEMM", gflops_per_watt)
             return b and s and 100 * (s / b - 1)
         end }

-- ---- claims

local format = string.format

local function says(where, what, check)
    claim { where = where, text = what, check = check }
end

says("III", "10 of 33 kernels have more than 50 % of the peak IPC, 17 more than 25 %", function()
    local n50, n25 = above(0.5), above(0.25)
    return #kernels == 33 and n50 == 10 and n25 == 17, format("%d and %d", n50, n25)
end)
says("IV", "several kernels keep their IPC on half of the SMs (lose less than 5 %)", function()
    local n = count(half, function(r, b, program) return speed(r, b, program) > 0.95 end)
    return n > 2, format("%d", n)
end)
says("IV", "these have a poor IPC on the baseline (below 25 % of the peak)", function()
    local n = count(half, function(r, b, program)
        return speed(r, b, program) > 0.95 and ipc(b, nil, program) > PEAK / 4
    end)
    return n == 0, format("%d with more", n)
end)
for _, label in ipairs(slow_ones) do
    says("VI-C1", label .. " loses less than 5 % on occ", function()
        local v = value(occ, label, in_percent(speed))
        if v then return v > -5, format("%.1f %%", v) end
    end)
end
local function range_of_slow_ones(metric)
    local list = {}
    for _, series in ipairs { occ, bal } do
        for _, v in ipairs(of_labels(series, slow_ones, metric) or {}) do
            table.insert(list, 100 * (1 - v))
        end
    end
    return least(list), most(list)
end
says("VI-C1", "on occ and bal these four take 14 to 33 % less power", function()
    local low, high = range_of_slow_ones(power)
    if low then return low > 9 and high < 38, format("%.0f to %.0f %%", low, high) end
end)
says("VI-C1", "and 12 to 33 % less energy", function()
    local low, high = range_of_slow_ones(energy)
    if low then return low > 7 and high < 38, format("%.0f to %.0f %%", low, high) end
end)
says("VI-C1", "CFD2 gains about 20 % on occ", function()
    local v = value(occ, "CFD2", in_percent(speed))
    if v then return v > 10, format("%.1f %%", v) end
end)
says("VI-C1", "CFD2 does not gain on bal", function()
    local v = value(bal, "CFD2", in_percent(speed))
    if v then return v <= 0, format("%.1f %%", v) end
end)
says("VI-C2", "CFD2 gains over 20 % on bigsm", function()
    local v = value(bigsm, "CFD2", in_percent(speed))
    if v then return v > 20, format("%.1f %%", v) end
end)
for _, label in ipairs(compute) do
    says("VI-C2", label .. ", compute bound, performs poorly on occ (loses more than 10 %)", function()
        local v = value(occ, label, in_percent(speed))
        if v then return v < -10, format("%.1f %%", v) end
    end)
end
for _, label in ipairs(compute) do
    says("VI-C2", label .. " is faster on bigsm than on occ", function()
        local b, o = value(bigsm, label, speed), value(occ, label, speed)
        if b and o then return b > o, format("%.2f and %.2f of the baseline", b, o) end
    end)
end
says("VI-C2", "more occupancy does little for them: bigsm_occ is within 5 % of bigsm", function()
    local b, o = of_labels(bigsm, compute, speed), of_labels(bigsm_occ, compute, speed)
    if not b or not o then return end
    local n = 0
    for i in ipairs(b) do
        n = n + (math.abs(o[i] / b[i] - 1) < 0.05 and 1 or 0)
    end
    return n == #b, format("%d of %d", n, #b)
end)
for _, label in ipairs { "BFSR1", "BFSR2", "SRAD1", "SRAD2", "SRAD3", "SRAD4", "SRAD5" } do
    says("VI-C2", label .. ", limited by occupancy, gains on bigsm", function()
        local v = value(bigsm, label, in_percent(speed))
        if v then return v > 0, format("%.1f %%", v) end
    end)
end
says("VI-C2", "BFSR2 has a high IPC (above the median)", function()
    local v, middle = value(base, "BFSR2", ipc), median(base, ipc)
    if v then return v > middle, format("%.0f, median %.0f", v, middle) end
end)
says("VI-C2", "BFSR2 is primarily writes to global memory (more stores than loads)", function()
    local r = run(base, "BFSR2")
    if r then
        return r.stats.stores > r.stats.loads,
            format("%.1f stores a load", r.stats.stores / r.stats.loads)
    end
end)
says("VI-C2", "BFSR2 gains most of all on bigsm_occ, about 100 %", function()
    local v = value(bigsm_occ, "BFSR2", in_percent(speed))
    if v then
        return v > 50 and v >= most(bigsm_occ, in_percent(speed)), format("%.1f %%", v)
    end
end)
-- How many of these take the least energy with one scheme.
local function best_with(series, labels)
    local mine, n = of_labels(series, labels, energy), 0
    for i, label in ipairs(labels) do
        local least_of_all = mine and mine[i]
        for _, other in ipairs(mine and schemes or {}) do
            least_of_all = math.min(least_of_all, value(other, label, energy) or least_of_all)
        end
        n = n + (mine and mine[i] <= least_of_all * 1.01 and 1 or 0)
    end
    return mine and n
end
says("VI-C3", "memory bound (the first four above): occ is best suited, least energy within 1 %", function()
    local n = best_with(occ, slow_ones)
    if n then return n == #slow_ones, format("%d of %d", n, #slow_ones) end
end)
says("VI-C3", "memory bound (DRAM busy half of the time): bigsm is as fast as occ, within 5 %", function()
    local list = {}
    for _, k in ipairs(kernels) do
        local o = value(occ, k.label, function(r, b, program)
            return dram_bound(r, b) and speed(r, b, program) or nil
        end)
        local s = value(bigsm, k.label, speed)
        list[#list + 1] = o and s and s / o
    end
    if #list > 0 then
        local n = 0
        for _, v in ipairs(list) do n = n + (v > 0.95 and 1 or 0) end
        return n == #list, format("%d of %d", n, #list)
    end
end)
says("VI-C3", "compute bound (the eight): bigsm is most energy efficient, within 1 %", function()
    local n = best_with(bigsm, compute)
    if n then return n == #compute, format("%d of %d", n, #compute) end
end)
says("VIII", "occ is the most conservative in power of occ and bal", function()
    local o, b = mean(occ, power), mean(bal, power)
    if o and b then return o < b, format("%.2f and %.2f of the baseline", o, b) end
end)
figure {
    name = "claims", kind = "table", title = "what the text says", unit = "",
    columns = { "section", "claim", "here", "met" }, rows = claims,
}

-- ---- what the paper leaves open, each piece and each dummy stage: every fourth kernel

if whole then
    local some = set("share33", { thin = 4 })
    local plain = runs { programs = some, gpu = "share", label = "base" }
    local open_keys = {
        { "as configured", "", number = "srad5_lost" },
        { "MSHRs are not lent: `mshrs=off`", ",mshrs=off" },
        { "L1D is not lent: `l1d=off`", ",l1d=off" },
        { "shared memory is not lent: `shared=off`", ",shared=off" },
        { "an access finds the banks of one SM: `banks=own`", ",banks=own" },
        { "contexts are not lent: `contexts=off`", ",contexts=off" },
        { "registers are not lent: `registers=off`", ",registers=off" },
        { "16 CTAs an SM: `max_cta=16`", ",max_cta=16" },
        { "no dummy stage to the instruction buffers", ",late_decode=0", number = "srad5_lost_decode" },
        { "none for operands", ",late_operands=0" },
        { "none to L1D and shared memory", ",late_l1=0,late_shared=0", number = "srad5_lost_l1" },
        { "what is undifferentiated leaks on: `undiff=on`", ",undiff=on" },
    }
    local at = {}
    for k, reading in ipairs(open_keys) do
        at[k] = {}
        for i, name in ipairs(names) do
            at[k][i] = scheme(name, reading[2], plain, some)
        end
    end
    local function srad5_lost(series) -- on bigsm, on which the text has it gain
        return function()
            local v = value(series, "SRAD5", in_percent(speed))
            return v and -v
        end
    end
    for k, reading in ipairs(open_keys) do
        if reading.number then number(reading.number, srad5_lost(at[k][3])) end
    end
    figure {
        name = "open_keys", kind = "table", title = "what the paper leaves open", unit = "%",
        columns = { "reading", "IPC occ", "IPC bal", "IPC bigsm", "IPC bigsm_occ", "saved occ",
                    "saved bal", "saved bigsm", "saved bigsm_occ" },
        rows = function()
            local rows = {}
            for k, reading in ipairs(open_keys) do
                local row = { reading[1] }
                for i, series in ipairs(at[k]) do
                    row[i + 1], row[i + 5] = mean(series, in_percent(speed)), mean(series, saved)
                end
                rows[k] = row
            end
            return rows
        end,
    }
end

-- ---- why the numbers differ: one thing at a time, each against the baseline with the same setting

if whole then
    -- The named kernels of a set, and those of them that another list of programs has.
    local function named(list, labels)
        local is, found = {}, {}
        for _, label in ipairs(labels) do is[label] = true end
        for _, k in ipairs(list) do
            if is[k.label] then table.insert(found, k) end
        end
        return found
    end

    local function labels_of(list)
        local labels = {}
        for i, k in ipairs(list) do labels[i] = k.label end
        return labels
    end

    -- Series with these keys, for the named schemes.
    local function with(programs, keys, more, wanted)
        local plain = runs { programs = programs, gpu = "share", set = keys, label = "base", sample = PERIOD }
        local at = { base = plain }
        for _, name in ipairs(wanted) do
            at[name] = runs { programs = programs, gpu = "share", set = keys, base = plain, label = name,
                              mech = "share:scheme=" .. name .. (more or "") }
        end
        return at
    end

    local function cycles(r, _, program)
        return counted(r, program).cycles
    end

    -- By how much kernels are faster on this baseline than on the one as configured; in %.
    local function itself(at, labels)
        local list = {}
        for i, label in ipairs(labels) do
            local v, b = value(at.base, label, cycles), value(base, label, cycles)
            list[i] = v and b and 100 * (b / v - 1)
        end
        list.n = #labels
        return mean(list)
    end

    -- -- what occ's loss depends on: kernels that half of the SMs halve

    local bound = { "SGEMM", "BP1", "BP2", "HS", "PATH" }
    local some = named(kernels, bound)
    local small = named(set("share33", { size = "small" }), bound)
    local readings = {
        { "as configured", nil },
        { "code that is lowered: `front.lower=on`", "front.lower=on" },
        { "two schedulers, 64 lanes a cycle: `sm.schedulers=2`", "sm.schedulers=2" },
        { "an I-cache that always hits: `sm.perfect_icache=on`", "sm.perfect_icache=on" },
        { "DRAM twice as fast: `gpu.mem_mhz=1848`", "gpu.mem_mhz=1848" },
        { "latencies of GPGPU-Sim 4 (L1 35, shared memory 26)", { "sm.smem_latency=26", "l1d.latency=35" } },
        { "inputs as small as the tests'", nil, small },
    }
    local at = {}
    for i, reading in ipairs(readings) do
        at[i] = with(reading[3] or some, reading[2], nil, { "occ", "bal" })
    end
    figure {
        name = "causes", kind = "table", title = "what the loss on occ depends on", unit = "%",
        columns = { "reading", "SGEMM occ", "BP1 occ", "BP2 occ", "HS occ", "PATH occ", "mean occ",
                    "mean bal", "baseline itself, faster" },
        rows = function()
            local rows = {}
            for i, reading in ipairs(readings) do
                rows[i] = { reading[1], n = 9 }
                for k, label in ipairs(bound) do
                    rows[i][k + 1] = value(at[i].occ, label, in_percent(speed))
                end
                rows[i][7] = mean(at[i].occ, in_percent(speed))
                rows[i][8] = mean(at[i].bal, in_percent(speed))
                rows[i][9] = not reading[3] and itself(at[i], bound) or nil
            end
            return rows
        end,
    }

    -- -- the other number of schedulers, and the other place for CTAs, with all kernels

    local two = with(kernels, "sm.schedulers=2", nil, names)
    local across = with(kernels, nil, ",place=warp", { "occ", "bal" })
    local readings_of = {
        { "as configured", { occ, bal, bigsm, bigsm_occ } },
        { "two schedulers", { two.occ, two.bal, two.bigsm, two.bigsm_occ } },
        { "`place=warp`", { across.occ, across.bal, bigsm, bigsm_occ } }, -- which changes those two alone
    }
    figure {
        name = "two_schedulers", kind = "bars", title = "IPC of each scheme if an SM has two schedulers",
        unit = "of that baseline", first = "kernel", metric = speed, mean = "mean", paper = paper_ipc,
        series = readings_of[2][2],
    }
    figure {
        name = "across", kind = "bars", title = "IPC if a CTA's warps may lie in both register files",
        unit = "of the baseline", first = "kernel", metric = speed, mean = "mean", paper = { 0.85, 0.91 },
        series = { across.occ, across.bal },
    }

    -- What the abstract and section VI-C say in numbers, with each reading.
    local function mean_of(metric) return function(series) return mean(series, metric) end end
    local function most_of(metric) return function(series) return most(series, metric) end end
    local function cfd2(series) return value(series, "CFD2", in_percent(speed)) end
    local headlines = { -- what, the paper's, the scheme's number, how it is made of a series
        { "IPC, occ", -15, 1, mean_of(in_percent(speed)) },
        { "IPC, bal", -9, 2, mean_of(in_percent(speed)) },
        { "IPC, bigsm", 5.8, 3, mean_of(in_percent(speed)) },
        { "IPC, bigsm_occ", 8.6, 4, mean_of(in_percent(speed)) },
        { "energy saved, bigsm", 26, 3, mean_of(saved) },
        { "most energy saved, bigsm", 54, 3, most_of(saved) },
        { "energy saved, occ, kernels that do not degrade severely", 20, 1, mean_of(if_not_slow(saved)) },
        { "energy saved, bal, kernels that do not degrade severely", 14, 2, mean_of(if_not_slow(saved)) },
        { "most energy saved, occ", 57.5, 1, most_of(saved) },
        { "most energy saved, bal", 27.5, 2, most_of(saved) },
        { "most IPC gained, bigsm, but for BFSR2", 54, 3, most_of(but_for_bfsr2) },
        { "most IPC gained, bigsm_occ, but for BFSR2", 57, 4, most_of(but_for_bfsr2) },
        { "IPC, CFD2 on occ", 20, 1, cfd2 },
        { "IPC, CFD2 on bal, which does not gain", nil, 2, cfd2 },
    }
    figure {
        name = "headline", kind = "table", title = "what the paper says in numbers", unit = "%",
        columns = { "against the baseline, %", "paper", "as configured", "two schedulers", "`place=warp`" },
        rows = function()
            local rows = {}
            for i, h in ipairs(headlines) do
                rows[i] = { h[1], h[2], n = 5 }
                for k, reading in ipairs(readings_of) do
                    rows[i][k + 2] = h[4](reading[2][h[3]])
                end
            end
            return rows
        end,
    }
    figure {
        name = "schedulers", kind = "table", title = "one scheduler, or two", unit = "%",
        columns = { "mean", "occ", "bal", "bigsm", "bigsm_occ" },
        rows = function()
            return {
                row_of("IPC, one scheduler", schemes, in_percent(speed)),
                row_of("IPC, two schedulers", readings_of[2][2], in_percent(speed)),
                { "paper, IPC", -15, -9, 5.8, 8.6 },
                row_of("energy saved, one scheduler", schemes, saved),
                row_of("energy saved, two schedulers", readings_of[2][2], saved),
                row_of("of kernels that lose less than a tenth, one", schemes, if_not_slow(saved)),
                row_of("of kernels that lose less than a tenth, two", readings_of[2][2], if_not_slow(saved)),
                { "paper, energy saved", 20, 14, 26, nil, n = 5 },
            }
        end,
    }
    for _, share in ipairs { 25, 50 } do -- of the 64 lanes that two schedulers can have
        number("two_above_" .. share, function() return above(share / 100, two.base, 2 * PEAK) end)
    end
    number("two_faster", function() return itself(two, labels_of(kernels)) end)
    number("two_poor_on_occ", function()
        local n = 0
        for _, label in ipairs(compute) do
            n = n + ((value(two.occ, label, speed) or 1) < 0.9 and 1 or 0)
        end
        return n
    end)

    -- -- why occ gains so much in some: the 16 of L1D in Table II are MSHRs, or something else, and the
    -- MSHRs are those of GPGPU-Sim 3.2

    local missing = { "GAUS1", "KM1", "KM2" }
    local l1d = {
        { "as configured", nil, nil },
        { "32 MSHRs, which are not lent: `l1d.mshrs=32`, `mshrs=off`", "l1d.mshrs=32", ",mshrs=off" },
        { "global loads pass L1D by: `sm.global_l1=off`", "sm.global_l1=off", nil },
    }
    for _, reading in ipairs(l1d) do
        reading.at = with(named(kernels, missing), reading[2], reading[3], { "occ", "bal" })
    end
    figure {
        name = "l1d", kind = "table", title = "why occ gains so much in some", unit = "%",
        columns = { "reading", "GAUS1 occ", "KM1 occ", "KM2 occ", "GAUS1 bal", "KM1 bal", "KM2 bal",
                    "all 33 with these, occ", "all 33 with these, bal" },
        rows = function()
            local rows = {}
            for i, reading in ipairs(l1d) do
                rows[i] = { reading[1], n = 9 }
                for k, series in ipairs { occ, bal } do
                    local other = reading.at[names[k]]
                    for m, label in ipairs(missing) do
                        rows[i][3 * k - 2 + m] = value(other, label, in_percent(speed))
                    end
                    rows[i][k + 7] = mean(series, function(r, b, program)
                        return value(other, program.label, in_percent(speed))
                            or 100 * (speed(r, b, program) - 1)
                    end)
                end
            end
            return rows
        end,
    }

    local function l2_misses(r) return 100 * r.stats.l2_miss_rate end
    for _, name in ipairs { "base", "occ" } do
        number("km2_l2_" .. name, function() return value(l1d[2].at[name], "KM2", l2_misses) end)
    end

    -- -- GAUS2 has small CTAs: 8 of them fill no SM

    local gaus2, wide = named(kernels, { "GAUS2" }), {}
    for i, name in ipairs(names) do
        wide[i] = scheme(name, ",max_cta=16", base, gaus2)
    end
    figure {
        name = "max_cta", kind = "table", title = "GAUS2 with 8 and with 16 CTAs an SM", unit = "%",
        columns = { "CTAs of an active SM", "occ", "bal", "bigsm", "bigsm_occ" },
        rows = function()
            local eight, sixteen = { "8" }, { "16" }
            for i, series in ipairs(schemes) do
                eight[i + 1] = value(series, "GAUS2", in_percent(speed))
                sixteen[i + 1] = value(wide[i], "GAUS2", in_percent(speed))
            end
            return { eight, sixteen }
        end,
    }

    -- -- CFD2, which gains 20 % in the paper

    local cfd = named(kernels, { "CFD2" })
    local of_cfd = {
        { "as configured", cfd },
        { "large input", named(set("share33", { size = "large" }), { "CFD2" }) },
        { "code that is lowered: `front.lower=on`", cfd, "front.lower=on" },
        { "32 MSHRs, which are not lent", cfd, "l1d.mshrs=32", ",mshrs=off" },
        { "global loads pass L1D by: `sm.global_l1=off`", cfd, "sm.global_l1=off" },
        { "L1's sets hashed, as from July 2014 on: `l1d.index=fermi`", cfd, "l1d.index=fermi" },
        { "48 registers a thread: `front.regs=48`", cfd, "front.regs=48" },
        { "CTAs in both register files: `place=warp`", cfd, nil, ",place=warp" },
        { "both of these", cfd, "front.regs=48", ",place=warp" },
    }
    for _, c in ipairs(of_cfd) do
        c.at = with(c[2], c[3], c[4], { "occ", "bal", "bigsm" })
    end
    figure {
        name = "cfd2", kind = "table", title = "CFD2", unit = "%",
        columns = { "reading", "occ", "bal", "bigsm", "baseline itself, faster" },
        rows = function()
            local rows = {}
            for i, c in ipairs(of_cfd) do
                rows[i] = { c[1], n = 5 }
                for k, name in ipairs { "occ", "bal", "bigsm" } do
                    rows[i][k + 1] = value(c.at[name], "CFD2", in_percent(speed))
                end
                rows[i][5] = c[2] == cfd and itself(c.at, { "CFD2" }) or nil
            end
            return rows
        end,
    }
end
