#!/usr/bin/env bash
#
# explain_conf.sh -- smelt explain of a file: what it sets beside its base, what takes it, what is wrong.
source "$SRC/tests/e2e/lib/check.bash"

# ---- a GPU
cat >half.conf <<'END'
# My GPU: a gtx480 with half the warps.
#
# For a test.
base = gtx480
[sm]
n_warp = 24
max_threads = 768
scheduler = gto
END
works explain half.conf ./half.conf
same "its comment" "$(head -3 out.txt)" $'half.conf: My GPU: a gtx480 with half the warps.\n\nFor a test.'
same "keys that it sets otherwise" "$(sed -n '/^what it has other/,/^mech/s/^  //p' out.txt | sort -u | tr -s ' ')" \
    $'sm.max_threads 768 (gtx480: 1536)\nsm.n_warp 24 (gtx480: 48)'
grep -q '^what it has other than its base gtx480:$' out.txt || failed "no base: $(cat out.txt)"
grep -q '^mechanisms that can be run on it:.* share' out.txt || failed "no mechanisms: $(cat out.txt)"
grep -q '^  -m gates: INT and FP have one pipeline' out.txt || failed "no reason: $(cat out.txt)"

# Each mechanism is in one of the two lists, as smelt run takes it or not.
for mech in $("$SMELT" list mechanisms | cut -d' ' -f1); do
    taken=0 said=0
    "$SMELT" run -q -g ./half.conf -m "$mech" "$SRC/examples/vecadd.job" >/dev/null 2>&1 || taken=$?
    grep -q "^mechanisms that can .* $mech\\b" out.txt || said=2
    same "$mech" "$said" "$taken"
done

# A base beside it; one that says nothing new; what is not there or wrong.
printf 'base = half\n[gpu]\nn_sm = 3\n' >quarter.conf
works explain ./quarter.conf
grep -q '^  gpu.n_sm  *3  *(half: 15)$' out.txt || failed "a base beside it: $(cat out.txt)"
printf 'base = half\n' >same.conf
works explain same.conf
grep -qx '  nothing' out.txt || failed "nothing new: $(cat out.txt)"
sed -i 's/^n_warp = .*/n_wrap = 24/' half.conf
fails 2 '^smelt: half.conf:6: sm.n_wrap: no such key; did you mean n_warp\?' explain half.conf
[ -s out.txt ] && failed "a wrong file is explained: $(cat out.txt)"
printf 'base = gtx480\n[l1d]\nways = 7\n[sm]\nregs = 1\n' >wrong.conf
fails 2 'regs' explain ./wrong.conf
fails 2 '^smelt: none.conf: No such file' explain none.conf

# ---- a table of energies, a predictor
works explain "$SRC/conf/power/pascal16.conf"
grep -q '^a table of energies' out.txt || failed "a table: $(cat out.txt)"
grep -qE '^  power.vdd_mv  *[0-9.e+]+ +\(default: ' out.txt || failed "a table's keys: $(cat out.txt)"
works explain "$SRC/conf/predictor/paper.conf"
grep -qE '^  divergence  *444.628$' out.txt || failed "a predictor: $(cat out.txt)"
grep -q '^taken by -m amoeba:predictor=' out.txt || failed "who takes it: $(cat out.txt)"
printf '[model]\nconstant = 1\n[coefficients]\nmoon = 2\n' >moon.conf
works explain moon.conf
grep -q "^not taken by -m amoeba:predictor: .*no metric 'moon'" out.txt || failed "who does not: $(cat out.txt)"
finish
