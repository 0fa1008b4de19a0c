-- 5: a text of more than 1024 KB
study { name = "x", title = "x" }
local s = "x"
for i = 1, 40 do
    s = s .. s
end
