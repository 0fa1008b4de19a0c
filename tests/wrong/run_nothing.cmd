# expect 2: run what? no program was given; see smelt run --help
run