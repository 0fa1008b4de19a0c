# expect 2: none.json: No such file or directory
compare none.json none.json
