-- gates.lua -- the figures of "Warped Gates: Gating Aware Scheduling and Power Gating for GPGPUs"
-- (Abdel-Majeed, Wong and Annavaram, MICRO 2013).  Its page is docs/papers/gates.md.
--
-- Everything is measured against a baseline with the mechanism's counters and gating off.  Section
-- 7.3: "static energy savings by taking into account power gating overhead .. normalized to a baseline
-- with no power gating".  So a pipeline's static energy is its cycles while the SM has a CTA, less
-- those in which it is off, and break_even for each time it is switched off; what is saved is a share
-- of the baseline's, and a longer run counts against it.
--
-- The readings beside each other, the suites' sizes, Figures 6 and 11, what the paper leaves open and
-- the causes of distances are made at default sizes only; the last three with every third program.

study {
    name = "gates",
    title = "Warped Gates",
    doc = "headline under each reading, figures 1b, 3, 5, 6, 8 to 11, its claims, open points, causes",
}

local whole = not (options.quick or options.large)
local size = options.quick and "small" or options.large and "large" or nil
local all = set("gates18", { thin = options.quick and 3 or 1, size = size })
local third = set("gates18", { thin = 3 })

local function has(programs, label)
    for _, p in ipairs(programs) do
        if p.label == label then return true end
    end
    return false
end

local none = 0 / 0 -- an empty cell

-- If no run of a series is there, its mean is an empty cell, and neither less nor more than others.
local mean_of, geomean_of = mean, geomean

local function mean(...)
    return mean_of(...) or none
end

local function geomean(...)
    return geomean_of(...) or none
end

-- A row for each program: its label, and what `cells` returns for it.
local function each_program(cells)
    local rows = {}
    for i, p in ipairs(all) do
        rows[i] = { p.label, cells(p.label) }
    end
    return rows
end

-- ---- runs

local BREAK_EVEN = 14 -- cycles; Table 1
local names = { "conv_pg", "gates", "naive", "coordinated", "warped" }

local function baseline(programs, keys, base)
    return runs {
        programs = programs, gpu = "gates", set = keys, base = base, label = "baseline",
        mech = "gates:variant=conv_pg,idle_detect=0,break_even=" .. BREAK_EVEN,
    }
end

-- `more` are keys of the mechanism (",idle=issue"), `keys` those of the GPU.
local function variant(name, base, programs, more, keys, break_even)
    return runs {
        programs = programs, gpu = "gates", set = keys, base = base, label = name,
        mech = "gates:variant=" .. name .. (more or "") .. ",break_even=" .. (break_even or BREAK_EVEN),
    }
end

local base = baseline(all)
local variants = {}
for i, name in ipairs(names) do
    variants[i] = variant(name, base, all)
end
local conv_pg, gates, naive, coordinated, warped = table.unpack(variants)

-- ---- what is measured of a run `r` against its baseline `b`; `type` is "int" or "fp"

local function stat(r, type, name)
    return r.stats["gates_" .. type .. "_" .. name]
end

-- Means are over the programs that have instructions of the type, as in the paper.
local function uses(type, r)
    return r.stats["issued_" .. type] > 0
end

local function of_users(type, metric)
    return function(r, b, program)
        return uses(type, b) and metric(r, b, program) or nil
    end
end

-- Cycles of the pipelines of a type: two clusters, while the SM has a CTA.
local function pipe_cycles(r)
    return 2 * r.stats.gates_cycles
end

-- Cycles that they do not leak, less what switching costs.
local function gained(r, type, break_even)
    return stat(r, type, "uncompensated") + stat(r, type, "compensated")
        - (break_even or BREAK_EVEN) * stat(r, type, "gatings")
end

-- % of the baseline's static energy (section 7.3, above).
local function saved(type, break_even)
    return of_users(type, function(r, b)
        local whole = pipe_cycles(b)
        return 100 * (whole - pipe_cycles(r) + gained(r, type, break_even)) / whole
    end)
end

-- The same, if pipelines of SMs without a CTA were off.
local function saved_anywhere(type)
    return of_users(type, function(r, b)
        local whole = 2 * b.stats.sm_cycles
        return 100 * (whole - pipe_cycles(r) + gained(r, type)) / whole
    end)
end

local function slowdown(r, b)
    return 100 * (r.total.cycles / b.total.cycles - 1)
end

-- Share of cycles in which a pipeline is idle, and the same of the baseline's share (Fig. 8a).
local function idle(r, type)
    return 1 - stat(r, type, "busy") / pipe_cycles(r)
end

local function idle_ratio(r, b)
    return uses("int", b) and idle(r, "int") / idle(b, "int") or nil
end

-- Section 5: off for longer than break_even, so that it was worth it; % of cycles.
local function compensated(r, b)
    return uses("int", b) and 100 * stat(r, "int", "compensated") / pipe_cycles(r) or nil
end

local function net(r, b)
    local cycles = stat(r, "int", "compensated") - stat(r, "int", "uncompensated")
    return uses("int", b) and 100 * cycles / pipe_cycles(r) or nil
end

-- Of conventional gating's (Fig. 8c).
local function wakeups(type)
    return of_users(type, function(r, b, program)
        local conv = run(conv_pg, program.label)
        local n = conv and stat(conv, type, "wakeups") or 0
        return n > 0 and stat(r, type, "wakeups") / n or nil
    end)
