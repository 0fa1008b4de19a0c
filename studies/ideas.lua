-- ideas.lua -- five ideas, each on a small program: what it gains and costs, and what happened.
--
-- Each is compared with its own GPU's baseline, on the GPU of its paper.  The sentences are made of
-- the counters of these runs.  It is what ./run demo shows; the papers' own programs and figures are
-- made by the studies of the ideas' names.

study {
    name = "ideas",
    title = "Five ideas on small programs",
    doc = "performance, energy and area beside the baseline of each, and what happened",
}

-- ---- words

local function signed(percent)
    return string.format(math.abs(percent) < 0.05 and "%+.3f %%" or "%+.1f %%", percent)
end

-- A share of 1 in per cent.
local function percent(share)
    return string.format(share < 0.0995 and "%.1f %%" or "%.0f %%", 100 * share)
end

-- "4.1 % less"
local function change(now, before, less, more)
    local by = now / before - 1
    return percent(math.abs(by)) .. " " .. (by < 0 and less or more)
end

local function count_of(n, one, more)
    return string.format("%d %s", n, n == 1 and one or more)
end

-- ---- the ideas

local function off(r, type)
    local s = r.stats
    local cycles = s["gates_" .. type .. "_uncompensated"] + s["gates_" .. type .. "_compensated"]
    return cycles / (2 * s.gates_cycles) -- clusters SP0 and SP1
end

local function leakage(r, names)
    local sum = 0
    for _, name in ipairs(names) do
        sum = sum + r.energy[name].static_j + r.energy[name].gating_j
    end
    return sum
end

local pipelines = { "sp0_int", "sp1_int", "sp0_fp", "sp1_fp" }

local function of_gates(r, b)
    local s = r.stats
    return string.format(
        "INT pipelines were off %s of the time and FP pipelines %s; they leaked %s. With %s the program took %s.",
        percent(off(r, "int")), percent(off(r, "fp")),
        change(leakage(r, pipelines), leakage(b, pipelines), "less", "more"),
        count_of(s.gates_int_wakeups + s.gates_fp_wakeups, "wake-up", "wake-ups"),
        change(r.total.cycles, b.total.cycles, "less time", "longer"))
end

local function of_share(r, b)
    return string.format(
        "Pairs of SMs ran as one with warps of 64 lanes: %s were issued, schedulers were off %s of the time, and the chip drew %s.",
        change(r.total.warp_insts, b.total.warp_insts, "fewer warp instructions", "more warp instructions"),
        percent(r.stalls.off / r.stalls.scheduler_cycles),
        change(r.total.power_w, b.total.power_w, "less power", "more power"))
end

-- Cycles of schedulers in which a register was not there yet, or still needed.
local function hazards(r)
    return r.stalls.raw + r.stalls.war + r.stalls.waw
end

local function of_socgpu(r, b)
    return string.format(
        "%s of the instructions overtook an older one of their warp; schedulers waited %s for registers and %s for fetches.",
        percent(r.stats.socgpu_ahead / r.total.warp_insts),
        change(hazards(r), hazards(b), "less", "more"),
        change(r.stalls.fetch, b.stalls.fetch, "less", "more"))
end

local function of_buddy(r, b)
    local s = r.stats
    return string.format(
        "%s of four SMs, in lock step %s of the time; front ends took %s, and %s told the members what to do.",
        count_of(s.buddy_clusters, "cluster", "clusters"), percent(s.buddy_buddy_time),
        change(r.total.front_end_j, b.total.front_end_j, "less energy", "more energy"),
        count_of(s.buddy_inst_packets, "packet", "packets"))
end

local function of_amoeba(r, b)
    local s = r.stats
    return string.format(
        "The predictor fused %s of SMs, which split %d times while warps diverged, %s of their time; instruction caches missed %s.",
        count_of(s.amoeba_fused, "pair", "pairs"), s.amoeba_splits,
        percent(s.amoeba_fused_cycles > 0 and s.amoeba_split_cycles / s.amoeba_fused_cycles or 0),
        change(r.stats.l1i_miss, b.stats.l1i_miss, "less often", "more often"))
