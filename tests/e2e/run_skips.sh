#!/usr/bin/env bash
# ./run test takes the tests of its tier, says how many did not run, and none may: a copy of it in a tree whose tests
# are made up.
. "$SRC/tests/e2e/lib/check.bash"

rm -rf tree
mkdir -p tree/bin tree/tools/lint tree/tests tree/build/{release,asan,hostile,fuzz}
cp "$SRC/run" "$SRC/packages.txt" tree
printf '#!/bin/sh\n' | tee tree/bin/cmake tree/tests/tiers.sh >tree/tools/lint/lint.sh
printf '#!/bin/sh\nprintf installed\n' >tree/bin/dpkg-query
chmod +x tree/bin/* tree/tools/lint/lint.sh tree/tests/tiers.sh

# says STATUS N [OPTIONS]: with the tests of standard input, "LABEL NAME COMMAND", ./run test ends so, and counts N
# skipped ones.
says()
{
    local want=$1 skipped=$2 got=0 label name command
    shift 2
    while read -r label name command; do
        printf 'add_test(%s %s)\nset_tests_properties(%s PROPERTIES LABELS %s SKIP_RETURN_CODE 77)\n' \
            "$name" "$command" "$name" "$label"
        [ "$name" != off ] || echo 'set_tests_properties(off PROPERTIES DISABLED TRUE)'
    done >tree/build/release/CTestTestfile.cmake
    PATH=$PWD/tree/bin:$PATH tree/run test "$@" >out.txt 2>&1 || got=$?
    same "status" "$got" "$want"
    grep -q '% tests passed' out.txt || failed "no summary of CTest: $(cat out.txt)"
    same "last line" "$(tail -1 out.txt)" "run: $skipped tests skipped"
}

# ran NAME..: these and no others, but for those that every tier has.
ran()
{
    same "tests" "$(sed -nE 's/^.*Start +[0-9]+: //p' out.txt | grep -vxE 'lint|tiers' | sort | paste -sd ' ')" "$*"
}

says 0 0 <<<'short good true'
says 8 0 <<<'short bad false'
says 1 1 <<'E'
short good true
short skipped sh -c "exit 77"
E
says 1 1 <<'E'
short good true
short off true
E

# Each tier has what the one before it has; what is in none is in the longest neither.
all=$'short a true\nall b true\nlong c true\nshorter d true'
says 0 0 <<<"$all" && ran a
says 0 0 all <<<"$all" && ran a b
says 0 0 long <<<"$all" && ran a b c
says 0 0 all -R '^b' <<<"$all" && ran b
PATH=$PWD/tree/bin:$PATH tree/run test everything >out.txt 2>&1
same "an unknown tier" "$?: $(cat out.txt)" "1: run: test: 'everything' is neither all, long nor an option of CTest"

finish
