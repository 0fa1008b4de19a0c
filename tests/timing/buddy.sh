#!/usr/bin/env bash
# Buddy SM on its own GPU.  A cluster of one is the baseline.  Whatever the cluster, the program's result
# is right, its threads execute as many instructions, every cycle of a scheduler has one reason, and the
# bytes are the same however they were made.
#
#   buddy.sh "KEYS .." PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

settings=$1
shift

grouped()
{
    local name=$1 keys=$2
    shift 2
    one "$name" "$SMELT" -g buddy -m "buddy:$keys" "$@"
}

one baseline "$SMELT" -g buddy "$@"
grouped alone size=1 "$@" && same baseline alone
for keys in $settings; do
    grouped $keys $keys "$@"
    cmp -s "$folder/baseline.out" "$folder/$keys.out" || die "$keys: another output"
    [ "$(value $keys thread_insts)" = "$(value baseline thread_insts)" ] || die "$keys: other instructions"
    reasons_add_up $keys
    grouped no_skip $keys --no-skip --threads 2 "$@" && same $keys no_skip
    grouped four $keys --threads 4 "$@" && same $keys four
    # Whose SMs never go different ways, and leave no blocks over, is in lock step all the time.
    jq -e '.stats | .buddy_ungrouped + .buddy_residue > 0 or .buddy_buddy_cycles == .buddy_cluster_cycles' \
        "$folder/$keys.json" >/dev/null || die "$keys: apart without a reason"
done
exit 0
