-- 2: study: title is missing
study { name = "x" }
