#!/usr/bin/env bash
# Errors are shown as clang gives them, once; the status is that of the step; nothing is left.
. "$SRC/tests/cc/lib.bash"

sed 's/threadIdx.x + VALUE/treadIdx.x + VALUE/' prog.cu >typo.cu
fails 1 "typo.cu:7:22: error: use of undeclared identifier 'treadIdx'" cc typo.cu -o typo
grep -q '^ *\^' err.txt || failed "no caret"
same "errors" "$(grep -c 'error:' err.txt)" 1
[ ! -e typo ] || failed "a program in spite of errors"

echo 'int main() { return no_such_function(); } ' >host.cu
fails 1 "host.cu:1:21: error: .*no_such_function" cc host.cu
printf 'int f(void);\nint main() { return f(); }\n' >link.cu
fails 1 'undefined reference' cc link.cu
echo 'int main(void) { return x; }' >bad.c
fails 1 "bad.c:1:25: error: .x. undeclared" cc bad.c
fails 1 "bad.c:1:25: error: .x. undeclared" cc prog.cu bad.c # the whole call fails
fails 1 'unwritable/x' cc prog.cu -o unwritable/x

# Warnings: once, and none about the headers.
printf '#include <cutil_math.h>\nint f() { int unused; return 0; }\nint main() { return f(); }\n' >w.cu
works cc -Wall -c w.cu
same "warnings" "$(grep -c 'warning:' err.txt)" 1
no_leftovers
finish
