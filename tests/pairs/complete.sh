#!/usr/bin/env bash
# Every two mechanisms exclude each other, or are in pairs.sh.  `noop` has tests of its own: timing.NAME.
set -uo pipefail

. "$(dirname "$0")/pairs.sh"

names()
{
    echo "$1"
}

there=$(each_in_company names)
list=$("$SMELT" list mechanisms)
bad=0
mapfile -t all < <(awk '$1 != "noop" { print $1 }' <<<"$list")

excludes()
{
    grep -Eq "^$1 .* not with ([a-z0-9]+,)*$2[,:]" <<<"$list"
}

for ((i = 0; i < ${#all[@]}; i++)); do
    for ((k = i + 1; k < ${#all[@]}; k++)); do
        a=${all[i]} b=${all[k]}
        if excludes "$a" "$b" || excludes "$b" "$a"; then
            continue
        fi
        grep -qxF "$a+$b" <<<"$there" || { echo "$a+$b can be combined and is not in pairs.sh"; bad=1; }
    done
done
exit $bad
