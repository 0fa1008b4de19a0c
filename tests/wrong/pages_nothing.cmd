# expect 2: pages takes one word, man, bash or zsh; or check and pages; see smelt pages --help
pages
