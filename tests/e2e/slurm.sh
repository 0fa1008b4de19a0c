#!/usr/bin/env bash
# A sweep on a real Slurm with two nodes (tests/slurm/cluster.sh): a watcher that is interrupted, a task
# that is killed in the middle, resumed: what comes home is what local runs give.  Status, cancel.
# tier: all
. "$SRC/tests/e2e/lib/check.bash"

rm -rf work && mkdir work && cd work || exit 1
cluster=$(mktemp -d)/cluster
trap 'kill $(jobs -p) 2>/dev/null; bash "$SRC/tests/slurm/cluster.sh" stop "$cluster"; rm -rf "$(dirname "$cluster")"' EXIT
trap 'exit 1' INT TERM
env=$(bash "$SRC/tests/slurm/cluster.sh" start "$cluster" $$) || exit 1
eval "$env"

cp "$SRC/bench/branch.ptx" .
case $SMELT in
*/asan/*) ctas=12 ;; # as long a run as the others' are: a part of a second
*) ctas=64 ;;
esac
cat >run.job <<EOF
module branch.ptx
buf out u32 $((ctas * 256)) zero
launch collatz $ctas 1 1 256 1 1 0 @out u:1
EOF
values=$(seq -s, 100 123)

sweep()
{
    "$SMELT" sweep --vary "mem.dram_latency=$1" -o "$2" "${@:3}" run.job
}

# In the background, as a process that can be interrupted; what it says goes to watcher.txt.
begin_sweep()
{
    "$SMELT" sweep --vary "mem.dram_latency=$1" -o "$2" "${@:3}" run.job >/dev/null 2>watcher.txt &
    watcher=$!
}

# Ends with status 2 and a last line that matches; before it may stand what the sweep is about.
refused()
{
    local pattern=$1 got=0
    shift
    PATH=${path:-$PATH} "$SMELT" sweep --vary mem.dram_latency=1,2 "$@" run.job >out.txt 2>err.txt || got=$?
    same "status of $*" $got 2
    [[ $(tail -n 1 err.txt) =~ $pattern ]] || failed "no '$pattern' at the end from $*: $(cat err.txt)"
}

# Waits until a command succeeds; what it waits for is sure to come, or the test has failed anyway.
until_true()
{
    local round
    for ((round = 0; round < 2400; round++)); do
        "$@" && return
        sleep 0.05
    done
    failed "in vain: $*"
}

# ---- mistakes

refused '^smelt: sbatch: error: Batch job submission failed: Invalid partition name specified$' \
    -o wrong --slurm="-p nowhere"
refused "^smelt: sbatch: unrecognized option '--nonsense'$" -o wrong --slurm=--nonsense
refused "^smelt: --slurm: a quote is not closed in -p 'x$" -o wrong --slurm="-p 'x"
path=$PWD/empty refused '^smelt: squeue: not found; --slurm needs the commands of Slurm in .PATH$' -o wrong --slurm=
fails 2 'wrong: no jobs were submitted from here' sweep --cancel -o wrong
fails 2 'nowhere: no jobs were submitted from here' sweep --status -o nowhere
fails 2 'is for Slurm.s tasks: SLURM_ARRAY_JOB_ID is not set' sweep --slurm-task "$PWD/wrong/slurm"
SLURM_ARRAY_JOB_ID=x fails 2 'SLURM_ARRAY_JOB_ID is no number: x' sweep --slurm-task "$PWD/wrong/slurm"
export SLURM_ARRAY_JOB_ID=1 SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=1
fails 2 'nowhere: No such file or directory' sweep --slurm-task "$PWD/nowhere"
fails 2 'wrong/slurm is not a path from the root' sweep --slurm-task wrong/slurm
unset SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT

# ---- interrupted

count()
{
    find "$1/slurm" -name "$2" 2>/dev/null | wc -l
}

some()
{
    [ "$(count "$1" "$2")" -gt 0 ]
}

begin_sweep "$values" cluster -j 4 --slurm="-p main --comment='two words'"
until_true some cluster '*.taken'
refused 'another smelt watches these jobs; wait for it, or end it \(Ctrl-C\)$' -o cluster --slurm
kill -INT $watcher
wait $watcher && failed "an interrupted sweep has status 0"
grep -q "the jobs go on: the same command again watches on, 'smelt sweep --status -o cluster'" watcher.txt ||
    failed "it does not say that the jobs go on: $(cat watcher.txt)"
job=$(head -n 1 cluster/slurm/job)
[ "$(squeue -h -j "$job" -o %k | sort -u)" = "two words" ] || [ -z "$(squeue -h -j "$job")" ] ||
    failed "sbatch's options are not those given"

# ---- a task is killed with a point in its hands: it is stopped first, so that it cannot finish it

# Files KEY.HOST.PID.part are those of runs in progress; PID is the task's.
catch_a_task()
{
    local part key
    for part in cluster/slurm/*.part; do
        victim=$(sed 's/\.part$//; s/.*\.//' <<<"$part")
        key=$(basename "$part" | cut -d. -f1)
        kill -STOP "$victim" 2>/dev/null || continue
        [ -e "cluster/slurm/$key.taken" ] && [ ! -e "cluster/slurm/$key.row" ] && return
        kill -CONT "$victim"
    done
    return 1
}

until_true catch_a_task
works sweep --status -o cluster
grep -qE "^jobs: $job \(smelt-[0-9a-f]{12}\)$" out.txt || failed "status has no job: $(cat out.txt)"
grep -qE '^tasks: [1-4] running, [0-3] pending$' out.txt || failed "status has no tasks: $(cat out.txt)"
grep -qE '^points: [0-9]+ done, 0 failed, [0-9]+ to be brought home, [1-9] taken, [0-9]+ to go$' out.txt ||
    failed "status has no points: $(cat out.txt)"
kill -KILL "$victim"

# ---- resumed

sweep "$values" cluster -j 4 --slurm >out.txt 2>err.txt || failed "resumed: $(cat err.txt)"
grep -qE "task ${job}_[0-3] is gone \(FAILED\): run.job -g gtx480 --set mem.dram_latency=[0-9]+ goes to another" \
    err.txt || failed "the task that was killed is not told: $(cat err.txt)"
grep -q 'submitted job' err.txt || failed "nothing was submitted anew: $(cat err.txt)"
works sweep --status -o cluster
grep -q '^points: nothing to be run or brought home$' out.txt || failed "something is left: $(cat out.txt)"
[ "$(count cluster '*.taken')$(count cluster '*.row')$(count cluster '*.part')" = 000 ] ||
    failed "files are left: $(ls cluster/slurm)"
sweep "$values" cluster --slurm >out.txt 2>err.txt || failed "again: $(cat err.txt)"
grep -q 'all 24 points are in cluster/store.db' err.txt || failed "something was run again: $(cat err.txt)"
grep -q submitted err.txt && failed "something was submitted again: $(cat err.txt)"

# ---- the same as here, byte for byte

results()
{
    "$SMELT" store export "$1/store.db" -o "$1.jsonl" 2>/dev/null || failed "no export of $1"
    jq -sc 'sort_by(.point.key)[] | [.point.key, (.result | del(.host, .total.seconds, .total.warp_insts_per_second))]' "$1.jsonl"
}

sweep "$values" local -j 2 >out.txt 2>err.txt || failed "locally: $(cat err.txt)"
results local >local.txt
results cluster >cluster.txt
[ "$(wc -l <local.txt)" -eq 24 ] || failed "$(wc -l <local.txt) local results"
cmp local.txt cluster.txt || failed "results differ"

# ---- cancelled

begin_sweep "$(seq -s, 200 219)" cancelled -j 2 --slurm
until_true some cancelled '*.taken'
works sweep --cancel -o cancelled
grep -qE "^smelt: cancelled: job [0-9]+; [0-9]+ of its 20 points are in $PWD/cancelled/store.db$" err.txt ||
    failed "cancel says: $(cat err.txt)"
wait $watcher && failed "a cancelled sweep has status 0"
grep -q 'the jobs were cancelled; the same command again runs what is missing' watcher.txt ||
    failed "the watcher does not say that they were cancelled: $(cat watcher.txt)"
works store list --failed cancelled/store.db
[ ! -s out.txt ] || failed "what was cancelled is recorded as failed: $(cat out.txt)"
[ -z "$(squeue -h)" ] || failed "jobs are left: $(squeue)"
[ "$(count cancelled '*.taken')$(count cancelled '*.row')" = 00 ] || failed "files are left: $(ls cancelled/slurm)"
fails 2 'nothing to cancel, job [0-9]+ has ended' sweep --cancel -o cancelled
finish
