-- amoeba.lua -- the figures of "AMOEBA: A Coarse Grained Reconfigurable Architecture for Dynamic GPU
-- Scaling" (Cheng et al.).  Its page is docs/papers/amoeba.md.
--
-- Performance is "the geometric mean of IPC speedup (over the baseline GPU)" (section 5): the work of a
-- program is the same everywhere, so it is the ratio of cycles.  Other means are arithmetic.
--
-- What the paper leaves open and the causes of distances are made at default sizes only, with four programs
-- that finish soon and are of different kinds: control diverges (RAY), memory does (PR), neither (ATAX, FWT);
-- and, for why some lose, with four that do.

study {
    name = "amoeba",
    title = "AMOEBA: SMs that fuse and split while a kernel runs",
    doc = "figures 3 to 6, 8 and 12 to 21, table 2, its claims, what it leaves open, causes",
}

local whole = not (options.quick or options.large)
local size = options.quick and "small" or options.large and "large" or nil
local all = set("amoeba12", { thin = options.quick and 4 or 1, size = size })
local few = {}
for _, p in ipairs(set "amoeba12") do
    if p.label == "RAY" or p.label == "FWT" or p.label == "ATAX" or p.label == "PR" then few[#few + 1] = p end
end
local motivation = set("amoeba-motivation", { thin = options.quick and 4 or 1, size = size })
local format = string.format

-- ---- runs

local function machine(label, keys, base, programs)
    return runs { programs = programs or all, gpu = "amoeba", set = keys, base = base, label = label }
end

local function with(label, mech, base, programs, keys)
    return runs { programs = programs or all, gpu = "amoeba", mech = mech, set = keys, base = base, label = label }
end

local base = machine "scale-out"
local up = with("scale-up", "amoeba:mode=scale_up", base)
local dws = with("DWS", "dws", base)

-- Figure 19.
local ray = {}
for _, p in ipairs(set("amoeba12", { size = size })) do
    if p.label == "RAY" then ray[1] = p end
end
local over_time = {}
for i, mode in ipairs { "warp_regroup", "static_fuse" } do
    over_time[i] = runs { programs = ray, gpu = "amoeba", mech = "amoeba:predictor=always,mode=" .. mode, sample = 1000,
                          label = "RAY, " .. mode }
end

-- The splitting itself, whatever the predictor says.
local regroup_all = with("warp regrouping, all fused", "amoeba:mode=warp_regroup,predictor=always", up)
local regroup_all_base = with("warp regrouping, all fused", "amoeba:mode=warp_regroup,predictor=always", base)

-- The other reading of when it decides: while all CTAs run that fit.
local running_all = with("warp regrouping, all fused, all sampled", "amoeba:mode=warp_regroup,predictor=always,sampling=running",
                         base)

-- Figures 3, 4, 6: what 48 SMs have together, cut into n.  Warps are as wide as the next power of two of
-- an SM's lanes, 32 at least.
local function cut(n)
    local function part(total) return math.floor(total / n + 0.5) end
    local words = ({ [16] = 4, [24] = 2, [25] = 2, [36] = 2, [64] = 1 })[n]
    return {
        "gpu.n_sm=" .. n,
        "sm.warp_words=" .. words,
        "sm.simd_width=" .. part(48 * 32),
        "sm.n_warp=" .. math.floor(48 * 32 / n / words),
        "sm.max_threads=" .. math.floor(48 * 1024 / n / 32) * 32,
        "sm.max_cta=" .. part(48 * 8),
        "sm.regs=" .. part(48 * 16384),
        "sm.shared=" .. math.floor(48 * 48 * 1024 / n / 128) * 128,
        "l1d.ways=" .. part(48 * 4),
        "l1d.mshrs=" .. part(48 * 64),
        "l1c.ways=" .. math.max(1, part(48 * 2)),
    }
end

-- "As the total on-chip bandwidth is fixed and is shared by all SMs": links are as much wider as there are fewer
-- nodes (8 of them are memory controllers), 16 bytes with 64 SMs.
local sizes = { 16, 25, 36, 64 }
local cuts, of_16, of_16_perfect, of_16_narrow = {}, {}, {}, {}

local function extended(keys, ...)
    local all = { table.unpack(keys) }
    for _, k in ipairs { ... } do all[#all + 1] = k end
    return all
end

local function links(n)
    return "noc.flit_bytes=" .. math.floor(16 * (64 + 8) / (n + 8) + 0.5)
end

local function perfect(n, over)
    return machine(n .. " SMs", extended(cut(n), "noc.kind=ideal", "noc.latency=1"), over, motivation)
end

for i, n in ipairs(sizes) do
    local keys = extended(cut(n), links(n))
    cuts[i] = machine(n .. " SMs", keys, nil, motivation)
    of_16[i] = machine(n .. " SMs", keys, cuts[1], motivation)
    of_16_perfect[i] = perfect(n, perfect(16))
    of_16_narrow[i] = machine(n .. " SMs", cut(n), machine("16 SMs", cut(16), nil, motivation), motivation)
end

-- Links of 256 bits: what scale-out gains by them alone, and what fused pairs gain over scale-out that has them, too.
local wide = "noc.flit_bytes=32"
local out_wide = machine("scale-out, over links of 128 bits", wide, base)
local base_wide = machine("scale-out", wide)
local up_wide = with("scale-up", "amoeba:mode=scale_up", base_wide, nil, wide)
local fuse_wide = with("static fuse, all", "amoeba:mode=static_fuse,predictor=always", base_wide, nil, wide)
local regroup_wide = with("warp regrouping, all", "amoeba:mode=warp_regroup,predictor=always", base_wide, nil, wide)

-- All fused, whatever becomes of the CTAs that were sampled.
local after = { up }
for _, keys in ipairs { "stay", "fuse_around", "restart", "fuse_around,sampling=running" } do
    after[#after + 1] = with("after_sample=" .. keys, "amoeba:mode=static_fuse,predictor=always,after_sample=" .. keys, base)
end

-- Figure 8: the same, of one program.  A CTA is as fast as its threads while they are on board.
local consistent = {}
for _, p in ipairs(motivation) do
    if p.label == "LIB" or p.label == "RAY" then consistent[#consistent + 1] = p.label end
end

-- Figure 5.
local function neighbours(label, ways)
    return with(label, "amoeba:mode=static_fuse,predictor=never", nil, motivation, ways)
end
local sharing = { neighbours("16 KB"), neighbours("32 KB", "l1d.ways=8"), neighbours("64 KB", "l1d.ways=16") }

-- What needs the predictor.
local fuse = with("static fuse", "amoeba:mode=static_fuse", base)
local direct = with("direct split", "amoeba:mode=direct_split", base)
local regroup = with("warp regrouping", "amoeba:mode=warp_regroup", base)
local regroup_direct = with("warp regrouping", "amoeba:mode=warp_regroup", direct)
local regroup_dws = with("warp regrouping", "amoeba:mode=warp_regroup", dws)
local modes = { up, fuse, direct, regroup }

-- ---- what is measured of a run `r` against another, `b`

local function speedup(r, b)
    return b.total.cycles / r.total.cycles
end

local function misses(cache)
    return function(r)
        if r.stats[cache .. "_access"] > 0 then return 100 * r.stats[cache .. "_miss"] / r.stats[cache .. "_access"] end
    end
end

local function cta_speed(r)
    return r.stats.thread_insts / r.stats.warp_cycles / r.config["sm.warp_words"]
end

-- Misses by instructions of threads, which are the same everywhere, against the baseline's.
local function fewer(name)
    return function(r, b)
        if b.stats[name] > 0 then return 100 * (1 - r.stats[name] / b.stats[name]) end
    end
end

-- "The actual memory access count divided by the total number of memory accesses in the instructions":
-- by all instructions of threads instead, which are the same however a chip is cut.
local function accesses(r)
    return 100 * r.stats.mem_accesses / r.stats.thread_insts
end

local function accesses_ratio(r, b)
    return 100 * r.stats.mem_accesses / b.stats.mem_accesses
end

-- Lanes that do not run for the path of others, of all lanes that issue could have used.
local function inactive(r)
    return 100 * (1 - r.stats.simt_lanes / r.stats.simt_slots)
end

-- "The rate of stalls when new reply packets cannot be generated because an MC's injection queues are full".
local function reply_stalls(r)
    return r.stats.noc_reply_inject_stalls / r.total.cycles
end

local function stalls_ratio(r, b)
    if reply_stalls(b) > 0 then return 100 * reply_stalls(r) / reply_stalls(b) end
end

-- Cycles of pairs; a run without the mechanism has no such counter.
local function fused_cycles(r)
    local known, n = pcall(function() return r.stats.amoeba_fused_cycles end)
    return known and n or 0
end

-- Flits that a node which takes part sends, a cycle.
local function injection(r)
    local nodes = 48 * (1 - fused_cycles(r) / r.stats.sm_cycles)
    return r.stats.noc_request_flits / r.total.cycles / nodes
end

local function latency(r)
    return (r.stats.noc_request_latency_cycles + r.stats.noc_reply_latency_cycles) /
        (r.stats.noc_request_packets + r.stats.noc_reply_packets)
end

local function hops(r)
    return (r.stats.noc_request_hops + r.stats.noc_reply_hops) /
        (r.stats.noc_request_packets + r.stats.noc_reply_packets)
end

local function shared_lines(r)
    if r.stats.amoeba_loads_missed > 0 then return 100 * r.stats.amoeba_loads_beside / r.stats.amoeba_loads_missed end
end

local function split_time(r)
    if r.stats.amoeba_fused_cycles > 0 then return 100 * r.stats.amoeba_split_cycles / r.stats.amoeba_fused_cycles end
    return 0
end

local function fused_time(r)
    return 100 * r.stats.amoeba_fused_cycles * 2 / r.stats.sm_cycles
end

-- ---- figures

figure {
    name = "summary", kind = "table", title = "geometric means", unit = "times",
    columns = { "over", "scale-up", "static fuse", "direct split", "warp regrouping", "DWS" },
    rows = function()
        return {
            { "scale-out", geomean(up, speedup), geomean(fuse, speedup), geomean(direct, speedup), geomean(regroup, speedup),
              geomean(dws, speedup) },
            { n = 6, "scale-out, both with links of 256 bits, all are fused", geomean(up_wide, speedup),
              geomean(fuse_wide, speedup), nil, geomean(regroup_wide, speedup) },
            { n = 6, "paper", nil, nil, nil, 1.47 },
        }
    end,
}

figure {
    name = "fig3a", kind = "bars", title = "performance by number of SMs", unit = "times that of 16", series = of_16,
    metric = speedup, mean = "geomean",
}

figure {
    name = "fig3b", kind = "bars", title = "performance by number of SMs, perfect network", unit = "times that of 16",
    series = of_16_perfect, metric = speedup, mean = "geomean",
}

figure {
    name = "fig3_narrow", kind = "bars", title = "performance by number of SMs, all links of 128 bits",
    unit = "times that of 16", series = of_16_narrow, metric = speedup, mean = "geomean",
}

figure {
    name = "wide", kind = "bars", title = "speed-up over scale-out, both with links of 256 bits", unit = "times",
    series = { out_wide, up_wide, fuse_wide, regroup_wide }, metric = speedup, mean = "geomean",
}

figure {
    name = "after", kind = "bars", title = "CTAs that run when it decides: speed-up over scale-out, all fused", unit = "times",
    series = after, metric = speedup, mean = "geomean",
}

figure {
    name = "fig4", kind = "bars", title = "accesses to memory by number of SMs", unit = "% of instructions of threads",
    series = cuts, metric = accesses, mean = "mean",
}

figure {
    name = "fig5", kind = "bars", title = "misses of L1D that the neighbour's could serve", unit = "%", series = sharing,
    metric = shared_lines, mean = "mean",
}

figure {
    name = "fig6", kind = "bars", title = "lanes that wait for others' path, by number of SMs", unit = "%", series = cuts,
    metric = inactive, mean = "mean",
}

figure {
    name = "fig8", kind = "table", title = "kernels and their CTAs by number of SMs", unit = "times that of 16",
    columns = { "program", "of", "16 SMs", "25 SMs", "36 SMs", "64 SMs" },
    rows = function()
        local rows = {}
        for _, l in ipairs(consistent) do
            local kernel, cta = { l, "kernel" }, { l, "CTAs" }
            for i in ipairs(sizes) do
                kernel[2 + i] = value(of_16[i], l, speedup)
                cta[2 + i] = value(cuts[i], l, cta_speed) / value(cuts[1], l, cta_speed)
            end
            rows[#rows + 1], rows[#rows + 2] = kernel, cta
        end
        return rows
    end,
}

figure {
    name = "fig12", kind = "bars", title = "speed-up over scale-out", unit = "times", series = modes, metric = speedup,
    mean = "geomean", paper = { [4] = 1.47 },
}

figure {
    name = "fig13", kind = "bars", title = "lanes that wait for others' path", unit = "%",
    series = { base, up, fuse, direct, regroup }, metric = inactive, mean = "mean",
}

figure {
    name = "fig14", kind = "bars", title = "misses of L1I", unit = "%", series = { base, up, fuse, direct, regroup },
    metric = misses "l1i", mean = "mean",
}

figure {
    name = "fig15", kind = "bars", title = "misses of L1D", unit = "%", series = { base, up, fuse, direct, regroup },
    metric = misses "l1d", mean = "mean",
}

figure {
    name = "fig16", kind = "bars", title = "accesses to memory, of scale-out's", unit = "%", series = modes,
    metric = accesses_ratio, mean = "mean",
}

figure {
    name = "fig17", kind = "bars", title = "replies that could not enter the network, of scale-out's", unit = "%",
    series = modes, metric = stalls_ratio, mean = "mean",
}

figure {
    name = "fig18", kind = "bars", title = "flits that a node sends", unit = "a cycle",
    series = { base, up, fuse, direct, regroup }, metric = injection, mean = "mean",
}

figure {
    name = "network", kind = "table", title = "the network", unit = "",
    columns = { "program", "hops, scale-out", "hops, scale-up", "latency, scale-out", "latency, scale-up" },
    rows = function()
        local rows = {}
        for i, p in ipairs(all) do
            rows[i] = { p.label, value(base, p.label, hops), value(up, p.label, hops), value(base, p.label, latency),
                        value(up, p.label, latency) }
        end
        return rows
    end,
}

-- Figure 19 shows five SMs of RAY over time; here all pairs.  The second SM of a pair that is fused, and not
-- split, is off.
figure {
    name = "fig19", kind = "lines", title = "pairs of RAY that run as one", unit = "%", x_title = "cycle",
    columns = { "cycle", "warp regrouping", "static fuse" },
    rows = function()
        local rows, at = {}, {}
        for i, s in ipairs(over_time) do
            local r = run(s, "RAY")
            for _, k in ipairs(r and r.kernels or {}) do
                for _, sample in ipairs(k.samples) do
                    local row = at[sample.cycle]
                    if not row then
                        row = { n = 3, sample.cycle }
                        at[sample.cycle] = row
                        rows[#rows + 1] = row
                    end
                    row[1 + i] = 200 * sample.stalls.off / sample.stalls.scheduler_cycles
                end
            end
        end
        table.sort(rows, function(a, b) return a[1] < b[1] end)
        return rows
    end,
}

figure {
    name = "splits", kind = "table", title = "pairs that split", unit = "",
    columns = { "program", "fused by the predictor, % of time", "splits", "fused again", "split, % of fused time",
                "splits, all fused", "fused again, all fused", "split, all fused, %", "warps cut", "fast warps moved" },
    rows = function()
        local rows = {}
        local function of(name)
            return function(r) return r.stats["amoeba_" .. name] end
        end
        for i, p in ipairs(all) do
            local l, a = p.label, regroup_all
            rows[i] = { n = 10, l, value(regroup, l, fused_time), value(regroup, l, of "splits"),
                        value(regroup, l, of "fused_again"), value(regroup, l, split_time), value(a, l, of "splits"),
                        value(a, l, of "fused_again"), value(a, l, split_time), value(a, l, of "cut"),
                        value(a, l, of "moved_fast") }
        end
        return rows
    end,
}

figure {
    name = "sampling", kind = "table", title = "what runs while it samples, all fused", unit = "",
    columns = { "program", "sampled alone: fused, % of time", "speed-up", "all run: fused, % of time", "all run: speed-up" },
    rows = function()
        local rows, alone, running = {}, regroup_all_base, running_all
        for i, p in ipairs(all) do
            local l = p.label
            rows[i] = { n = 5, l, value(alone, l, fused_time), value(alone, l, speedup), value(running, l, fused_time),
                        value(running, l, speedup) }
        end
        rows[#rows + 1] = { n = 5, "mean", mean(alone, fused_time), geomean(alone, speedup), mean(running, fused_time),
                            geomean(running, speedup) }
        return rows
    end,
}

-- Figure 20 is coefficient times value: the values, of launches that were sampled.
local metrics = { "ctas", "divergence", "coalescing", "l1d_miss", "l1i_miss", "l1c_miss", "mshr_merge", "loads", "stores",
                  "noc", "noc_latency" }

local function sampled(name)
    return function(r)
        if r.stats.amoeba_sampled > 0 then return r.stats["amoeba_m_" .. name] / r.stats.amoeba_sampled / 1e6 end
    end
end

figure {
    name = "fig20", kind = "table", title = "metrics that were sampled", unit = "",
    columns = { "program", "fuse", table.unpack(metrics) },
    rows = function()
        local rows = {}
        for i, p in ipairs(all) do
            local row = { n = 2 + #metrics, p.label, value(fuse, p.label, function(r)
                if r.stats.amoeba_sampled > 0 then return r.stats.amoeba_up / r.stats.amoeba_sampled end
            end) }
            for k, m in ipairs(metrics) do row[2 + k] = value(fuse, p.label, sampled(m)) end
            rows[i] = row
        end
        return rows
    end,
}

figure {
    name = "fig21", kind = "bars", title = "speed-up over scale-out, against DWS", unit = "times", series = { dws, regroup },
    metric = speedup, mean = "geomean",
}

-- How often DWS finds a warp to subdivide.
figure {
    name = "dws", kind = "table", title = "warps that DWS subdivides", unit = "",
    columns = { "program", "at branches", "at loads", "by 1000 instructions of warps", "no context left", "speed-up" },
    rows = function()
        local rows = {}
        local function of(name)
            return function(r) return r.stats["dws_" .. name] end
        end
        for i, p in ipairs(all) do
            local l = p.label
            rows[i] = { n = 6, l, value(dws, l, of "branch_splits"), value(dws, l, of "memory_splits"),
                        value(dws, l, function(r)
                            return 1000 * (r.stats.dws_branch_splits + r.stats.dws_memory_splits) / r.stats.warp_insts
                        end), value(dws, l, of "no_slot"), value(dws, l, speedup) }
        end
        return rows
    end,
}

-- ---- targets

local function of(series, label, metric)
    return function() return value(series, label, metric) end
end

local function mean_of(series, metric)
    return function() return geomean(series, metric) end
end

local said = {}
local function says_number(t)
    said[#said + 1] = t
    target(t)
end

says_number { where = "5.1.1", what = "warp regrouping over scale-out", unit = "times", paper = 1.47,
              ours = mean_of(regroup, speedup), within = 0.1 }
says_number { where = "5.1.1", what = "warp regrouping over scale-out, SM", unit = "times", paper = 4.25,
              ours = of(regroup, "SM", speedup), within = 0.4 }
says_number { where = "5.1.1", what = "warp regrouping over scale-out, MUM", unit = "times", paper = 2.11,
              ours = of(regroup, "MUM", speedup), within = 0.2 }
says_number { where = "5.1.1", what = "warp regrouping over direct split", unit = "times", paper = 1.16,
              ours = mean_of(regroup_direct, speedup), within = 0.05 }
says_number { where = "5.4", what = "warp regrouping over DWS", unit = "times", paper = 1.27,
              ours = mean_of(regroup_dws, speedup), within = 0.1 }
says_number { where = "5.4", what = "warp regrouping over DWS, SM", unit = "times", paper = 3.97,
              ours = of(regroup_dws, "SM", speedup), within = 0.4 }
for i, t in ipairs { { "static fuse", fuse, 9 }, { "direct split", direct, 20 }, { "warp regrouping", regroup, 30 } } do
    says_number { where = "5.1.3", what = "misses of L1I, less by " .. t[1], unit = "%", paper = t[3],
                  ours = function() return mean(t[2], fewer "l1i_miss") end, within = 5 }
end
says_number { where = "5.1.3", what = "misses of L1D, less by warp regrouping, SM", unit = "%", paper = 70,
              ours = of(regroup, "SM", fewer "l1d_miss"), within = 10 }
-- Section 5.5 counts "128 SM cores" and a die of 480 mm2: a run on so many SMs, for what it says of area.
local many_sms = with("128 SMs", "amoeba", nil, set("amoeba12", { size = "small", thin = 12 }), "gpu.n_sm=128")
says_number { where = "5.5", what = "area, of a die of 480 mm2 with 128 SMs", unit = "%", paper = 0.88,
              ours = function() return mean(many_sms, function(r) return 100 * r.area.amoeba / 480 end) end, within = 0.01 }
number("said_area", function() return mean(many_sms, function(r) return 100 * r.area.amoeba / 480 end) end)
number("said_regroup_direct", mean_of(regroup_direct, speedup))
number("area_of_chip", function()
    return mean(regroup, function(r) return 100 * r.area.amoeba / (r.area.total - r.area.amoeba) end)
end)

figure {
    name = "said", kind = "table", title = "numbers of the text", unit = "",
    columns = { "section", "what", "unit", "paper", "here" },
    rows = function()
        local rows = {}
        for i, t in ipairs(said) do rows[i] = { n = 5, t.where, t.what, t.unit, t.paper, t.ours() } end
        return rows
    end,
}

-- ---- claims

local function says(where, what, check)
    claim { where = where, text = what, check = check }
end

-- f of each of these programs: true or false, and what to say; nil: not among them.
local function each(names, f)
    local ok, said = true, {}
    for _, l in ipairs(names) do
        local good, text = f(l)
        if good ~= nil then
            ok = ok and good
            said[#said + 1] = l .. " " .. text
        end
    end
    if #said > 0 then return ok, table.concat(said, ", ") end
end

local function labels()
    local l = {}
    for i, p in ipairs(all) do l[i] = p.label end
    return l
end

local function many(share, f)
    local n, yes, no = 0, 0, {}
    for _, l in ipairs(labels()) do
        local v = f(l)
        if v ~= nil then
            n = n + 1
            if v then yes = yes + 1 else no[#no + 1] = l end
        end
    end
    if n > 0 then
        return yes >= share * n, format("%d of %d", yes, n) .. (#no > 0 and #no < 6 and "; not " .. table.concat(no, ", ") or "")
    end
end

local function less(series, metric, other)
    return function(l)
        local a, b = value(series, l, metric), value(other, l, metric)
        if a and b then return a < b end
    end
end

says("3.1", "some programs gain by more and smaller SMs (CP), others lose (MUM, RAY)", function()
    return each({ "CP", "MUM", "RAY" }, function(l)
        local v = value(of_16[4], l, speedup)
        if v then return (l == "CP") == (v > 1), format("%.2f", v) end
    end)
end)
says("3.1", "without the network LPS, AES and CP do better scaled out", function()
    return each({ "LPS", "AES", "CP" }, function(l)
        local a, b = value(of_16[4], l, speedup), value(of_16_perfect[4], l, speedup)
        if a and b then return b > a, format("%.2f, mesh %.2f", b, a) end
    end)
end)
says("3.1", "16 SMs have fewer accesses to memory than 64", function()
    local a, b = mean(cuts[1], accesses), mean(cuts[4], accesses)
    return a < b, format("%.2f and %.2f %%", a, b)
end)
says("3.1", "more is shared with neighbours if L1D is two and four times as large", function()
    local a, b, c = mean(sharing[1], shared_lines), mean(sharing[2], shared_lines), mean(sharing[3], shared_lines)
    return a < b and b < c, format("%.1f, %.1f, %.1f %%", a, b, c)
end)
says("3.1", "larger SMs lose more to control divergence", function()
    local a, b = mean(cuts[1], inactive), mean(cuts[4], inactive)
    return a > b, format("%.1f and %.1f %%", a, b)
end)
says("4.1.1", "CTAs scale as their kernel does: RAY is faster with few SMs, LIB with many", function()
    return each(consistent, function(l)
        local k = value(of_16[4], l, speedup)
        local c = value(cuts[4], l, cta_speed) / value(cuts[1], l, cta_speed)
        return (l == "RAY") == (k < 1) and (k < 1) == (c < 1), format("64 SMs %.2f, its CTAs %.2f", k, c)
    end)
end)
says("5.1.1", "SM gains most", function()
    local v, most, who = value(regroup, "SM", speedup), 0, "?"
    for _, l in ipairs(labels()) do
        local s = value(regroup, l, speedup)
        if s and s > most then most, who = s, l end
    end
    if v then return who == "SM", format("%s %.2f, SM %.2f", who, most, v) end
end)
says("5.1.1", "static fuse is about scale-up where larger SMs are better", function()
    return many(0.8, function(l)
        local u, f = value(up, l, speedup), value(fuse, l, speedup)
        if u and f and u > 1 then return f > 1 + 0.8 * (u - 1) end
    end)
end)
says("5.1.1", "3MM and ATAX prefer scale-out", function()
    return each({ "3MM", "ATAX" }, function(l)
        local v = value(up, l, speedup)
        if v then return v < 1, format("scale-up %.2f", v) end
    end)
end)
says("5.1.1", "static fuse finds that out: better than scale-up", function()
    return each({ "3MM", "ATAX" }, function(l)
        local u, f = value(up, l, speedup), value(fuse, l, speedup)
        if u and f then return f > u, format("%.2f against %.2f", f, u) end
    end)
end)
says("5.1.1", "FWT and KM do not care: all within 5 % of scale-out", function()
    return each({ "FWT", "KM" }, function(l)
        local worst = 1
        for _, s in ipairs(modes) do
            local v = value(s, l, speedup)
            if v and math.abs(v - 1) > math.abs(worst - 1) then worst = v end
        end
        return math.abs(worst - 1) < 0.05, format("%.2f", worst)
    end)
end)
says("5.1.1", "direct split and static fuse are alike but for BFS and SM", function()
    return many(1, function(l)
        local f, d = value(fuse, l, speedup), value(direct, l, speedup)
        if f and d and l ~= "BFS" and l ~= "SM" then return math.abs(d / f - 1) < 0.05 end
    end)
end)
says("5.1.1", "WP loses by static fuse", function()
    return each({ "WP" }, function(l)
        local v = value(fuse, l, speedup)
        if v then return v < 1, format("%.2f", v) end
    end)
end)
says("5.1.2", "scale-out has the fewest lanes that wait", function()
    return many(1, function(l)
        local b = value(base, l, inactive)
        for _, s in ipairs(modes) do
            local v = value(s, l, inactive)
            if v and b and v < b - 0.05 then return false end
        end
        return b and true
    end)
end)
says("5.1.2", "fewer wait with warp regrouping than with scale-up, where many do", function()
    return many(0.8, function(l)
        local u, r = value(up, l, inactive), value(regroup_all, l, inactive)
        if u and r and u > 10 then return r < u end
    end)
end)
says("5.1.3", "L1I misses of FWT, 3MM and ATAX do not change", function()
    return each({ "FWT", "3MM", "ATAX" }, function(l)
        local a, b = value(base, l, misses "l1i"), value(up, l, misses "l1i")
        if a and b then return math.abs(a - b) < 0.5, format("%.2f and %.2f %%", a, b) end
    end)
end)
says("5.1.3", "most have fewer misses of L1I when fused", function() return many(0.6, less(up, misses "l1i", base)) end)
says("5.1.3", "BFS and MUM have more misses of L1D with warp regrouping", function()
    return each({ "BFS", "MUM" }, function(l)
        local a, b = value(base, l, misses "l1d"), value(regroup, l, misses "l1d")
        if a and b then return b > a, format("%.1f against %.1f %%", b, a) end
    end)
end)
says("5.1.3", "all have fewer accesses to memory", function()
    return many(1, function(l)
        local v = value(regroup, l, accesses_ratio)
        if v then return v < 100 end
    end)
end)
says("5.1.4", "all schemes have fewer replies that could not enter the network", function()
    return many(1, function(l)
        local v = value(regroup, l, stalls_ratio)
        if v then return v < 100 end
    end)
end)
says("5.1.4", "fused nodes send more flits a cycle", function()
    return many(1, function(l)
        local a, b = value(base, l, injection), value(up, l, injection)
        if a and b then return b > a end
    end)
end)
says("5.2", "pairs of RAY split and fuse again", function()
    local s = value(regroup_all, "RAY", function(r) return r.stats.amoeba_splits end)
    local f = value(regroup_all, "RAY", function(r) return r.stats.amoeba_fused_again end)
    if s and f then return s > 0 and f > 0, format("%d splits, %d times fused again", s, f) end
end)
says("5.3", "the predictor fuses for BFS and RAY, and not for PR", function()
    return each({ "BFS", "RAY", "PR" }, function(l)
        local v = value(fuse, l, function(r)
            if r.stats.amoeba_sampled > 0 then return r.stats.amoeba_up / r.stats.amoeba_sampled end
        end)
        if v then return (v > 0.5) == (l ~= "PR"), format("%.2f of its kernels", v) end
    end)
end)

figure {
    name = "claims", kind = "table", title = "what the text says", unit = "",
    columns = { "section", "claim", "here", "met" }, rows = claims,
}

-- ---- what it leaves open, and causes: four programs

if whole then
    local plain = machine("scale-out", nil, nil, few)

    local function row(label, keys)
        return { label, with("amoeba", "amoeba:" .. keys, plain, few) }
    end

    local readings = {
        row("scale-up", "mode=scale_up"),
        row("no cycle more for L1: `late=0`", "mode=scale_up,late=0"),
        row("three: `late=3`", "mode=scale_up,late=3"),
        row("warp regrouping, all fused", "predictor=always"),
        row("all CTAs run while it samples: `sampling=running`", "predictor=always,sampling=running"),
        row("CTAs end first, or keep their pair: `after_sample=stay`", "predictor=always,after_sample=stay"),
        row("all pairs begin together: `after_sample=restart`", "predictor=always,after_sample=restart"),
        row("of L1 caches the ways alone: `joined=ways`", "predictor=always,joined=ways"),
        row("a sample of 1000 cycles: `length=1000`", "predictor=always,length=1000"),
        row("each launch decides: `remember=off`", "predictor=always,remember=off"),
        row("to fuse takes 1000 cycles: `fuse_cycles=1000`", "predictor=always,fuse_cycles=1000"),
        row("splits from 10 % on: `threshold=10`", "predictor=always,threshold=10"),
        row("from 50 % on: `threshold=50`", "predictor=always,threshold=50"),
        row("by paths alone: `divergence=control`", "predictor=always,divergence=control"),
        row("by late data alone: `divergence=memory`", "predictor=always,divergence=memory"),
        row("looks every 100 cycles: `period=100`", "predictor=always,period=100"),
        row("groups of 1 thread: `group=1`", "predictor=always,group=1"),
        row("of 32: `group=32`", "predictor=always,group=32"),
        row("no fast warps are moved: `move=0`", "predictor=always,move=0"),
        row("halves of warps that were cut, too: `fast=any`", "predictor=always,fast=any"),
        row("to an SM that issues a quarter of what it could: `stalling=25`", "predictor=always,stalling=25"),
        row("uncut warps on one datapath: `uncut=one`", "predictor=always,uncut=one"),
        row("eight in 100 cycles: `move=8,period=100`", "predictor=always,move=8,period=100"),
        row("the paper's coefficients: `predictor=paper`", "predictor=paper"),
    }
    figure {
        name = "open_keys", kind = "table", title = "what the paper leaves open", unit = "",
        columns = { "reading", "speed-up over scale-out", "split, % of fused time" },
        rows = function()
            local rows = {}
            for i, o in ipairs(readings) do
                rows[i] = { n = 3, o[1], geomean(o[2], speedup), mean(o[2], split_time) }
            end
            return rows
        end,
    }

    -- When a pair splits, and what is moved then, of all twelve.
    local splitting = {}
    for _, threshold in ipairs { 25, 50, 75 } do
        for _, move in ipairs { "move=1,period=1000", "move=4,period=1000", "move=1,period=100", "move=4,period=100" } do
            local keys = "threshold=" .. threshold .. "," .. move
            splitting[#splitting + 1] = with(keys, "amoeba:mode=warp_regroup,predictor=always," .. keys, base)
        end
    end
    figure {
        name = "splitting", kind = "bars", title = "warp regrouping, all fused: when it splits, and what is moved",
        unit = "times", series = splitting, metric = speedup, mean = "geomean",
    }

    -- Each machine or compiler, fused and regrouped.
    local causes = {
        { "as configured" },
        { "code that is lowered: `front.lower=on`", "front.lower=on" },
        { "8 lanes, as table 1 has them: `sm.simd_width=8`", "sm.simd_width=8" },
        { "a perfect network: `noc.kind=ideal`", "noc.kind=ideal" },
        { "links of 256 bits: `noc.flit_bytes=32`", "noc.flit_bytes=32" },
        { "a line takes 12 flits, not 9: `mem.l2_requests=sectors`", "mem.l2_requests=sectors" },
        { "L1D of 64 KB: `l1d.ways=16`", "l1d.ways=16" },
    }
    for _, c in ipairs(causes) do
        c.base = machine("scale-out", c[2], nil, few)
        c.up = with("scale-up", "amoeba:mode=scale_up", c.base, few, c[2])
        c.regroup = with("regroup", "amoeba:predictor=always", c.base, few, c[2])
    end
    figure {
        name = "causes", kind = "table", title = "machine and compiler", unit = "times",
        columns = { "with", "scale-up", "warp regrouping, all fused" },
        rows = function()
            local rows = {}
            for i, c in ipairs(causes) do rows[i] = { c[1], geomean(c.up, speedup), geomean(c.regroup, speedup) } end
            return rows
        end,
    }

    -- Why programs lose when all SMs are fused: four that do.
    local lose = {}
    for _, p in ipairs(set "amoeba12") do
        if p.label == "BFS" or p.label == "SM" or p.label == "MUM" or p.label == "FWT" then lose[#lose + 1] = p end
    end
    local alone = machine("scale-out", nil, nil, lose)
    local function fused(label, keys, keys_of_both)
        local over = keys_of_both and machine("scale-out", keys_of_both, nil, lose) or alone
        return { label, with("scale-up", "amoeba:mode=scale_up", over, lose, keys or keys_of_both) }
    end
    local why = {
        fused "as configured",
        fused("the joined L1D takes two accesses a cycle: `l1d.banks=2`", "l1d.banks=2"),
        fused("both: links twice as wide: `noc.flit_bytes=32`", nil, "noc.flit_bytes=32"),
        { "memory units joined, warps of 32: `bind:kind=join,l1d=2`", with("joined", "bind:kind=join,l1d=2", alone, lose) },
        { "24 SMs of twice the size, with a mesh of their own", machine("24 SMs", cut(24), alone, lose) },
        fused("both with a perfect network: `noc.kind=ideal`", nil, "noc.kind=ideal"),
    }
    local columns = { "scale-up" }
    for i, p in ipairs(lose) do columns[1 + i] = p.label end
    figure {
        name = "why_lose", kind = "table", title = "programs that lose when fused", unit = "times", columns = columns,
        rows = function()
            local rows = {}
            for i, w in ipairs(why) do
                rows[i] = { n = 1 + #lose, w[1] }
                for k, p in ipairs(lose) do rows[i][1 + k] = value(w[2], p.label, speedup) end
            end
            return rows
        end,
    }

    number("ideal_most", function()
        local most = 0
        for _, p in ipairs(lose) do most = math.max(most, math.abs(100 * value(why[6][2], p.label, speedup) - 100)) end
        return most
    end)

    -- The network: what the paper leaves open in it, scale-up over the same machine's scale-out.
    do
        local programs = {}
        for _, p in ipairs(set "amoeba12") do
            if p.label == "3MM" or p.label == "FWT" or p.label == "BFS" or p.label == "MUM" or p.label == "KM" then
                programs[#programs + 1] = p
            end
        end
        local function total(r) return r.total.cycles end
        local two = { "mem.slices=2", "l2.ways=8" } -- L2 slices a controller, each a node
        local still = extended(two, "noc.vc=static", "noc.vcs=2", "noc.input_speedup=1")
        local function reading(label, keys, mech)
            local over = machine("scale-out", keys, nil, programs)
            return { label, over, with("scale-up", "amoeba:mode=scale_up" .. (mech or ""), over, programs, keys) }
        end
        local readings = {
            reading "as configured: 8 nodes of memory, any of 8 channels, input speed-up 2",
            reading("one channel, as the GTX 480's crossbar: `noc.vcs=1`", "noc.vcs=1"),
            reading("2, as the ISPASS-2009 mesh: `noc.vcs=2`", "noc.vcs=2"),
            reading("16: `noc.vcs=16`", "noc.vcs=16"),
            reading("a pair's own: `noc.vc=static`", "noc.vc=static"),
            reading("`noc.vc=static`, 2 channels", { "noc.vc=static", "noc.vcs=2" }),
            reading("`noc.input_speedup=1`", "noc.input_speedup=1"),
            reading("the simulator's places: `noc.map=booksim`", "noc.map=booksim"),
            reading("the last rows: `noc.map=rows`", "noc.map=rows"),
            reading("one channel, the simulator's places", { "noc.vcs=1", "noc.map=booksim" }),
            reading("16 nodes of memory: `mem.slices=2`", two),
            reading("16, 2 channels, a pair's own, speed-up 1", still),
            reading("16, any of 2, speed-up 1", extended(still, "noc.vc=any")),
            reading("16, any of 8, speed-up 1", extended(still, "noc.vc=any", "noc.vcs=8")),
            reading("16, 8, a pair's own, speed-up 1", extended(still, "noc.vcs=8")),
            reading("16, 2, a pair's own, speed-up 2", extended(still, "noc.input_speedup=2")),
            reading("16, any of 2, speed-up 2", extended(two, "noc.vcs=2")),
            reading("16, one channel", extended(two, "noc.vcs=1")),
            reading("a pair has both ports: `ports=2`", nil, ",ports=2"),
            reading("injection queues twice as long: `noc.inject_flits=18`", "noc.inject_flits=18"),
            reading("L1D's miss queue twice as long: `l1d.miss_queue=16`", "l1d.miss_queue=16"),
        }
        local columns = { "scale-up", "scale-out, times that as configured" }
        for i, p in ipairs(programs) do columns[2 + i] = p.label end
        columns[#columns + 1] = "geomean"
        figure {
            name = "network_open", kind = "table", title = "the network, other readings", unit = "times", columns = columns,
            rows = function()
                local rows = {}
                for i, o in ipairs(readings) do
                    local plain = 1
                    rows[i] = { n = #columns, o[1] }
                    for k, p in ipairs(programs) do
                        local a, b = value(readings[1][2], p.label, total), value(o[2], p.label, total)
                        plain = a and b and plain and plain * a / b
                        rows[i][2 + k] = value(o[3], p.label, speedup)
                    end
                    rows[i][2] = plain and plain ^ (1 / #programs)
                    rows[i][#columns] = geomean(o[3], speedup)
                end
                return rows
            end,
        }
    end

    -- What programs gain by an I-cache of twice the ways: those with most misses.
    local much_code = {}
    for _, p in ipairs(set "amoeba12") do
        if p.label == "RAY" or p.label == "WP" then much_code[#much_code + 1] = p end
    end
    local code_base = machine("scale-out", nil, nil, much_code)
    local code_perfect = machine("scale-out, no misses of L1I", "sm.perfect_icache=on", code_base, much_code)
    local code_up = with("scale-up", "amoeba:mode=scale_up", code_base, much_code)
    local code_up_perfect = with("scale-up, no misses of L1I", "amoeba:mode=scale_up", code_perfect, much_code,
                                 "sm.perfect_icache=on")
    local function tail(r) return 100 * r.stalls.tail / (r.stalls.scheduler_cycles - r.stalls.off) end
    figure {
        name = "icache", kind = "table", title = "programs with misses of L1I", unit = "",
        columns = { "program", "scale-out without misses of L1I, over with", "scale-up", "scale-up, both without misses of L1I",
                    "no CTA left, % of the time of an SM, scale-out", "scale-up" },
        rows = function()
            local rows = {}
            for i, p in ipairs(much_code) do
                local l = p.label
                rows[i] = { n = 6, l, value(code_perfect, l, speedup), value(code_up, l, speedup),
                            value(code_up_perfect, l, speedup), value(code_base, l, tail), value(code_up, l, tail) }
            end
            return rows
        end,
    }

    -- DWS in other readings of its paper.
    local dws_readings = {
        { "as configured", with("dws", "dws", plain, few) },
        { "whenever data come late: `memory=aggressive`", with("dws", "dws:memory=aggressive", plain, few) },
        { "parts of a single thread: `least=1`", with("dws", "dws:least=1", plain, few) },
        { "re-unite by PC: `reunite=pc`", with("dws", "dws:reunite=pc", plain, few) },
        { "both with 16 warps an SM: `sm.n_warp=16`",
          with("dws", "dws", machine("scale-out", "sm.n_warp=16", nil, few), few, "sm.n_warp=16") },
    }
    figure {
        name = "dws_open", kind = "table", title = "DWS, other readings", unit = "times",
        columns = { "reading", "RAY", "FWT", "ATAX", "PR", "geomean" },
        rows = function()
            local rows = {}
            for i, o in ipairs(dws_readings) do
                rows[i] = { n = 6, o[1] }
                for k, l in ipairs { "RAY", "FWT", "ATAX", "PR" } do rows[i][1 + k] = value(o[2], l, speedup) end
                rows[i][6] = geomean(o[2], speedup)
            end
            return rows
        end,
    }

    -- A CTA of SM has a cache line in use for each of its 256 tasks, 32 KB: as much as two L1D.  Its input has four
    -- CTAs; with fewer SMs, several are on one.
    local text = {}
    for _, p in ipairs(set "amoeba12") do
        if p.label == "SM" then text[1] = p end
    end
    local chips = {}
    for i, n in ipairs { 48, 8, 4, 2 } do
        local keys, of_sm, of_pair = "gpu.n_sm=" .. n, math.max(1, 4 // n), math.max(1, 4 // (n // 2))
        local over = machine("scale-out", keys, nil, text)
        chips[i] = { tostring(n), 32 * of_sm, 32 * of_pair, over, with("scale-up", "amoeba:mode=scale_up", over, text, keys),
                     with("warp regrouping, all fused", "amoeba:predictor=always", over, text, keys) }
    end
    figure {
        name = "sm_sizes", kind = "table", title = "SM by what its CTAs have in use", unit = "",
        columns = { "SMs for its four CTAs", "lines in use, KB, of an SM's 16", "of a pair's 32", "misses of L1D, scale-out, %",
                    "misses, less by scale-up, %", "scale-up, times", "misses, less by warp regrouping, %",
                    "warp regrouping, all fused, times" },
        rows = function()
            local rows = {}
            for i, c in ipairs(chips) do
                local over, fused, cut = c[4], c[5], c[6]
                rows[i] = { n = 8, c[1], c[2], c[3], value(over, "SM", misses "l1d"), value(fused, "SM", fewer "l1d_miss"),
                            value(fused, "SM", speedup), value(cut, "SM", fewer "l1d_miss"), value(cut, "SM", speedup) }
            end
            return rows
        end,
    }

    -- Inputs: small ones of all, and what Polybench's own ATAX has (4096).
    local small = set("amoeba12", { size = "small" })
    local small_base = machine("scale-out", nil, nil, small)
    local small_up = with("scale-up", "amoeba:mode=scale_up", small_base, small)
    figure {
        name = "small_sizes", kind = "table", title = "scale-up by size of the input", unit = "times",
        columns = { "program", "small", "default" },
        rows = function()
            local rows = {}
            for i, p in ipairs(small) do
                rows[i] = { n = 3, p.label, value(small_up, p.label, speedup), value(up, p.label, speedup) }
            end
            rows[#rows + 1] = { n = 3, "geomean", geomean(small_up, speedup), geomean(up, speedup) }
            return rows
        end,
    }

    local atax = {}
    for i, n in ipairs { 1024, 2048, 4096 } do
        atax[i] = { label = tostring(n), program = "atax", args = n ~= 1024 and { "--size", tostring(n) } or {} } -- its default
    end
    local atax_base = machine("scale-out", nil, nil, atax)
    local atax_up = with("scale-up", "amoeba:mode=scale_up", atax_base, atax)
    figure {
        name = "atax_sizes", kind = "table", title = "ATAX by size of its matrix", unit = "",
        columns = { "rows", "CTAs of 256 threads", "misses of L1D, scale-out, %", "misses, less by scale-up, %", "scale-up, times" },
        rows = function()
            local rows = {}
            for i, p in ipairs(atax) do
                local l = p.label
                rows[i] = { n = 5, l, tonumber(l) / 256, value(atax_base, l, misses "l1d"), value(atax_up, l, fewer "l1d_miss"),
                            value(atax_up, l, speedup) }
            end
            return rows
        end,
    }
end
