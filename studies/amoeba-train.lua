-- amoeba-train.lua -- what the predictor of AMOEBA is trained with: each bundled program as it is, on SMs that are
-- fused from the beginning, and with a controller that samples one of its kernels.
--
--     smelt reproduce amoeba-train -o OUT
--     smelt train OUT/samples.csv --cost auto -o conf/predictor/ours.conf
--
-- One row for each kernel, at the default size of its program: the metrics of the sample of its first launch
-- (keys of the mechanism as they are), and whether all its launches together take fewer cycles on fused SMs,
-- without the time of a sample.  Kernels for which that makes no difference, of 2 % at least, teach nothing.
-- Of a program with more kernels than are sampled here the first ones are (-D kernels=N).
-- Small sizes teach something else: their launches are over before there is traffic.

study {
    name = "amoeba-train",
    title = "AMOEBA: samples for the predictor",
    doc = "metrics of the kernels of bundled programs, and whether they run faster on fused SMs",
}

local metrics = { "ctas", "divergence", "coalescing", "l1d_miss", "l1i_miss", "l1c_miss", "mshr_merge", "loads", "stores",
                  "noc", "noc_latency" }
local tie = 0.02

local programs = set("all", options.quick and { size = "small", thin = 8 } or {})
local most = tonumber(options.kernels) or options.quick and 2 or 6

local none = runs { programs = programs, gpu = "amoeba", label = "scale-out" }
local up = runs { programs = programs, gpu = "amoeba", mech = "amoeba:mode=scale_up", label = "scale-up" }
local sampled = {}
for i = 1, most do
    sampled[i] = runs { programs = programs, gpu = "amoeba", mech = "amoeba:mode=static_fuse,predictor=always,only=" .. i,
                        label = "sampled, kernel " .. i }
end

-- Names of its kernels, by their first launches, and the cycles of all launches of each.
local function kernels_of(r)
    local names, cycles = {}, {}
    for _, k in ipairs(r and r.kernels or {}) do
        if not cycles[k.name] then
            names[#names + 1] = k.name
            cycles[k.name] = 0
        end
        cycles[k.name] = cycles[k.name] + k.cycles
    end
    return names, cycles
end

-- 1 if it is faster fused, 0 if it is slower; nil: neither.
local function answer(out, fused)
    if not out or not fused or math.abs(out / fused - 1) < tie then return nil end
    return out > fused and 1 or 0
end

figure {
    name = "samples", kind = "table", title = "samples", unit = "",
    columns = { "program", "fuse", table.unpack(metrics) },
    rows = function()
        local rows = {}
        for _, p in ipairs(programs) do
            local names, out = kernels_of(run(none, p.label))
            local _, fused = kernels_of(run(up, p.label))
            for i = 1, math.min(#names, most) do
                local r = run(sampled[i], p.label)
                local fuse = answer(out[names[i]], fused[names[i]])
                if fuse and r and r.stats.amoeba_sampled == 1 then
                    local row = { p.label, fuse }
                    for k, m in ipairs(metrics) do row[2 + k] = r.stats["amoeba_m_" .. m] / 1e6 end
                    rows[#rows + 1] = row
                end
            end
        end
        return rows
    end,
}
