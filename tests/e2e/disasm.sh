#!/usr/bin/env bash
# smelt disasm: what it shows, and its mistakes.
. "$SRC/tests/e2e/lib/check.bash"

vecadd=$SRC/examples/vecadd.ptx
works disasm "$vecadd"
grep -q '^kernel vecadd: registers ' out.txt || failed "no header"
grep -Eq '^ +[0-9]+ +ld.global.b32 r[0-9]+, \[rd[0-9]+\] +// 33$' out.txt || failed "no load"
grep -Eq '@p[0-9]+ +ret ' out.txt || failed "no guard"
plain=$(grep -c '//' out.txt)
works disasm --live --kernel vecadd "$vecadd" -g tiny
same "instructions with --live" "$(grep -c '//' out.txt)" "$plain"
works disasm --set front.lower=off "$vecadd"
same "instructions without lowering" "$(grep -cE '^ +[0-9]+ ' out.txt)" 19
works disasm "$SRC/bench/branch.ptx"
grep -q -- '-> reconv ' out.txt || failed "no reconvergence"
grep -q '^L[0-9]*:  // reconvergence$' out.txt || failed "no mark where lanes meet"

"$SMELT" disasm - <"$vecadd" >stdin.txt || failed "standard input"
works disasm "$vecadd"
cmp out.txt stdin.txt || failed "- gives other code"

fails 2 'disasm what' disasm
fails 2 "not also 'b'" disasm a b
fails 2 'missing.ptx: No such file' disasm missing.ptx
fails 2 "no kernel 'x'" disasm "$vecadd" --kernel x
fails 2 'unknown option' disasm "$vecadd" --lives
fails 2 'no such key' disasm "$vecadd" --set front.lowr=on

finish
