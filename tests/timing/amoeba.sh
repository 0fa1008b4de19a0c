#!/usr/bin/env bash
# AMOEBA on its own GPU, with few SMs of one CTA each, so that some are left when a pair has been fused.
# SMs that are never fused are the baseline.  In each mode, fusing always and splitting often, the
# program's result is right, its threads execute as many instructions (but who talks to threads of the
# same warp that has been cut may try again more or less often), every cycle of a scheduler has one reason,
# and the bytes are the same however they were made.
#
#   amoeba.sh SMS PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

sms=$1
shift
often=predictor=always,threshold=1,period=100

baseline()
{
    local name=$1
    shift
    one "$name" "$SMELT" -g amoeba --set gpu.n_sm=$sms --set sm.max_cta=1 "$@"
}

amoeba()
{
    local name=$1 keys=$2
    shift 2
    baseline "$name" -m "amoeba:$keys" "$@"
}

baseline baseline "$@"
amoeba never predictor=never "$@" && same baseline never
for mode in scale_up static_fuse direct_split warp_regroup running stay carried restart; do
    case $mode in
    scale_up) keys=mode=$mode ;;
    running) keys=$often,sampling=running,length=1234 ;;
    stay) keys=$often,after_sample=stay,sampling=running,length=1234 ;;
    carried) keys=$often,sampling=running,length=234 ;;
    restart) keys=$often,after_sample=restart,length=345 ;;
    *) keys=mode=$mode,$often ;;
    esac
    amoeba $mode $keys "$@"
    cmp -s "$folder/baseline.out" "$folder/$mode.out" || die "$mode: another output"
    [ "$(value $mode amoeba_gathered)" != 0 ] || [ "$(value $mode thread_insts)" = "$(value baseline thread_insts)" ] ||
        die "$mode: other instructions"
    reasons_add_up $mode
    amoeba no_skip $keys --no-skip --threads 2 "$@" && same $mode no_skip
    amoeba four $keys --threads 4 "$@" && same $mode four
    jq -e '.stats | (.amoeba_fused > 0 or .amoeba_sampled > 0) and .amoeba_fused_again <= .amoeba_splits and
        .amoeba_split_cycles <= .amoeba_fused_cycles' "$folder/$mode.json" >/dev/null || die "$mode: counters"
done
exit 0
