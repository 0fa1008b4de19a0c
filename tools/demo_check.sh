#!/usr/bin/env bash
#
# demo_check.sh STEP DIR [LOG] -- are the numbers that demo.sh showed those of the runs?  No figure is
# written here: each is computed again from the results in the store, by other means than smelt's.
set -euo pipefail
step=$1 out=$2 log=${3:-}
store=$out/ideas/store.db

fail()
{
    echo "demo: $*" >&2
    exit 1
}

runs()
{
    "$SMELT" store export --metric area.total "$store" >"$out/runs.csv"
    [ "$(grep -c ',done,' "$out/runs.csv")" -eq "$1" ] || fail "not $1 runs that are done: $(cat "$out/runs.csv")"
}

# The result of the run on a GPU with a mechanism, or "" for none.
result() # GPU MECH
{
    local key
    key=$(python3 -c '
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    if row["gpu"] == sys.argv[2] and row["mech"] == sys.argv[3]:
        print(row["key"])' "$out/runs.csv" "$1" "$2")
    "$SMELT" store show "$key" "$store" --json
}

# A column of ideas.csv is 100 (a / b - 1), to the six digits that are written.
same_change() # NAME SAID A B
{
    awk -v said="$2" -v a="$3" -v b="$4" 'BEGIN { d = said - 100 * (a / b - 1)
        exit !(d < 1e-5 * (said < 0 ? -said : said) + 1e-9 && -d < 1e-5 * (said < 0 ? -said : said) + 1e-9) }' ||
        fail "$1: $2, but the runs have $3 and $4"
}

# What the sentence of an idea says: a number of the results, whole, with these words before and behind.
says() # FILE BEFORE JQ BEHIND
{
    local n
    n=$(jq -r "$3" "$1")
    grep -qF -- "$2$n$4" "$out/ideas/ideas.csv" || fail "no '$2$n$4' in the sentences"
}

check_saxpy()
{
    grep -qx 'mean 5' "$out/mean.txt" || fail "$(cat "$out/mean.txt")"
    "$SMELT" run -q --json "$out/saxpy.json" "$out/saxpy" >/dev/null
    grep -q "1 launch: $(jq .total.cycles "$out/saxpy.json") cycles" "$log" || fail "other cycles: $(cat "$log")"
    jq -r '.total | .thread_insts / .cycles' "$out/saxpy.json" | awk '{ printf "%.2f\n", $1 }' >"$out/ipc.txt"
    grep -q "IPC  *$(cat "$out/ipc.txt") " "$log" || fail "not $(cat "$out/ipc.txt"): $(cat "$log")"
}

check_figures()
{
    local idea mech field=('' cycles energy_j area)
    while IFS=, read -r idea _ performance energy area _; do
        mech=$(awk -F, -v idea="$idea" '$5 == idea && $6 != "" { print $6 }' "$out/runs.csv")
        result "$idea" "" >"$out/$idea.base.json"
        result "$idea" "$mech" >"$out/$idea.json"
        mapfile -t field < <(jq -s '.[0].total.cycles, .[1].total.cycles, .[0].total.energy_j, .[1].total.energy_j,
            .[0].area.total, .[1].area.total' "$out/$idea.base.json" "$out/$idea.json")
        same_change "$idea: performance" "$performance" "${field[0]}" "${field[1]}"
        same_change "$idea: energy" "$energy" "${field[3]}" "${field[2]}"
        same_change "$idea: area" "$area" "${field[5]}" "${field[4]}"
    done < <(tail -n +2 "$out/ideas/ideas.csv")
}

off() # TYPE
{
    echo "100 * (.stats.gates_$1_uncompensated + .stats.gates_$1_compensated) / (2 * .stats.gates_cycles) | round"
}

check_sentences()
{
    says "$out/gates.json" "INT pipelines were off " "$(off int)" " % of the time"
    says "$out/gates.json" "FP pipelines " "$(off fp)" " %"
    says "$out/gates.json" "With " ".stats | .gates_int_wakeups + .gates_fp_wakeups" " wake-ups"
    says "$out/share.json" "schedulers were off " "100 * .stalls.off / .stalls.scheduler_cycles | round" " %"
    says "$out/socgpu.json" "" "100 * .stats.socgpu_ahead / .total.warp_insts | round" " % of the instructions overtook"
    says "$out/buddy.json" "" ".stats.buddy_clusters" " clusters of four SMs"
    says "$out/buddy.json" "and " ".stats.buddy_inst_packets" " packets"
    says "$out/amoeba.json" "fused " ".stats.amoeba_fused" " pairs"
    says "$out/amoeba.json" "split " ".stats.amoeba_splits" " times"
}

check_ideas()
{
    runs 10
    check_figures
    check_sentences
}

check_sweep()
{
    local cycles again size=8
    runs 12
    cycles=$(for mech in "" buddy:size=2 buddy:size=4 buddy:size=8; do result buddy "$mech" | jq .total.cycles; done | xargs)
    [ "$(awk '/^aes/ { print $4, $5, $6, $7; exit }' "$out/sweep.txt")" = "$cycles" ] || fail "not $cycles: $(cat "$out/sweep.txt")"
    again=$("$SMELT" run -q --json - -g buddy -m buddy:size=$size aes --size 32768 | sed '/^PASS$/d' | jq .total.cycles)
    [ "${cycles##* }" = "$again" ] || fail "${cycles##* } cycles, and then $again"
}

"check_$step"
