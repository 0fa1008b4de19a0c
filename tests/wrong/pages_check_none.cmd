# expect 2: none.md: No such file or directory
pages check none.md
