-- 4: number: there is a 'a' already, in line 3
study { name = "x", title = "x" }
number("a", function() return 1 end)
number("a", function() return 1 end)
