-- 3: no set 'quik'; did you mean quick?
study { name = "x", title = "x" }
local p = set "quik"
