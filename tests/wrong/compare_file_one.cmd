# expect 2: compare takes two files, 1 given; see smelt compare --help
compare a.json
