-- 3: text: lines is missing
study { name = "x", title = "x" }
text { name = "a" }