end

-- Idle periods of INT pipelines: % that end within idle-detect, within break-even after it, later.
local regions = { "idle_short", "idle_middle", "idle_long" }
local region_names = { "up to idle-detect", "up to idle-detect + BET", "longer" }

local function region(k)
    return function(r)
        local sum = 0
        for _, name in ipairs(regions) do
            sum = sum + stat(r, "int", name)
        end
        return sum > 0 and 100 * stat(r, "int", regions[k]) / sum or nil
    end
end

local function critical_rate(r)
    return 1000 * (stat(r, "int", "critical") + stat(r, "fp", "critical")) / r.stats.gates_cycles
end

-- % of the issued instructions.
local function issued(kind)
    return function(r)
        local s = r.stats
        return 100 * s["issued_" .. kind] / (s.issued_int + s.issued_fp + s.issued_sfu + s.issued_mem)
    end
end

local function active_warps(r)
    return r.stats.gates_avg_active
end

-- Energy of the pipelines of a type.
local function energy(r, type, part)
    return r.energy["sp0_" .. type][part] + r.energy["sp1_" .. type][part]
end

local function static_share(type)
    return function(r)
        local leak = energy(r, type, "static_j")
        return uses(type, r) and 100 * leak / (leak + energy(r, type, "dynamic_j")) or nil
    end
end

-- ---- the means of the paper

local paper = {
    int = { 20.1, 21.5, 27.8, 31.5, 31.6 },
    fp = { 31.4, 35.2, 41.1, 45.6, 46.5 },
    slowdown = { 1, 1, 5, 2, 1 },
    idle = { none, 1.03, none, 1.10, none },
    compensated = { 20.9, 22.6, none, none, 33.5 },
    wakeups = { 1, none, none, 0.74, 0.54 },
}

-- The mean of a metric for each variant.
local function of_each(metric, average)
    local list = {}
    for i, series in ipairs(variants) do
        list[i] = (average or mean)(series, metric)
    end
    return list
end

local function means(label, metric, average)
    return { label, table.unpack(of_each(metric, average)) }
end

local function of_paper(label, list)
    return { label, table.unpack(list) }
end

figure {
    name = "summary", kind = "table", title = "means", unit = "",
    columns = { "mean", table.unpack(names) },
    rows = function()
        return {
            means("INT static energy saved, %", saved "int"),
            of_paper("paper (Fig. 9a)", paper.int),
            means("FP static energy saved, %", saved "fp"),
            of_paper("paper (Fig. 9b)", paper.fp),
            means("slowdown, %", slowdown),
            of_paper("paper (Fig. 10)", paper.slowdown),
            means("idle share of INT pipelines, of no gating", idle_ratio),
            of_paper("paper (Fig. 8a)", paper.idle),
            means("INT in compensated state, % of cycles, geometric mean", compensated, geomean),
            of_paper("paper (Fig. 8b)", paper.compensated),
            means("wake-ups of INT pipelines, of conv_pg", wakeups "int"),
            means("wake-ups of FP pipelines, of conv_pg", wakeups "fp"),
            of_paper("paper (Fig. 8c)", paper.wakeups),
            means("INT saved if pipelines of SMs without a CTA were off, %", saved_anywhere "int"),
            means("FP, the same", saved_anywhere "fp"),
        }
    end,
}

-- ---- Fig. 1b: energy of the units, each program's in % of its own without gating

-- The mean over programs that use the type.
local function energy_share(series, type, part)
    return mean(series, function(r, b)
        local without = b or r
        local sum = energy(without, type, "static_j") + energy(without, type, "dynamic_j")
        return uses(type, without) and 100 * energy(r, type, part) / sum or nil
    end)
end

figure {
    name = "fig1b", kind = "stacked", title = "energy of the execution units",
    unit = "% of no gating", marks = 3,
    columns = { "unit", "static", "dynamic", "gating overhead",
                "paper static", "paper dynamic", "paper overhead" },
    rows = function()
        local function row(label, series, type, ...)
            return { label, energy_share(series, type, "static_j"),
                     energy_share(series, type, "dynamic_j"),
                     energy_share(series, type, "gating_j"), ... }
        end
        return {
            row("INT", base, "int", 50, 50, 0),
            row("FP", base, "fp", 90, 10, 0),
            row("INT conv_pg", conv_pg, "int", 31, none, 11),
            row("FP conv_pg", conv_pg, "fp", 61, none, 29),
        }
    end,
}

-- INT's leakage is fitted to Fig. 1b (conf/gpu/gates.conf): by what it would have to be multiplied.
figure {
    name = "fit", kind = "table", title = "INT leakage that gives Fig. 1b", unit = "",
    columns = { "static share of INT, %",
                "power.leak_sp0_int and _sp1_int for 50 %, times" },
    rows = function()
        local share = values(base, static_share "int")
        local function share_if(x) -- the mean if they leaked x times as much
            local list = {}
            for i = 1, share.n do
                list[i] = share[i] and 100 * x * share[i] / (100 + (x - 1) * share[i])
            end
            return mean(list)
        end
        local low, high = 1e-3, 1e3
        for _ = 1, 60 do
            local middle = math.sqrt(low * high)
            if share_if(middle) < 50 then low = middle else high = middle end
        end
        return { { share_if(1), low } }
    end,
}

