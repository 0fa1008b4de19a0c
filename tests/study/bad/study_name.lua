-- 2: study: name = '../x'; it takes letters, digits, '_', '-' and '.'
study { name = "../x", title = "x" }
