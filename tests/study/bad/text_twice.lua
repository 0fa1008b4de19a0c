-- 4: text: there is a 'a' already, in line 3
study { name = "x", title = "x" }
text { name = "a", lines = function() return {} end }
text { name = "a", lines = function() return {} end }
