-- 3: runs: no programs
study { name = "x", title = "x" }
runs { programs = {} }
