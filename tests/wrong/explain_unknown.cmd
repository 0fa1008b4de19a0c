# expect 2: nothing is called 'sm.n_wrap'; did you mean sm.n_warp?
explain sm.n_wrap