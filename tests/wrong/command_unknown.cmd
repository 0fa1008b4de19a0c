# expect 2: unknown command 'runn' (did you mean run?); see smelt --help
runn good.ptx