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

works disasm --set front.lower=off "$SRC/tests/fuzz/corpus/fuzz_ptx/half.ptx"
for form in 'add\.f16 ' 'sub\.ftz\.sat\.f16x2 ' 'fma\.rn\.relu\.f16 ' 'min\.NaN\.xorsign\.abs\.f16 ' \
    'setp\.lt\.and\.f16x2 p[0-9]+\|p[0-9]+,' 'set\.eq\.f16x2\.f16x2 ' 'cvt\.rn\.f16\.f32 ' \
    'cvt\.rz\.relu\.satfinite\.bf16x2\.f32 ' 'cvt\.rna\.tf32\.f32 ' 'cvt\.rn\.satfinite\.e4m3x2\.f32 ' \
    'cvt\.rp\.f16\.bf16 ' 'cvt\.pack\.sat\.s4\.s32\.b32 ' 'atom\.global\.add\.f16 ' 'red\.global\.add\.bf16x2 '; do
    grep -Eq "$form" out.txt || failed "no $form"
done
works disasm --set front.lower=off "$SRC/tests/fuzz/corpus/fuzz_ptx/video.ptx"
for form in 'vadd\.s32\.u32\.s32\.sat r[0-9]+, r[0-9]+\.b0, r[0-9]+\.h1,' 'vsub\.u32\.u32\.u32 r[0-9]+\.b3,' \
    'vset\.s32\.u32\.lt\.max ' 'vmad\.u32\.u32\.u32\.po\.shr15 ' 'vmad.*\(product negated\)' \
    'vadd2\.s32\.s32\.u32\.sat r[0-9]+\.h1, r[0-9]+\.h20, r[0-9]+\.h33,' 'vavrg4.* r[0-9]+\.b310, r[0-9]+\.b7654,' \
    'dp4a\.s32\.u32 ' 'dp2a\.hi\.u32\.s32 ' 'bmsk\.clamp\.b32 ' 'szext\.wrap\.s32 ' 'fns\.b32 ' \
    'lop3\.and\.b32 .*0x96' 'redux\.sync\.min\.s32 ' 'discard \[' 'applypriority \['; do
    grep -Eq "$form" out.txt || failed "no $form"
done

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
