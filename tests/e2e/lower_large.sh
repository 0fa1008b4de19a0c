#!/usr/bin/env bash
# Large kernels compute the same lowered, not lowered and in few registers; awk says what is right.
. "$SRC/tests/e2e/lib/check.bash"

# check LINES SINGLES PAIRS: a kernel of that many lines and variables.
check()
{
    local name="$1 lines, $2 singles, $3 pairs" set
    local make=(awk -v lines="$1" -v singles="$2" -v pairs="$3" -f "$SRC/bench/lowering.awk")
    "${make[@]}" >k.ptx
    "${make[@]}" -v expect=1 >expected.txt
    same "$name: threads" "$(wc -l <expected.txt)" 32
    shift 3
    for set in front.lower=off front.schedule=off "$@"; do
        works run -q --functional --set "$set" --grid 1 --block 32 --arg 'buf:u32[32]=zero' \
            --dump 0:out.bin k.ptx
        od -An -v -w4 -tu4 out.bin | tr -d ' ' >out.txt
        cmp -s out.txt expected.txt || failed "$name, $set: $(diff out.txt expected.txt | head -3)"
    done
}

# With both widths, more of both than there are registers, and singles only.
check 1600 24 8 front.max_regs=0 front.max_regs=40 front.max_regs=24
check 1600 60 20 front.max_regs=0 front.max_regs=20
check 3200 40 0 front.max_regs=24

finish
