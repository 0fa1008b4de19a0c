#!/usr/bin/env bash
# tiers.sh -- what a tier of tests proves, by the table in tests/README.md.
#
#   tiers.sh show TIER DIR      its proofs and how many tests each has there
#   tiers.sh check TIER DIR     the table and the tests agree: every proof that the table has in a tier up to this
#                               one has tests there, and every test belongs to a proof that has its tier
#
# A proof is what names of tests begin with; its tests say by a label which tier they are in.  DIR is a
# folder for `ctest --test-dir`.
set -euo pipefail

what=$1 tier=$2 dir=$3
page=$(dirname "${BASH_SOURCE[0]}")/README.md

case $tier in
short) tiers=(short) ;;
all) tiers=(short all) ;;
long) tiers=(short all long) ;;
*) echo "tiers.sh: no tier $tier" >&2 && exit 2 ;;
esac

# "PROOF TIER" of each test.
tests()
{
    ctest --test-dir "$dir" --show-only=json-v1 |
        jq -r '.tests[] | "\(.name | capture("^(?<p>(asan\\.)?[^.]*)").p) \([.properties[] | select(.name == "LABELS").value[]] | join(","))"'
}

# "PROOF|IN SHORT|IN ALL|IN LONG|WHAT" of each row.
rows()
{
    sed -nE 's/^\| `([a-z0-9.]+)` *\| *([^|]*[^| ])? *\| *([^|]*[^| ])? *\| *([^|]*[^| ])? *\| *(.*[^ ]) *\|$/\1|\2|\3|\4|\5/p' "$page"
}

show()
{
    awk -F'|' -v tiers="${tiers[*]}" '
        BEGIN { n = split(tiers, in_tier, " "); split("short all long", name, " ") }
        NR == FNR { split($0, w, " "); if (index(" " tiers " ", " " w[2] " ")) count[w[1]]++; next }
        count[$1] {
            part = ""
            for (i = 1; i <= 3; i++)
                if (i <= n && $(i + 1) != "")
                    part = part (part == "" ? "" : "; ") $(i + 1)
            gsub(/`/, "", $5)
            printf "%6d  %-14s %s (%s)\n", count[$1], $1, $5, part
            all += count[$1]
        }
        END { printf "%6d  tests\n", all }' <(tests) <(rows)
}

check()
{
    local bad=0 proof short all long column what there
    there=$(tests | sort -u)
    [ -n "$there" ] || { echo "no tests in $dir"; exit 1; }
    while IFS='|' read -r proof short all long what; do
        for column in "${tiers[@]}"; do
            if [ -n "${!column}" ]; then
                grep -qxF "$proof $column" <<<"$there" ||
                    { echo "$proof: tests/README.md has it in the tier $column, where it has no test"; bad=1; }
            elif grep -qxF "$proof $column" <<<"$there"; then
                echo "$proof: it has tests in the tier $column, of which tests/README.md says nothing"
                bad=1
            fi
        done
    done < <(rows)
    while read -r proof label; do
        [ -n "$label" ] || { echo "$proof: a test is in no tier"; bad=1; }
        [[ " short all long " == *" $label "* ]] || { echo "$proof: a test is in the tier '$label'"; bad=1; }
        rows | cut -d'|' -f1 | grep -cxF "$proof" >/dev/null || { echo "$proof: not in the table of tests/README.md"; bad=1; }
    done <<<"$there"
    # Every folder of tests is a proof too.
    for what in "$(dirname "$page")"/*/suite.cmake; do
        proof=$(basename "$(dirname "$what")")
        rows | cut -d'|' -f1 | grep -cxF "$proof" >/dev/null || { echo "tests/$proof: not in the table of tests/README.md"; bad=1; }
    done
    return $bad
}

$what
