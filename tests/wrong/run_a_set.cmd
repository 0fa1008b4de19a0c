# expect 2: set:quick is a set of workloads, and run takes one (smelt explain quick lists them)
run set:quick
