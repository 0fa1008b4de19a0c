#!/usr/bin/env bash
# One name, one number: each percentage of the summary is the ratio that the JSON of the same run has.
. "$SRC/tests/e2e/lib/check.bash"

# The number after LABEL on its line of the summary.
said() { sed -n -E "s/^smelt: +$1 +([0-9.]+).*/\1/p" err.txt; }

# agree LABEL DIGITS 'EXPRESSION': what is said is the expression, rounded to so many digits.
agree()
{
    local want
    want=$(jq -r "$3" r.json | LC_ALL=C awk -v d="$2" '{ printf "%.*f", d, $1 }')
    same "$1 of $name" "$(said "$1")" "$want"
}

check()
{
    name=$1
    shift
    works run --json r.json "$@"
    agree IPC 2 .total.ipc
    agree occupancy 1 '100 * .stats.occupancy'
    agree SIMT 1 '100 * .stats.simt_efficiency'
    agree issued 1 '100 * .stalls.issued / .stalls.scheduler_cycles'
    agree L1D 1 '100 * (1 - .stats.l1d_miss_rate)'
    agree L2 1 '100 * (1 - .stats.l2_miss_rate)'
    agree DRAM 1 '100 * .stats.dram_utilization'
    agree power 1 .total.power_w
    # What is said beside the percentage is the same number too.
    local of
    of=$(sed -n -E 's/^smelt: +DRAM .* ([0-9.]+) GB\/s of ([0-9.]+) at most$/\1 \2/p' err.txt)
    LC_ALL=C awk -v p="$(jq '100 * .stats.dram_utilization' r.json)" -v of="$of" 'BEGIN {
        split(of, v, " "); d = 100 * v[1] / v[2] - p; exit !(d < 0.3 && d > -0.3) }' ||
        failed "$name: $of GB/s are not $(jq '100 * .stats.dram_utilization' r.json) %"
    jq -e '(.kernels | length) > 1 or .kernels[0].occupancy == .stats.occupancy' r.json >/dev/null ||
        failed "$name: the occupancy of the kernel is another"
    for ratio in occupancy dram_utilization dram_efficiency simt_efficiency; do
        jq -e ".stats.$ratio <= 1 and .stats.$ratio > 0" r.json >/dev/null || failed "$ratio of $name: $(jq ".stats.$ratio" r.json)"
    done
}

check vecadd -g tiny "$SRC/examples/vecadd.job"
check cold -g gtx480 "$SRC/examples/vecadd.job" --set mem.copy_warms_l2=off
works cc "$SRC/examples/saxpy.cu" -o saxpy
check saxpy -g gtx480 ./saxpy
jq -e '.stats.dram_efficiency >= .stats.dram_utilization' r.json >/dev/null || failed "less work than time"

# The table of lines is there with the JSON, too, and --quiet silences both.
works run -g tiny --lines --json r.json "$SRC/examples/vecadd.job"
grep -q 'vecadd.ptx:33' err.txt || failed "no lines: $(cat err.txt)"
works run -g tiny --lines --json r.json --quiet "$SRC/examples/vecadd.job"
same "quiet" "$(cat err.txt)" ""
fails 2 '^smelt: --sample is for the JSON: say --json OUT too, or leave it out$' run -g tiny --sample 100 "$SRC/examples/vecadd.job"
finish
