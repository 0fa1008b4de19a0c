-- 3: runs: %/writes.job writes files, which a study may only if the command says so: --programs DIR or any
study { name = "x", title = "x" }
runs { programs = { "../writes.job" } }
