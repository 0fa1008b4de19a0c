-- 3: runs: -m gate: no mechanism 'gate'; did you mean gates?
study { name = "x", title = "x" }
runs { programs = { "bfs" }, mech = "gate" }
