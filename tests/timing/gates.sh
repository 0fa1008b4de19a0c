#!/usr/bin/env bash
# Warped Gates on its own GPU.  Switched off it changes nothing but its own counters.  Switched on, the
# program's result is right, the bytes are the same however they were made, and its own counters say
# what the SM's say: cycles that pipelines do not leak, and what switching cost.
#
#   gates.sh PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

# The last value of a counter in a result: the sum over all launches.
value()
{
    sed -nE "s/.*\"$2\": ([0-9]+).*/\1/p" "$folder/$1.json" | tail -1
}

adds_up()
{
    local type off cost
    for type in int fp; do
        off=$(($(value "$1" sp0_${type}_off) + $(value "$1" sp1_${type}_off)))
        cost=$(($(value "$1" sp0_${type}_gating) + $(value "$1" sp1_${type}_gating)))
        [ $off -eq $(($(value "$1" gates_${type}_uncompensated) + $(value "$1" gates_${type}_compensated))) ] ||
            die "$1: $type pipelines are off for another number of cycles"
        [ $cost -eq $((14 * $(value "$1" gates_${type}_gatings))) ] || die "$1: $type: another cost"
    done
}

gates()
{
    local name=$1
    shift
    one "$name" "$SMELT" -g gates "$@"
}

gates base "$@"
gates off -m gates:variant=conv_pg,idle_detect=0 "$@"
same base off
for variant in conv_pg naive warped; do
    gates $variant -m gates:variant=$variant "$@"
    cmp -s "$folder/base.out" "$folder/$variant.out" || die "$variant: another output"
    adds_up $variant
done
gates no_skip --no-skip -m gates:variant=warped "$@" && same warped no_skip
gates two --threads 2 -m gates:variant=warped "$@" && same warped two
exit 0
