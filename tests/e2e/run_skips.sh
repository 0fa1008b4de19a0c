#!/usr/bin/env bash
# ./run test says how many tests did not run, and none may: a copy of it in a tree whose tests are made up.
. "$SRC/tests/e2e/lib/check.bash"

rm -rf tree
mkdir -p tree/bin tree/tools/lint tree/build/{release,asan,hostile}
cp "$SRC/run" "$SRC/packages.txt" tree
printf '#!/bin/sh\n' | tee tree/bin/cmake >tree/tools/lint/lint.sh
printf '#!/bin/sh\nprintf installed\n' >tree/bin/dpkg-query
chmod +x tree/bin/* tree/tools/lint/lint.sh

# says STATUS N: with the tests of standard input, ./run test ends so, and counts N skipped ones.
says()
{
    local got=0
    cat >tree/build/release/CTestTestfile.cmake
    PATH=$PWD/tree/bin:$PATH tree/run test >out.txt 2>&1 || got=$?
    same "status" "$got" "$1"
    grep -q '% tests passed' out.txt || failed "no summary of CTest: $(cat out.txt)"
    same "last line" "$(tail -1 out.txt)" "run: $2 tests skipped"
}

says 0 0 <<<'add_test(good true)'
says 8 0 <<<'add_test(bad false)'
says 1 1 <<'E'
add_test(good true)
add_test(skipped sh -c "exit 77")
set_tests_properties(skipped PROPERTIES SKIP_RETURN_CODE 77)
E
says 1 1 <<'E'
add_test(good true)
add_test(off true)
set_tests_properties(off PROPERTIES DISABLED TRUE)
E

finish
