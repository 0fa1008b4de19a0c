-- 5: more than 512 MB of memory
study { name = "x", title = "x" }
local all = {}
for i = 1, 100000000 do
    all[i] = { i, i, i, i }
end
