#!/usr/bin/env bash
# Warped Gates on its own GPU.  Switched off it changes nothing but its own counters.  Switched on, the
# program's result is right, the bytes are the same however they were made, and its own counters say
# what the SM's say: cycles that pipelines do not leak, and what switching cost; also in a run that is
# cut short.
#
#   gates.sh PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

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

# SMs with work are counted up to the end, and no pipeline is off for longer than that.
cut_short()
{
    local half=$(($(value warped sm_cycles) / 30)) type cycles
    "$SMELT" run --json "$folder/cut.json" -g gates -m gates:variant=warped --max-cycles $half "$@" >/dev/null 2>&1
    adds_up cut
    cycles=$(value cut gates_cycles)
    [ "$cycles" -gt 0 ] && [ "$cycles" -le "$(value cut sm_cycles)" ] || die "cut short: $cycles cycles"
    for type in int fp; do
        [ $(($(value cut sp0_${type}_off) + $(value cut sp1_${type}_off))) -le $((2 * cycles)) ] ||
            die "cut short: $type pipelines are off for longer than there is work"
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
for variant in conv_pg naive warped warped,ready=both warped,max_switch=50; do
    gates $variant -m gates:variant=$variant "$@"
    cmp -s "$folder/base.out" "$folder/$variant.out" || die "$variant: another output"
    adds_up $variant
done
gates no_skip --no-skip -m gates:variant=warped "$@" && same warped no_skip
gates slow --no-skip -m gates:variant=warped,max_switch=50 "$@" && same warped,max_switch=50 slow
gates two --threads 2 -m gates:variant=warped "$@" && same warped two
cut_short "$@"
exit 0
