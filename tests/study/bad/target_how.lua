-- 3: target: it has one of within, percent and sign
study { name = "x", title = "x" }
target { where = "a", what = "b", paper = 1, ours = function() return 1 end }
