#!/usr/bin/env bash
#
# explain_names.sh -- smelt explain knows every name that a result, its samples and lines, or the summary has.
set -uo pipefail

die()
{
    echo "$*"
    exit 1
}

"$SMELT" cc "$SRC/examples/saxpy.cu" -o saxpy -lineinfo || die "no program"
"$SMELT" run -g gates -m gates --lines --sample 500 --check --json out.json ./saxpy >/dev/null 2>summary.txt ||
    die "status $?: $(cat summary.txt)"

# Members of the JSON, apart from those of "config": unit.t_conf looks up every key.
jq -r 'del(.config) | [paths | .[] | select(type == "string")] | unique | .[]' out.json >names
# Words at the left of the summary: "  occupancy  83.4 %".
sed -nE 's/^smelt:   +([A-Za-z0-9_]+) +[0-9.]+ .*/\1/p' summary.txt >>names
sort -u names >unique
[ "$(wc -l <unique)" -gt 250 ] || die "only $(wc -l <unique) names"
mapfile -t names <unique
"$SMELT" explain -g gates -- "${names[@]}" >explained 2>unknown || die "$(cat unknown)"
# One that is not known is told, and the others are explained all the same.
"$SMELT" explain cycles no_such_name gto >explained 2>unknown && die "no_such_name is known"
[ "$(wc -l <unknown)" -eq 1 ] && grep -q "'no_such_name'" unknown || die "not told: $(cat unknown)"
grep -q '^gto: ' explained && grep -q '^cycles: ' explained || die "not explained: $(cat explained)"
exit 0
