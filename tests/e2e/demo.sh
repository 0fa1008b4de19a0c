#!/usr/bin/env bash
# The demonstration ends well: it verifies its own results.
. "$SRC/tests/e2e/lib/check.bash"

"$SRC/tools/demo.sh" >out.txt 2>&1 || failed "demo: $(tail -5 out.txt)"
same "verified steps" "$(grep -c '^# verified' out.txt)" 6
finish
