#!/usr/bin/env bash
# Rules for make: -M and -MM instead of compiling, -MD and -MMD besides.
. "$SRC/tests/cc/lib.bash"

echo '#define VALUE 5' >value.h
sed -i '1i #include "value.h"' prog.cu
works cc -MM prog.cu
grep -q '^prog\.o: prog\.cu .*value\.h' <(tr -d '\\\n' <out.txt) || failed "-MM: $(cat out.txt)"
! grep -q 'stdio\.h' out.txt || failed "-MM names system headers"
works cc -M prog.cu
grep -q 'stdio\.h' out.txt || failed "-M leaves out system headers"
works cc -M prog.cu -o rule.d
grep -q 'value\.h' rule.d || failed "-M -o"
[ ! -e prog.o ] || failed "-M compiles"
works cc -MMD -MP -c prog.cu -o prog.o
grep -q 'value\.h:' prog.d || failed "-MMD -MP: $(cat prog.d)"
works cc -MD -MF other.d -MT target -c prog.cu -o prog.o
grep -q '^target: ' other.d || failed "-MF -MT: $(cat other.d)"
# The same of a source that is preprocessed by itself first, for the blanks in a launch.
sed 's/<<</<< </' prog.cu >blank.cu
works cc -MMD -c blank.cu -o objects.blank.o
grep -q '^objects\.blank\.o: blank\.cu .*value\.h' <(tr -d '\\\n' <objects.blank.d) ||
    failed "-MMD of a mended source: $(cat objects.blank.d)"
works cc -MD -MF other.d -MT target -c blank.cu
grep -q '^target: ' other.d || failed "-MF -MT: $(cat other.d)"
no_leftovers
printf '#include "value.h"\nint main(void) { return VALUE; }\n' >c.c
works cc -MM c.c
grep -q '^c\.o: c\.c value\.h' out.txt || failed "-MM of C: $(cat out.txt)"
finish
