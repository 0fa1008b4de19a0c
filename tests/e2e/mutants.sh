#!/usr/bin/env bash
# The mutants that are drawn are always the same ones, and each is one change of the line it names.
set -euo pipefail

mutants=$SRC/tools/mutants.py

"$mutants" 200 --list >many
"$mutants" 50 --list >few
[ "$(wc -l <many)" -eq 200 ]
cmp few <(head -n 50 many)
"$mutants" 200 --list --seed 2 >others
[ "$(comm -12 <(sort many) <(sort others) | wc -l)" -lt 20 ]
for folder in sm mem mech exec gpu; do
    grep -q "^src/$folder/" many
done

# What stands before the arrow stands in the file, and what stands behind it is something else.
while IFS= read -r found; do
    where=${found%%: *} change=${found#*: }
    line=$(sed -n "${where#*:}p" "$SRC/${where%%:*}" | tr -s ' \t' ' ' | sed 's/^ //; s/ $//')
    before=${line:0:40} # a statement may go on in the next line
    if [ "${change:0:${#before}}" != "$before" ] || [ "${change#* -> }" = "$line" ]; then
        echo "$found is no change of: $line"
        exit 1
    fi
done <few

# Only of a file, only of a line: all changes of it.
"$mutants" 20 --list --only src/mem/noc_ideal.c >some
[ "$(grep -c '^src/mem/noc_ideal.c:' some)" -eq 20 ]
number=$(grep -n 'return moved;' "$SRC/src/mem/noc_ideal.c" | head -n 1 | cut -d: -f1)
status=0
"$mutants" --list --line "src/mem/noc_ideal.c:$number" 2>none || status=$?
[ "$status" -eq 2 ]
grep -qx 'mutants: nothing to change there' none

# What is said to change nothing can still be drawn.
"$mutants" --stale
