# expect 2: gates18 is a set of 18 workloads, and run takes one, for example smelt run backprop; smelt explain gates18 lists them
run gates18
