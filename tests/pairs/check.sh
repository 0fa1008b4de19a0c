#!/usr/bin/env bash
# A workload with mechanisms in company (pairs.sh): its output is that without any, every cycle of a scheduler has
# one reason, and the bytes are the same with two threads and without skipping.
#
#   check.sh NAME [OPTIONS OF NAME]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/../timing/lib.sh"
. "$(dirname "$0")/pairs.sh"

# The options of a company without its mechanisms.
alone()
{
    sed -E 's/ -m [^ ]+//g' <<<" $1"
}

in_company()
{
    local who=$1 options=$2
    shift 2
    one baseline "$SMELT" $(alone "$options") "${program[@]}"
    one "$who" "$SMELT" $options "${program[@]}"
    cmp -s "$folder/baseline.out" "$folder/$who.out" || die "$who: another output"
    reasons_add_up "$who"
    one no_skip "$SMELT" $options --no-skip --threads 2 "${program[@]}" && same "$who" no_skip
}

program=("$@")
each_in_company in_company
exit 0
