-- 4: claim: what check returned first is no boolean but a number
study { name = "x", title = "x" }
local r = runs { programs = { "../tiny.job" }, label = "r" }
claim { where = "5", text = "x", check = function() return 5 end }
