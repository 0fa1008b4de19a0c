# expect 2: x.cu is a source file: compile it first (smelt cc x.cu -o x), then run x
run --functional x.cu
