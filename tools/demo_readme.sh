#!/usr/bin/env bash
#
# demo_readme.sh [DIR] -- puts what tools/demo.sh has made in DIR (build/demo) into README.md, between its
# marks, and into docs/ideas.svg.
set -euo pipefail
out=$(readlink -f "${1:-build/demo}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

awk -v table="$out/ideas/ideas.txt" '
    /^<!-- end -->$/ { inside = 0 }
    !inside
    /^<!-- demo -->$/ {
        inside = 1
        while ((getline line < table) > 0)
            print "    " line
    }' README.md >README.md.new
mv README.md.new README.md
cp "$out/ideas/change.svg" docs/ideas.svg
