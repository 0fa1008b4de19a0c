#!/usr/bin/env bash
# Dynamic warp subdivision.  Whenever warps are divided and re-unite, the program's result is right, its
# threads execute as many instructions, every cycle of a scheduler has one reason, and the bytes are the
# same however they were made.  Where nothing is divided, all is as without it.
#
#   dws.sh GPU "KEYS KEYS .." PROGRAM [ARGS..]      SMELT is the command
#
# With the key `never` besides: a program whose lanes never part must not be divided.
set -uo pipefail

. "$(dirname "$0")/lib.sh"
gpu=$1 choices=$2
shift 2

divided()
{
    local name=$1 keys=$2
    shift 2
    one "$name" "$SMELT" -g "$gpu" -m "dws:$keys" "$@"
}

splits()
{
    echo $(($(value "$1" dws_branch_splits) + $(value "$1" dws_memory_splits)))
}

one baseline "$SMELT" -g "$gpu" "$@"
for keys in $choices; do
    if [ "$keys" = never ]; then
        divided never when=branch,least=16 "$@"
        [ "$(splits never)" = 0 ] || die "never: $(splits never) warps were divided"
        same baseline never
        continue
    fi
    divided "$keys" "$keys" "$@"
    cmp -s "$folder/baseline.out" "$folder/$keys.out" || die "$keys: another output"
    [ "$(value "$keys" thread_insts)" = "$(value baseline thread_insts)" ] || die "$keys: other instructions"
    [ "$(value "$keys" dws_home)" -le "$(splits "$keys")" ] || die "$keys: more came home than had left"
    [ "$(splits "$keys")" != 0 ] || same baseline "$keys"
    reasons_add_up "$keys"
    divided no_skip "$keys" --no-skip --threads 2 "$@" && same "$keys" no_skip
    divided four "$keys" --threads 4 "$@" && same "$keys" four
done
exit 0
