-- 3: an error that is no text but a table
study { name = "x", title = "x" }
error({})
