-- 0: no study { name = .. } in it
local x = 1