figure {
    name = "static_shares", kind = "bars", title = "static share of the energy of INT and FP units",
    unit = "%", columns = { "workload", "INT", "FP" }, plain = #all,
    rows = function()
        local int, fp = static_share "int", static_share "fp"
        local rows = each_program(function(label)
            return value(base, label, int), value(base, label, fp)
        end)
        table.insert(rows, { "mean", mean(base, int), mean(base, fp) })
        return rows
    end,
}

-- ---- Figs 3 and 5

figure {
    name = "fig3", kind = "table", title = "idle periods of INT pipelines", unit = "% of periods",
    columns = { "workload", "variant", table.unpack(region_names) },
    rows = function()
        local rows = {}
        for _, p in ipairs(all) do
            for i, series in ipairs(variants) do
                local row = { p.label, names[i] }
                for k = 1, #regions do
                    row[k + 2] = value(series, p.label, region(k))
                end
                rows[#rows + 1] = row
            end
        end
        return rows
    end,
}

-- Fig. 3c, "GATES with Blackout", is taken for Naive Blackout.
local paper_regions = { { 83.4, 59.0, 54.3 }, { 10.1, 22.1, 0 }, { 6.5, 18.9, 45.7 } }

if has(all, "hotspot") then
    local columns = { "region", table.unpack(names) }
    for _, name in ipairs(names) do
        table.insert(columns, "paper " .. name)
    end
    figure {
        name = "fig3_hotspot", kind = "bars", title = "idle periods of INT pipelines, hotspot",
        unit = "% of periods", columns = columns, marks = #names,
        rows = function()
            local rows = {}
            for k, name in ipairs(region_names) do
                local row = { name }
                for i, series in ipairs(variants) do
                    row[i + 1] = value(series, "hotspot", region(k))
                    row[i + 1 + #names] = paper_regions[k][i]
                end
                rows[k] = row
            end
            return rows
        end,
    }
end

figure {
    name = "fig5a", kind = "stacked", title = "instruction mix", unit = "% of issued",
    columns = { "workload", "INT", "FP", "SFU", "LD/ST" },
    rows = function()
        return each_program(function(label)
            return value(base, label, issued "int"), value(base, label, issued "fp"),
                value(base, label, issued "sfu"), value(base, label, issued "mem")
        end)
    end,
}

figure {
    name = "fig5b", kind = "bars", title = "warps in the active set, mean", unit = "warps of 32",
    columns = { "workload", "active warps" },
    rows = function()
        return each_program(function(label) return value(base, label, active_warps) end)
    end,
}

-- ---- Figs 8 to 10: a row for each program, a column for each variant

local function users(type)
    return function(_, b)
        return uses(type, b)
    end
end

for _, f in ipairs {
    { "fig8a", "idle cycles of INT pipelines", "of no gating", "int", idle_ratio, paper.idle },
    { "fig8b", "compensated less uncompensated, INT", "% of cycles", "int", net },
    { "fig8c", "wake-ups of INT pipelines", "of conv_pg", "int", wakeups "int", paper.wakeups },
    { "fig8c_fp", "wake-ups of FP pipelines", "of conv_pg", "fp", wakeups "fp" },
    { "fig9a", "INT static energy saved", "%", "int", saved "int", paper.int },
    { "fig9b", "FP static energy saved", "%", "fp", saved "fp", paper.fp },
    { "fig10", "slowdown", "%", "int", slowdown, paper.slowdown },
} do
    local name, title, unit, type, metric, of_it = table.unpack(f)
    figure {
        name = name, kind = "bars", title = title, unit = unit, series = variants,
        metric = metric, mean = "mean", paper = of_it, where = users(type), first = "workload",
    }
end

-- ---- Fig. 6: critical wake-ups and slowdown over idle detect; 0 is "never" here

local detects = { 1, 3, 5, 7, 10 }
local critical_r = function() end -- Pearson r of a program

if whole then
    local over = {}
    for k, cycles in ipairs(detects) do
        over[k] = variant("coordinated", base, all, ",idle_detect=" .. cycles)
    end

    local function points(program)
        local x, y = {}, {}
        for k, series in ipairs(over) do
            x[k] = value(series, program, critical_rate)
            y[k] = value(series, program, slowdown)
        end
        return x, y
    end

    critical_r = function(program)
        return pearson(points(program))
    end

    figure {
        name = "fig6_points", kind = "table", title = "critical wake-ups and slowdown", unit = "",
        columns = { "workload", "idle_detect", "critical per 1000 cycles", "slowdown %" },
        rows = function()
            local rows = {}
            for _, p in ipairs(all) do
                local x, y = points(p.label)
                for k, cycles in ipairs(detects) do
                    rows[#rows + 1] = { p.label, cycles, x[k], y[k] }
                end
            end
            return rows
        end,
    }

    figure {
        name = "fig6", kind = "bars", title = "correlation of critical wake-ups and slowdown",
        unit = "Pearson r", columns = { "workload", "r" },
        rows = function() return each_program(critical_r) end,
    }
end

-- ---- Fig. 11, the open points and the causes: conv_pg and warped beside each other

-- Means in %: saved of INT and FP, and slowdown; the last two columns of each kind are its variants'.
local pair_columns = { "INT conv_pg", "INT warped", "FP conv_pg", "FP warped", "slowdown conv_pg",
                       "slowdown warped" }

local function three(series, break_even)
    return mean(series, saved("int", break_even)), mean(series, saved("fp", break_even)),
        mean(series, slowdown)
end

-- Of { conv =, warped =, break_even = }.
local function pair(p)
    local int_c, fp_c, slow_c = three(p.conv, p.break_even)
    local int_w, fp_w, slow_w = three(p.warped, p.break_even)
    return { int_c, int_w, fp_c, fp_w, slow_c, slow_w }
end

local function add_pair(list, base, programs, more, keys, break_even)
    table.insert(list, {
        conv = variant("conv_pg", base, programs, more, keys, break_even),
        warped = variant("warped", base, programs, more, keys, break_even),
        break_even = break_even,
    })
end

-- Rows over x; the paper's values beside ours at some of them.
local function sensitivity(name, title, x, pairs_at, paper_at)
    local columns = { "cycles", table.unpack(pair_columns) }
    for _, column in ipairs(pair_columns) do
        table.insert(columns, "paper " .. column)
    end
    figure {
        name = name, kind = "lines", title = title, unit = "%", columns = columns,
        marks = #pair_columns,
        rows = function()
            local rows = {}
            for k, cycles in ipairs(x) do
                local row = { cycles, table.unpack(pair(pairs_at[k])) }
                for i, v in ipairs(paper_at[cycles] or {}) do
                    row[1 + #pair_columns + i] = v
                end
                rows[k] = row
            end
            return rows
        end,
    }
end

-- The readings of the sentences on which the GPU `gates` takes a side (conf/gpu/gates.conf), and what all
-- of them together were in the page's edition before this one.
local two_schedulers = { "sm.schedulers=2", "sm.picks=1", "sm.active_warps=16" }

local function and_more(list, ...)
    local all_keys = { table.unpack(list) }
    for _, key in ipairs { ... } do
        table.insert(all_keys, key)
    end
    return all_keys
end

local other_readings = {
    { "control has a path of its own (`sm.sp_control=apart`)", "sm.sp_control=apart" },
    { "double precision is FP (`sm.sp_f64=fp`)", "sm.sp_f64=fp" },
    { "two schedulers, a pick and 16 active warps each", two_schedulers },
    { "warps leave the active set for constants (`sm.const_wait=long`)", "sm.const_wait=long" },
    { "all of these, double precision mixed: the last edition's",
      and_more(two_schedulers, "sm.sp_control=apart", "sm.sp_f64=mixed", "sm.const_wait=long") },
}

-- label, keys of the mechanism, keys of the GPU
local open_keys = {
    { "as configured" },
    { "cluster: `sm.sp_choice=alternate`", "", "sm.sp_choice=alternate" },
    { "cluster: that of one of two schedulers", "", and_more(two_schedulers, "sm.sp_choice=scheduler") },
    { "idle: `idle=issue`", ",idle=issue" },
    { "ready instructions: `ready=each`", ",ready=each" },
    { "ready instructions: `ready=both`", ",ready=both" },
    { "issue ports: `sm.sp_ports=two`", "", "sm.sp_ports=two" },
    { "active set: `sm.active_warps=16`", "", "sm.active_warps=16" },
    { "active set: `sm.active_warps=48`", "", "sm.active_warps=48" },
    { "at most 1000 cycles of a type: `max_switch=1000`", ",max_switch=1000" },
    { "issue: `at_issue=wait`", ",at_issue=wait" },
}

local causes = {
    { "as configured" },
    { "latencies of GPGPU-Sim 4 (L1 35, shared memory 26)", "",
      { "sm.smem_latency=26", "l1d.latency=35" } },
    { "MSHRs and queues of GPGPU-Sim 4", "",
      { "l1d.mshrs=64", "dram.queue=64", "mem.l2_in=64", "mem.l2_dram=64", "mem.dram_l2=64",
        "mem.l2_out=64", "noc.buffer_flits=64" } },
    { "L2 of GPGPU-Sim 4 (sectors)", "",
      { "mem.l2_requests=sectors", "l2.sector=32", "l2.write_miss=lazy", "l2.mshrs=256", "l2.merges=4" } },
    { "copies warm L2, as in GPGPU-Sim 4", "", "mem.copy_warms_l2=on" },
    { "L1's sets hashed, as from July 2014 on", "", "l1d.index=fermi" },
    { "128 MSHRs in L1D instead of 32", "", "l1d.mshrs=128" },
    { "queues of misses and replies of an SM without end", "",
      { "l1d.miss_queue=64", "sm.reply_fifo=64", "sm.reply_queue=1024" } },
    { "code that is lowered: `front.lower=on`", "", "front.lower=on" },
    { "`fma` takes a cycle less than `mad`: `op.ffma_lat=4`", "", "op.ffma_lat=4" },
    { "network and L2 of GPGPU-Sim 3.2.2", "",
      { "noc.mhz=700", "noc.latency=6", "noc.request_latency=7", "noc.vc_alloc=1", "mem.slices=2", "l2.ways=8",
        "mem.bank_bits=8,13,14,15", "mem.l2_port_bytes=32", "mem.dram_credits=on", "dram.return_queue=116",
        "power.ref_l2=64K", "power.ref_l2_ways=8" } },
}

-- One thing at a time, each against the baseline with the same setting.  `small` is a last row: the
-- same programs with the tests' inputs.
local function readings(name, list, plain, small)
    local at, bases = {}, {}
    for k, reading in ipairs(list) do
        local _, more, keys = table.unpack(reading)
        bases[k] = baseline(third, keys, plain)
        add_pair(at, bases[k], third, more, keys)
    end
    figure {
        name = name, kind = "table", title = name, unit = "%",
        columns = { "reading", pair_columns[1], pair_columns[2], pair_columns[3], pair_columns[4],
                    pair_columns[5], pair_columns[6], "baseline itself, slower" },
        rows = function()
            local rows = {}
            for k, reading in ipairs(list) do
                rows[k] = { reading[1], table.unpack(pair(at[k])) }
                table.insert(rows[k], mean(bases[k], slowdown))
            end
            if small then
                table.insert(rows, { "inputs as small as the tests'", table.unpack(pair(small)) })
            end
            return rows
        end,
    }
end

-- ---- the headline under each reading, all programs, each against the baseline with the same reading

local headline_at, headline_bases = {}, {}

if whole then
    for k, reading in ipairs(other_readings) do
        headline_bases[k] = baseline(all, reading[2], base)
        add_pair(headline_at, headline_bases[k], all, "", reading[2])
    end
end

figure {
    name = "headline", kind = "table", title = "the headline under each reading", unit = "%",
    columns = { "reading", pair_columns[1], pair_columns[2], pair_columns[3], pair_columns[4],
                pair_columns[5], pair_columns[6], "baseline itself, slower" },
    rows = function()
        local rows = {
            { "paper", paper.int[1], paper.int[5], paper.fp[1], paper.fp[5], paper.slowdown[1],
              paper.slowdown[5] },
            { "here", table.unpack(pair { conv = conv_pg, warped = warped }) },
        }
        for k, reading in ipairs(whole and other_readings or {}) do
            local row = { reading[1], table.unpack(pair(headline_at[k])) }
            table.insert(row, mean(headline_bases[k], slowdown))
            rows[k + 2] = row
        end
        return rows
    end,
}

-- ---- the suites' own sizes, with fewer launches or a smaller input where a run would take more than a
-- minute.  backprop, lib, mum, nnet and wp have them by default, cutcp has Parboil's small input.

local suite_sizes = {
    { "backprop" }, { "bfs", "524288" }, { "b+tree", "1000000" }, { "cutcp" }, { "gaussian", "208" },
    { "heartwall", "12", "--frames", "2" }, { "hotspot", "1024" }, { "kmeans", "131072" },
    { "lavamd", "216" }, { "lbm", "120", "--steps", "2" }, { "lib" }, { "mri-q", "262144" }, { "mum" },
    { "nnet" }, { "nw", "2048" }, { "sgemm-parboil", "1024", "--columns", "528" }, { "srad", "1024" },
    { "wp" },
}

-- A program's label is the set's, so that series have the default sizes beside them.
local function at_suite_size(p)
    for _, row in ipairs(suite_sizes) do
        if row[1] == p.label and row[2] then
            return { label = p.label, program = p.program,
                     args = { "--size", row[2], row[3], row[4] } }
        end
    end
    return p
end

if whole then
    local list = {}
    for i, p in ipairs(all) do
        list[i] = at_suite_size(p)
    end
    local at = {}
    local own = baseline(list)
    add_pair(at, own, list)

    figure {
        name = "sizes", kind = "table", title = "default sizes and the suites' own", unit = "%",
        columns = { "workload", "input", "idle INT", "at the suite's", "INT conv_pg", "at the suite's",
                    "INT warped", "at the suite's", "FP conv_pg", "at the suite's", "FP warped",
                    "at the suite's" },
        rows = function()
            local function idle_int(r) return 100 * idle(r, "int") end
            -- Of the five columns and their partners, for `of(series, metric)`.
            local function cells(of)
                local c = at[1]
                local cell = { of(base, idle_int), of(own, idle_int) }
                for _, type in ipairs { "int", "fp" } do
                    for _, two in ipairs { { conv_pg, c.conv }, { warped, c.warped } } do
                        table.insert(cell, of(two[1], saved(type)) or none)
                        table.insert(cell, of(two[2], saved(type)) or none)
                    end
                end
                return table.unpack(cell)
            end
            local rows = {}
            for i, p in ipairs(list) do
                rows[i] = { p.label, p == all[i] and "the same" or table.concat(p.args, " "),
                            cells(function(series, metric) return value(series, p.label, metric) end) }
            end
            table.insert(rows, { "mean", "", cells(mean) })
            return rows
        end,
    }
end

local bets, wakes = { 9, 14, 19, 24 }, { 3, 6, 9 }
local bet_at, wake_at = {}, {}

if whole then
    local plain = baseline(third)
    for _, cycles in ipairs(bets) do
        add_pair(bet_at, plain, third, "", nil, cycles)
    end
    for _, cycles in ipairs(wakes) do
        add_pair(wake_at, plain, third, ",wakeup=" .. cycles)
    end
    sensitivity("fig11_bet", "saved and slowdown over break-even time", bets, bet_at,
        { [14] = { 20.1, 31.6, 31.4, 46.5, 1, 1 }, [19] = { 17, 33 } })
    sensitivity("fig11_wakeup", "saved and slowdown over wake-up delay", wakes, wake_at,
        { [3] = { 20.1, 31.6, 31.4, 46.5, 1, 1 }, [9] = { 6, 33, 10, 48, 10, 3 } })

    -- What the paper's own numbers of Fig. 11 say of a wake-up: break-even 14 to 19 costs 5 cycles for each
    -- gating, so that says how often there is one, and with it for how long a pipeline is off.  A delay of 9
    -- instead of 3 takes 6 cycles more: from the time off, if they are exposed, and in run time.
    figure {
        name = "wakeup_sum", kind = "table", title = "what Fig. 11 says of a wake-up, INT conv_pg",
        unit = "", columns = { "of", "a gating every .. cycles of a pipeline", "off, % of cycles",
                               "saved at 9 by the slowdown alone, %",
                               "by 6 cycles less off at each gating too, %", "saved at 9, %" },
        rows = function()
            local function row(name, at14, at19, at9, slow3, slow9)
                local each = (at14 - at19) / 5 -- points for a cycle
                local longer = (100 + slow9) / (100 + slow3)
                return { name, 100 / each, at14 + BREAK_EVEN * each, 100 - longer * (100 - at14),
                         100 - longer * (100 - at14 + 6 * each), at9 }
            end
            local at14, at19, at9 = pair(bet_at[2]), pair(bet_at[3]), pair(wake_at[3])
            return { row("the paper", 20.1, 17, 6, 1, 10),
                     row("here", at14[1], at19[1], at9[1], at14[5], at9[5]) }
        end,
    }

    local tests = set("gates18", { thin = 3, size = "small" })
    local small = {}
    add_pair(small, baseline(tests), tests)
    readings("open_keys", open_keys, plain)
    readings("causes", causes, plain, small[1])
end

-- ---- what the programs were (docs/papers/gates.md, "Why the numbers differ"): warped and the others
-- with the programs before they were brought nearer to the suites' own, same GPU and metric

if whole then
    local columns = { "programs" }
    for _, type in ipairs { "INT ", "FP " } do
        for _, name in ipairs(names) do
            table.insert(columns, type .. name)
        end
    end
    table.insert(columns, "slowdown warped")
    figure {
        name = "programs", kind = "table", title = "our programs before and now", unit = "%",
        columns = columns,
        rows = function()
            local now, of_it = { "now" }, { "paper" }
            for i, series in ipairs(variants) do
                now[i + 1], now[i + 6] = mean(series, saved "int"), mean(series, saved "fp")
                of_it[i + 1], of_it[i + 6] = paper.int[i], paper.fp[i]
            end
            now[12], of_it[12] = mean(warped, slowdown), paper.slowdown[5]
            return {
                { "before", 45.2, 45.1, 51.2, 51.6, 51.5, 45.2, 44.9, 51.7, 52.1, 51.8, 1.54 },
                now, of_it,
            }
        end,
    }
    number("int_nearer", function() return 51.5 - mean(warped, saved "int") end)
    number("fp_further", function() return mean(warped, saved "fp") - 51.8 end)
    number("fp_without_lavamd", function()
        return mean(warped, function(r, b, program)
            return program.label ~= "lavamd" and saved "fp" (r, b) or nil
        end)
    end)
    number("int_last_step", function()
        return mean(coordinated, saved "int") - mean(warped, saved "int")
    end)
    number("fp_last_step", function()
        return mean(warped, saved "fp") - mean(coordinated, saved "fp")
    end)
end

-- ---- targets: the paper's means

local function targets(where, what, unit, list, metric, judge, average)
    for i, series in ipairs(variants) do
        if list[i] == list[i] then -- it is no NaN
            local t = {
                where = where, what = what .. ", " .. names[i], unit = unit, paper = list[i],
                ours = function() return (average or mean)(series, metric) end,
            }
            for key, v in pairs(judge) do
                t[key] = v
            end
            target(t)
        end
    end
end

local function in_order(where, what, list, metric)
    order {
        where = where, what = what, labels = names, paper = list,
        ours = function() return of_each(metric) end,
    }
end

targets("Fig. 9a", "INT static energy saved", "%", paper.int, saved "int", { within = 5 })
targets("Fig. 9b", "FP static energy saved", "%", paper.fp, saved "fp", { within = 5 })
targets("Fig. 10", "slowdown", "%", paper.slowdown, slowdown, { within = 1 })
targets("Fig. 8a", "idle share of INT pipelines, of no gating", "", paper.idle, idle_ratio,
    { sign = true, neutral = 1 })
targets("Fig. 8b", "INT in compensated state, geometric mean", "% of cycles", paper.compensated,
    compensated, { within = 5 }, geomean)
targets("Fig. 8c", "wake-ups of INT pipelines, of conv_pg", "", { none, none, none, 0.74, 0.54 },
    wakeups "int", { within = 0.1 })
in_order("Fig. 9a", "INT static energy saved, by technique", paper.int, saved "int")
in_order("Fig. 9b", "FP static energy saved, by technique", paper.fp, saved "fp")

-- ---- claims: what the text says of its figures, shortened, and whether it is so here.  A claim about
-- a program that was not run is left out.

local format = string.format

local function says(where, text, check)
    claim { where = where, text = text, check = check }
end

-- One claim for each program: is the metric below (or above) a bound?
local function each(where, labels, text, series, metric, bound, above)
    for _, label in ipairs(labels) do
        says(where, label .. ": " .. text, function()
            local v = value(series, label, metric)
            local limit = type(bound) == "function" and bound() or bound
            if v then
                return (above and v > limit) or (not above and v < limit), format("%.1f", v)
            end
        end)
    end
end

-- In how many programs the metric is less for one series than for another.
local function less(a, b, metric)
    return count(a, function(r, base_run, program)
        local mine, other = metric(r, base_run, program), value(b, program.label, metric)
        return mine ~= nil and other ~= nil and mine < other
    end)
end

local function of_all(n)
    return format("%d of %d", n, #all)
end

-- -- sections 3 to 5

-- Shares of the three regions in hotspot, for each of these series; nothing if one is missing.
local function hotspot(...)
    local list = {}
    for _, series in ipairs { ... } do
        for k = 1, #regions do
            local share = value(series, "hotspot", region(k))
            if not share then return end
            table.insert(list, share)
        end
    end
    return table.unpack(list)
end

says("3.1", "hotspot: most idle periods end within idle-detect, few are longer than it and BET",
    function()
        local short, _, long = hotspot(conv_pg)
        if short then
            return short > 50 and long < 10, format("%.0f %% and %.1f %%", short, long)
        end
    end)
says("4.1", "hotspot: GATES makes fewer short ones, more middle and long ones", function()
    local s, m, l, S, M, L = hotspot(conv_pg, gates)
    if s then
        return S < s and M > m and L > l,
            format("%.0f/%.0f/%.0f to %.0f/%.0f/%.0f %%", s, m, l, S, M, L)
    end
end)
says("5", "hotspot: with Blackout none is in the middle", function()
    local _, middle = hotspot(naive)
    if middle then return middle < 0.5, format("%.1f %%", middle) end
end)
says("5", "hotspot: with Blackout several times more are long than with conv_pg", function()
    local _, _, before, _, _, after = hotspot(conv_pg, naive)
    if before then return after > 3 * before, format("%.1f times", after / before) end
end)
says("4", "lavaMD is pure integer", function()
    local share = value(base, "lavamd", issued "fp")
    if share then return share < 1, format("%.0f %% FP", share) end
end)
says("4", "5 of 18 have fewer than ten active warps", function()
    local few = count(base, function(r) return active_warps(r) < 10 end)
    return few == 5 and #all == 18, of_all(few)
end)

if whole then
    says("5.1", "r of critical wake-ups and slowdown is above 0.9 in 11 of 18", function()
        local strong = 0
        for _, p in ipairs(all) do
            local r = critical_r(p.label)
            strong = strong + (r and r > 0.9 and 1 or 0)
        end
        return strong == 11, of_all(strong)
    end)
    for _, label in ipairs { "kmeans", "mum", "lavamd", "mri-q", "wp", "sgemm-parboil" } do
        says("5.1", label .. ": r is low", function()
            local r = critical_r(label)
            if r then return not (r > 0.9), format("%.2f", r) end
        end)
    end
end

-- -- section 7.2

says("7.2", "GATES has more idle cycles than two-level, Coordinated Blackout more than GATES",
    function()
        local g, c = mean(gates, idle_ratio), mean(coordinated, idle_ratio)
        return g > 1 and c > g, format("%.3f and %.3f of its share", g, c)
    end)
says("7.2", "in most programs Warped Gates has a slightly smaller share than Coordinated", function()
    local n = less(warped, coordinated, idle_ratio)
    return 2 * n > #all, of_all(n)
end)
says("7.2", "heartwall: Coordinated has a smaller share than GATES", function()
    local c, g = value(coordinated, "heartwall", idle_ratio), value(gates, "heartwall", idle_ratio)
    if c and g then return c < g, format("%.3f and %.3f", c, g) end
end)
each("7.2", { "backprop", "lavamd" }, "very few idle cycles (below 30 %)", conv_pg,
    function(_, b) return 100 * idle(b, "int") end, 30)
each("7.2", { "cutcp", "mri-q" }, "conv_pg is uncompensated for longer than compensated", conv_pg, net, 0)
each("7.2", { "cutcp", "mri-q" }, "so is GATES", gates, net, 0)
each("7.2", { "cutcp", "mri-q" }, "Warped Gates is not", warped, net, 0, true)
says("7.2", "time in compensated state: conv_pg < GATES < Warped Gates", function()
    local c, g, w = geomean(conv_pg, compensated), geomean(gates, compensated),
        geomean(warped, compensated)
    return c < g and g < w, format("%.1f, %.1f, %.1f %%", c, g, w)
end)
says("7.2", "GATES alone has more wake-ups in some programs", function()
    local more = less(conv_pg, gates, wakeups "int")
    return more > 0, of_all(more)
end)
says("7.2", "Coordinated has fewer than conv_pg, Warped Gates still fewer", function()
    local c, w = mean(coordinated, wakeups "int"), mean(warped, wakeups "int")
    return c < 1 and w < c, format("%.2f and %.2f", c, w)
end)

-- -- section 7.3

-- How much more than another series.
local function more_than(series, metric)
    return function(r, b, program)
        local mine, other = metric(r, b, program), value(series, program.label, metric)
        return mine and other and mine - other
    end
end

each("7.3", { "backprop", "cutcp", "lavamd", "nnet" },
    "conv_pg saves nothing or less (INT, below 1 %)", conv_pg, saved "int", 1)
each("7.3", { "backprop", "heartwall", "nnet" }, "Naive Blackout saves less than GATES (INT, points)",
    naive, more_than(gates, saved "int"), 0)
says("7.3", "these are the only three", function()
    local n = less(naive, gates, saved "int")
    return n == 3, of_all(n)
end)
for _, t in ipairs { "int", "fp" } do
    says("7.3", t:upper() .. ": each technique saves more than the one before", function()
        local v, met = of_each(saved(t)), true
        for i = 2, #v do
            met = met and v[i] > v[i - 1]
        end
        return met, format("%.1f, %.1f, %.1f, %.1f, %.1f %%", table.unpack(v))
    end)
    says("7.3", t:upper() .. ": Warped Gates saves about 1.5 times what conv_pg saves", function()
        local ratio = mean(warped, saved(t)) / mean(conv_pg, saved(t))
        return ratio > 1.35 and ratio < 1.65, format("%.2f", ratio)
    end)
end

-- -- section 7.4

says("7.4", "conv_pg and GATES are similarly slow", function()
    local c, g = mean(conv_pg, slowdown), mean(gates, slowdown)
    return math.abs(g - c) < 1, format("%.1f and %.1f %%", c, g)
end)
says("7.4", "Naive Blackout is the slowest", function()
    local slowest, met = mean(naive, slowdown), true
    for _, series in ipairs { conv_pg, gates, coordinated, warped } do
        met = met and slowest > mean(series, slowdown)
    end
    return met, format("%.1f %%", slowest)
end)
says("7.4", "Warped Gates is as fast as conv_pg", function()
    local w, c = mean(warped, slowdown), mean(conv_pg, slowdown)
    return w - c < 0.5, format("%.1f and %.1f %%", w, c)
end)
each("7.4", { "cutcp", "heartwall", "nnet" }, "Coordinated is slower than in the mean", coordinated,
    slowdown, function() return mean(coordinated, slowdown) end, true)
each("7.4", { "cutcp", "heartwall", "nnet" }, "Warped Gates avoids a part of it (points)", warped,
    more_than(coordinated, slowdown), 0)

-- -- section 7.6

-- Where the values of a pair are.
local INT_C, INT_W, FP_C, FP_W, SLOW_C, SLOW_W = 1, 2, 3, 4, 5, 6

local function all_pairs(list)
    local v = {}
    for k, p in ipairs(list) do
        v[k] = pair(p)
    end
    return v, v[1], v[#v]
end

if whole then
    says("7.6", "Warped Gates saves more than conv_pg at any break-even time", function()
        local v, first, last = all_pairs(bet_at)
        local ahead = true
        for _, p in ipairs(v) do
            ahead = ahead and p[INT_W] > p[INT_C] and p[FP_W] > p[FP_C]
        end
        return ahead, format("INT %.1f to %.1f points", first[INT_W] - first[INT_C],
            last[INT_W] - last[INT_C])
    end)
    says("7.6", "the gap widens with it", function()
        local v, first, last = all_pairs(bet_at)
        local wider = true
        for k = 2, #v do
            wider = wider and v[k][INT_W] - v[k][INT_C] > v[k - 1][INT_W] - v[k - 1][INT_C]
                and v[k][FP_W] - v[k][FP_C] > v[k - 1][FP_W] - v[k - 1][FP_C]
        end
        return wider, format("FP %.1f to %.1f points", first[FP_W] - first[FP_C],
            last[FP_W] - last[FP_C])
    end)
    says("7.6", "performance remains relatively constant", function()
        local slow = {}
        for _, p in ipairs((all_pairs(bet_at))) do
            table.insert(slow, p[SLOW_C])
            table.insert(slow, p[SLOW_W])
        end
        return most(slow) - least(slow) < 2, format("%.1f to %.1f %%", least(slow), most(slow))
    end)
    says("7.6", "at 9 cycles conv_pg saves only 6 and 10 % (it loses more than half)", function()
        local _, at3, at9 = all_pairs(wake_at)
        return 2 * at9[INT_C] < at3[INT_C] and 2 * at9[FP_C] < at3[FP_C],
            format("%.1f and %.1f %%, from %.1f and %.1f", at9[INT_C], at9[FP_C], at3[INT_C],
                at3[FP_C])
    end)
    says("7.6", "Warped Gates sustains its savings (within 3 points)", function()
        local _, at3, at9 = all_pairs(wake_at)
        return math.abs(at9[INT_W] - at3[INT_W]) < 3 and math.abs(at9[FP_W] - at3[FP_W]) < 3,
            format("%.1f and %.1f %%, from %.1f and %.1f", at9[INT_W], at9[FP_W], at3[INT_W],
                at3[FP_W])
    end)
    says("7.6", "conv_pg is slower by nearly 10 %, Warped Gates by 3", function()
        local _, _, at9 = all_pairs(wake_at)
        return at9[SLOW_C] > 5 and at9[SLOW_W] < at9[SLOW_C],
            format("%.1f and %.1f %%", at9[SLOW_C], at9[SLOW_W])
    end)
end

figure {
    name = "claims", kind = "table", title = "what the text says", unit = "",
    columns = { "section", "claim", "here", "met" }, rows = claims,
}
