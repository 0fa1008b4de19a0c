-- 4: runs: %/none/x.job: No such file or directory
study { name = "x", title = "x" }
local p = programs { "none/x.job" }
runs { programs = p }
