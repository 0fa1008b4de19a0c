-- 3: runs: /bin/sh is an executable, which a study may only if the command says so: --programs DIR or any
study { name = "x", title = "x" }
runs { programs = { { program = "/bin/sh", args = { "-c", "echo no" } } } }
