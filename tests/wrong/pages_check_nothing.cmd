# expect 2: check which pages?; see smelt pages --help
pages check
