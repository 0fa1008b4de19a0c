#!/usr/bin/env bash
# Hardware warps of 64 and 128 lanes, on pipelines of 32 lanes and on such as wide as they: the program finds its result
# right and says what it says with warps of 32, its threads execute the same instructions in fewer warps, and
# the bytes are the same however they were made.
#
#   wide.sh PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

one base "$SMELT" "$@"
for words in 2 4; do
    for lanes in 32 $((32 * words)); do
        keys=(--set sm.warp_words=$words --set sm.simd_width=$lanes)
        name=$words,$lanes
        one $name "$SMELT" "${keys[@]}" "$@"
        cmp -s "$folder/base.out" "$folder/$name.out" || die "$name: another output"
        [ "$(value $name warp_insts)" -lt "$(value base warp_insts)" ] || die "$name: no fewer instructions"
        one no_skip "$SMELT" "${keys[@]}" --no-skip --threads 2 "$@" && same $name no_skip
    done
done
exit 0
