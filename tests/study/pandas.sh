#!/usr/bin/env bash
# The two programs of docs/STORE.md do what the page says.
source "$SRC/tests/study/lib.bash"

mkdir out
"$TOOL" sweep out/store.db a.job 500 500 >out.txt 2>err.txt || die "$(cat err.txt)"
"$TOOL" sweep out/store.db a.job 1000 1000 >out.txt 2>err.txt || die "$(cat err.txt)"
"$TOOL" sweep out/store.db bad.job 1000 1000 >out.txt 2>err.txt || die "$(cat err.txt)"

# Blocks that begin with an import, each to a file.
awk '/^    import /  { on = 1; n++ }
     on && !/^    / { on = 0 }
     on             { print substr($0, 5) > ("page" n ".py") }' "$SRC/docs/STORE.md"
[ -s page1.py ] && [ -s page2.py ] && [ ! -e page3.py ] || die "the page has not two programs"
[ "$(wc -l <page1.py)" -le 10 ] || die "more than ten lines"

/usr/bin/python3 page1.py >table.txt 2>err.txt || die "$(cat err.txt)"
cycles=$(sql out/store.db "SELECT cycles FROM point WHERE state = 'done' ORDER BY settings DESC")
grep -qE "^a.job +${cycles/$'\n'/ +}\$" table.txt || die "$(cat table.txt) ($cycles)"
grep -qE '^1000 +[0-9.]+$' table.txt || die "$(cat table.txt)"
/usr/bin/python3 page2.py >runs.txt 2>err.txt || die "$(cat err.txt)"
same "runs" "$(wc -l <runs.txt)" 2
grep -qE '^a.job 1000 [0-9]+ [0-9]+$' runs.txt || die "$(cat runs.txt)"
