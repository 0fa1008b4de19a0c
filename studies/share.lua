-- share.lua -- the figures of "Efficient GPGPU Computing with Cross-Core Resource Sharing", by
-- Dhar and Chen (" .. and Core Reconfiguration").
--
-- A row is a kernel of Table I: all its launches together.  Section VI-C: results are "normalized to
-- the baseline configuration", "the power data shown includes the static power", "energy is computed as
-- the power-delay-product".  The work of a kernel is the same in every scheme, so its IPC, thread
-- instructions a cycle of the whole GPU, is in proportion to its speed.  Means are arithmetic, over all
-- kernels ("across all kernels"), unless the text leaves some out.

study {
    name = "share",
    title = "Cross-core resource sharing",
    doc = "figures 2, 3, 6 and 7, the best scheme for each kernel, its claims, what it leaves open",
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

local function ipc(r)
    return r.total.thread_insts / r.total.cycles
end

-- Of the baseline's.
local function speed(r, b)
    return ipc(r) / ipc(b)
end

local function energy(r, b)
    return r.total.energy_j / b.total.energy_j
end

local function power(r, b)
    return energy(r, b) * b.total.cycles / r.total.cycles
end

local function energy_delay(r, b)
    return energy(r, b) * r.total.cycles / b.total.cycles
end

local function in_percent(metric)
    return function(r, b, program)
        return 100 * (metric(r, b, program) - 1)
    end
end

local function saved(r, b)
    return 100 * (1 - energy(r, b))
end

-- ---- Fig. 2: the baseline over time

-- "IPC greater than 50 % of the theoretical peak": 32 lanes of each SM.
local PEAK = 12 * 32

local function of_peak(r)
    return 100 * ipc(r) / PEAK
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
    name = "fig3", kind = "bars", title = "half of the SMs", unit = "of the baseline",
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
    { "fig6a", "IPC", speed, paper_ipc },
    { "fig6b", "power", power },
    { "fig6c", "energy", energy },
} do
    local name, title, metric, paper = table.unpack(f)
    figure {
        name = name, kind = "bars", title = title, unit = "of the baseline", series = schemes,
        metric = metric, mean = "mean", paper = paper, first = "kernel",
    }
end

figure {
    name = "fig7", kind = "bars", title = "bigsm_occ beside bigsm", unit = "of bigsm",
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

-- ---- section VII: SGEMM in GFLOPS/W; an fma is two operations

local function gflops_per_watt(r)
    return 2 * r.stats.op_fp / r.total.energy_j / 1e9
end

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
    { "best_ipc", "IPC", function(r, b) return 1 / speed(r, b) end },
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
-- "Kernels that do not degrade severely": of occ and bal those that lose less than a tenth; open.
local function if_not_slow(metric)
    return function(r, b) return speed(r, b) > 0.9 and metric(r, b) or nil end
end
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
         ours = function()
             return most(bigsm, function(r, b, k)
                 return k.label ~= "BFSR2" and 100 * (speed(r, b) - 1) or nil
             end)
         end, within = 10 }

-- ---- claims

local format = string.format

local function says(where, what, check)
    claim { where = where, text = what, check = check }
end

says("III", "10 of 33 kernels have more than 50 % of the peak IPC, 17 more than 25 %", function()
    local n50 = count(base, function(r) return of_peak(r) > 50 end)
    local n25 = count(base, function(r) return of_peak(r) > 25 end)
    return #kernels == 33 and n50 == 10 and n25 == 17, format("%d and %d", n50, n25)
end)
for _, label in ipairs { "BFSP", "MRI2", "GAUS1", "KM2" } do
    says("VI-C1", label .. " loses less than 5 % on occ", function()
        local v = value(occ, label, in_percent(speed))
        if v then return v > -5, format("%.1f %%", v) end
    end)
end
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
for _, label in ipairs { "CUTCP", "MRI1", "SGEMM", "BP2", "HS", "KM1", "PATH", "SRAD5" } do
    says("VI-C2", label .. " is faster on bigsm than on occ", function()
        local b, o = value(bigsm, label, speed), value(occ, label, speed)
        if b and o then return b > o, format("%.2f and %.2f of the baseline", b, o) end
    end)
end
for _, label in ipairs { "BFSR1", "BFSR2", "SRAD1", "SRAD2", "SRAD3", "SRAD4", "SRAD5" } do
    says("VI-C2", label .. ", limited by occupancy, gains on bigsm", function()
        local v = value(bigsm, label, in_percent(speed))
        if v then return v > 0, format("%.1f %%", v) end
    end)
end
says("VI-C2", "BFSR2 gains most of all on bigsm_occ, about 100 %", function()
    local v = value(bigsm_occ, "BFSR2", in_percent(speed))
    if v then
        return v > 50 and v >= most(bigsm_occ, in_percent(speed)), format("%.1f %%", v)
    end
end)
says("VII", "SGEMM has 1.76 GFLOPS/W on the baseline, 2.2 on bigsm, 26 % more", function()
    local b, s = value(base, "SGEMM", gflops_per_watt), value(bigsm, "SGEMM", gflops_per_watt)
    if b and s then
        return s > b, format("%.2f and %.2f, %.0f %% more", b, s, 100 * (s / b - 1))
    end
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
        { "as configured", "" },
        { "MSHRs are not lent: `mshrs=off`", ",mshrs=off" },
        { "L1D is not lent: `l1d=off`", ",l1d=off" },
        { "shared memory is not lent: `shared=off`", ",shared=off" },
        { "an access finds the banks of one SM: `banks=own`", ",banks=own" },
        { "contexts are not lent: `contexts=off`", ",contexts=off" },
        { "registers are not lent: `registers=off`", ",registers=off" },
        { "16 CTAs an SM: `max_cta=16`", ",max_cta=16" },
        { "no dummy stage to the instruction buffers", ",late_decode=0" },
        { "none for operands", ",late_operands=0" },
        { "none to L1D and shared memory", ",late_l1=0,late_shared=0" },
        { "what is undifferentiated leaks on: `undiff=on`", ",undiff=on" },
    }
    local at = {}
    for k, reading in ipairs(open_keys) do
        at[k] = {}
        for i, name in ipairs(names) do
            at[k][i] = scheme(name, reading[2], plain, some)
        end
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
