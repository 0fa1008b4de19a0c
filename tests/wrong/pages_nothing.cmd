# expect 2: pages takes one word: man, bash or zsh; see smelt pages --help
pages
