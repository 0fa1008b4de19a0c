#!/usr/bin/env bash
#
# papers.sh -- the tables and numbers of docs/papers are those that their studies gave, and a page that
# says something else is found.
source "$SRC/tests/e2e/lib/check.bash"

works pages check "$SRC"/docs/papers/*.md
same "pages that were checked" "$(grep -cE ' are those of its study$' out.txt)" "$(ls "$SRC"/docs/papers/*.md | wc -l)"

# Each kind of drift in a copy of the page.
found()
{
    local edit=$1 what=$2 got=0
    cp "$SRC"/docs/papers/gates.csv copy.csv
    sed -E "$edit" "$SRC"/docs/papers/gates.md >copy.md
    cmp -s copy.md "$SRC"/docs/papers/gates.md && failed "nothing to edit: $edit"
    "$SMELT" pages check copy.md >out.txt 2>err.txt || got=$?
    same "status after $edit" "$got" 1
    grep -qE -- "^copy.md:[0-9]+: $what" out.txt || failed "after $edit: $(cat out.txt err.txt)"
}

found 's/51\.8<!-- =fp_without_lavamd/51.9<!-- =fp_without_lavamd/' '51\.9 should be 51\.8 \(fp_without_lavamd\)'
found 's/<!-- =fp_without_lavamd -->//' '51\.8 has no mark'
found 's/=fp_without_lavamd/=fp_without_lavam/' "no number 'fp_without_lavam'; did you mean fp_without_lavamd\?"
found 's/^(\| bfs +\| +)[0-9.]+/\110.5/' "table fig9a: '\| bfs +\| +10.5 .*' should be '\| bfs +\| +[0-9]"
found 's/table fig9a/table fig9/' "no table 'fig9'; did you mean fig9[ab]\?"
finish
