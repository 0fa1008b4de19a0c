-- 3: more than 100 million instructions; does a loop not end?
study { name = "x", title = "x" }
while true do end
