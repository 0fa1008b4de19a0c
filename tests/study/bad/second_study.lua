-- 3: study: there is one already
study { name = "x", title = "x" }
study { name = "x", title = "x" }
