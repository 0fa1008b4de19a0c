-- 4: more than 100 million instructions; does a loop not end?
study { name = "x", title = "x" }
for i = 1, 10 do
    pcall(function() while true do end end)
end
