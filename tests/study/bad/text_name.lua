-- 3: text: name = '../a'; it takes letters, digits, '_', '-' and '.'
study { name = "x", title = "x" }
text { name = "../a", lines = function() return {} end }
