-- 3: claim: text is missing
study { name = "x", title = "x" }
claim { where = "5", check = function() return true end }