end

local ideas = {
    { name = "gates", mech = "gates", program = "sgemm-parboil --size 150", sentence = of_gates,
      what = "switches pipelines off while they are idle" },
    { name = "share", mech = "share:scheme=bigsm", program = "hotspot --size 128",
      sentence = of_share, what = "one SM takes over the datapath of another" },
    { name = "socgpu", mech = "socgpu", program = "rnn-lstm-inference --size 128",
      sentence = of_socgpu, what = "issues a warp's instructions out of order" },
    { name = "buddy", mech = "buddy:size=4", program = "aes --size 32768", sentence = of_buddy,
      what = "four SMs follow one front end" },
    { name = "amoeba", mech = "amoeba", program = "ray --size 128", sentence = of_amoeba,
      what = "SMs fuse, and split while warps diverge" },
}

for _, idea in ipairs(ideas) do
    local one = programs { idea.program }
    idea.base = runs { programs = one, gpu = idea.name, label = idea.name .. " baseline" }
    idea.with = runs { programs = one, gpu = idea.name, mech = idea.mech, base = idea.base,
                       label = idea.name }
end

-- ---- what is measured, in % beside the baseline

local function performance(r, b)
    return 100 * (b.total.cycles / r.total.cycles - 1)
end

local function energy(r, b)
    return 100 * (r.total.energy_j / b.total.energy_j - 1)
end

local function area(r, b)
    return 100 * (r.area.total / b.area.total - 1)
end

local function sentence(idea)
    local r, b = run(idea.with, idea.program), run(idea.base, idea.program)
    return r and b and idea.sentence(r, b) or "a run failed"
end

local function row(idea)
    return value(idea.with, idea.program, performance), value(idea.with, idea.program, energy),
        value(idea.with, idea.program, area)
end

local function rows_of(make)
    return function()
        local rows = {}
        for i, idea in ipairs(ideas) do
            rows[i] = make(idea)
        end
        return rows
    end
end

figure {
    name = "ideas", kind = "table", title = "What each gains and costs, and what happened",
    unit = "% more than the baseline",
    columns = { "idea", "program", "performance", "energy", "area", "what happened" },
    rows = rows_of(function(idea)
        local p, e, a = row(idea)
        return { idea.name, idea.program, p, e, a, sentence(idea) }
    end),
}

figure {
    name = "change", kind = "bars", title = "Five ideas beside their baselines",
    unit = "% more than the baseline", columns = { "idea", "performance", "energy", "area" },
    rows = rows_of(function(idea)
        return { idea.name, row(idea) }
    end),
}

-- ---- the same for a terminal

local WIDTH, INDENT = 92, "        "

-- A number and its % stay together.
local function words(text)
    local list = {}
    for _, word in ipairs(split(text, " ")) do
        if word:sub(1, 1) == "%" then
            list[#list] = list[#list] .. " " .. word
        else
            table.insert(list, word)
        end
    end
    return list
end

-- Lines of at most WIDTH characters, the first of which goes on from `line`.
local function wrapped(lines, line, text)
    for _, word in ipairs(words(text)) do
        if #line + 1 + #word > WIDTH then
            table.insert(lines, line)
            line = INDENT .. word
        else
            line = line .. (line:sub(-1) == " " and "" or " ") .. word
        end
    end
    table.insert(lines, line)
end

local function put_idea(lines, idea)
    local p, e, a = row(idea)
    table.insert(lines, string.format("%-7s %-45s %11s %9s %9s", idea.name, idea.what,
                                      p and signed(p) or "-", e and signed(e) or "-",
                                      a and signed(a) or "-"))
    wrapped(lines, INDENT, idea.program .. ": " .. sentence(idea))
end

text {
    name = "ideas",
    lines = function()
        local lines = { string.format("%-7s %-45s %11s %9s %9s", "idea", "what it does",
                                      "performance", "energy", "area") }
        for _, idea in ipairs(ideas) do
            put_idea(lines, idea)
        end
        return lines
    end,
}
