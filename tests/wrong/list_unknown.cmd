# expect 2: cannot list 'gpu' (did you mean gpus?); see smelt list --help
list gpu