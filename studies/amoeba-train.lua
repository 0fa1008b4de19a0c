-- amoeba-train.lua -- what the predictor of AMOEBA is trained with: each bundled program as it is, and with
-- a controller that samples it and then fuses all pairs of SMs.
--
--     smelt reproduce amoeba-train -o OUT
--     smelt train OUT/samples.csv -o conf/predictor/ours.conf
--
-- One row for each program, at its default size: means of the metrics over the launches that were sampled
-- (keys of the mechanism as they are), and whether fused SMs were the faster ones.  Small sizes teach
-- something else: their launches are over before there is traffic.

study {
    name = "amoeba-train",
    title = "AMOEBA: samples for the predictor",
    doc = "metrics of the bundled programs, and whether they run faster on fused SMs",
}

local metrics = { "ctas", "divergence", "coalescing", "l1d_miss", "l1i_miss", "l1c_miss", "mshr_merge", "loads", "stores",
                  "noc", "noc_latency" }

local programs = set("all", options.quick and { size = "small", thin = 8 } or {})

local none = runs { programs = programs, gpu = "amoeba", label = "scale-out" }
local all = runs { programs = programs, gpu = "amoeba", mech = "amoeba:mode=static_fuse,predictor=always", base = none,
                   label = "all fused" }

figure {
    name = "samples", kind = "table", title = "samples", unit = "",
    columns = { "program", "fuse", table.unpack(metrics) },
    rows = function()
        local rows = {}
        for _, p in ipairs(programs) do
            local l = p.label
            local n = value(all, l, function(r) return r.stats.amoeba_sampled end)
            local gain = value(all, l, function(r, b) return b.total.cycles / r.total.cycles end)
            if gain and n and n > 0 then
                local row = { l, gain > 1 and 1 or 0 }
                for i, m in ipairs(metrics) do
                    row[2 + i] = value(all, l, function(r) return r.stats["amoeba_m_" .. m] / n / 1e6 end)
                end
                rows[#rows + 1] = row
            end
        end
        return rows
    end,
}
