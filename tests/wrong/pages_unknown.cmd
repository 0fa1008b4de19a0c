# expect 2: there is no page 'fish': man, bash or zsh; see smelt pages --help
pages fish
