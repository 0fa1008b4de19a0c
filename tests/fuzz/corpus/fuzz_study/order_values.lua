-- 3: order: paper has 1 values for 2 labels
study { name = "x", title = "x" }
order { where = "a", what = "b", labels = { "a", "b" }, paper = { 1 }, ours = function() return { 1, 2 } end }
