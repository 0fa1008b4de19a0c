#!/usr/bin/env bash
# Out-of-order issue.  Whatever the policy, the buffer and the order of accesses, the program's result is
# right, its threads execute as many instructions, every cycle of a scheduler has one reason, and the
# bytes are the same however they were made.
#
#   socgpu.sh GPU "KEYS KEYS .." PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"
gpu=$1 choices=$2
shift 2

ooo()
{
    local name=$1 keys=$2
    shift 2
    one "$name" "$SMELT" -g "$gpu" -m "socgpu:$keys" "$@"
}

one baseline "$SMELT" -g "$gpu" "$@"
for keys in $choices; do
    ooo "$keys" "$keys" "$@"
    cmp -s "$folder/baseline.out" "$folder/$keys.out" || die "$keys: another output"
    [ "$(value "$keys" thread_insts)" = "$(value baseline thread_insts)" ] || die "$keys: other instructions"
    [ "$(value "$keys" socgpu_overtook)" = 0 ] || die "$keys: accesses have overtaken others"
    reasons_add_up "$keys"
    ooo no_skip "$keys" --no-skip --threads 2 "$@" && same "$keys" no_skip
    ooo four "$keys" --threads 4 "$@" && same "$keys" four
done
exit 0
