-- 3: 'os' is not defined
study { name = "x", title = "x" }
os.execute("x")
