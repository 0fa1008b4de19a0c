-- 5: the metric of '../tiny.job' (r) is no number but a text
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }

figure { name = "f", kind = "table", series = { r }, metric = function(run) return run.gpu end }
