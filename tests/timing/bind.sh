#!/usr/bin/env bash
# SMs that are bound to each other: whatever the binding, the program finds its result right and says
# what it says without, its threads execute the same instructions, every cycle of every scheduler has
# one reason, and the bytes are the same however they were made.  A binding that binds nothing changes
# nothing.
#
#   bind.sh PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

keys=(--set sm.n_warp=32 --set sm.max_threads=1024)

bound()
{
    local name=$1 kind=$2
    shift 2
    one "$name" "$SMELT" "${keys[@]}" -m "bind:kind=$kind" "$@"
}

one base "$SMELT" "${keys[@]}" "$@"
bound none none "$@" && same base none
for kind in wide lend,late=1,l1d=2 lend,size=3 join lock_step lock_step,size=4,late=1 lock_step,size=8,part=700; do
    bound $kind $kind "$@"
    cmp -s "$folder/base.out" "$folder/$kind.out" || die "$kind: another output"
    [ "$(value $kind thread_insts)" = "$(value base thread_insts)" ] || die "$kind: other instructions"
    reasons_add_up $kind
    bound no_skip $kind --no-skip --threads 2 "$@" && same $kind no_skip
    bound four $kind --threads 4 "$@" && same $kind four
done
exit 0
