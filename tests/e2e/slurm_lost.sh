#!/usr/bin/env bash
# On a cluster things go wrong: runs that take their task with them, tasks that cannot begin, programs
# that change under a job, a controller that does not answer.  All of it ends, and is told.
# tier: all
. "$SRC/tests/e2e/lib/check.bash"

rm -rf work && mkdir work && cd work || exit 1
cluster=$(mktemp -d)/cluster
trap 'kill $(jobs -p) 2>/dev/null; bash "$SRC/tests/slurm/cluster.sh" stop "$cluster"; rm -rf "$(dirname "$cluster")"' EXIT
trap 'exit 1' INT TERM
env=$(bash "$SRC/tests/slurm/cluster.sh" start "$cluster" $$) || exit 1
eval "$env"

cp "$SRC/bench/branch.ptx" .
cat >run.job <<'EOF'
module branch.ptx
buf out u32 2048 zero
launch collatz 8 1 1 256 1 1 0 @out u:1
EOF

until_true()
{
    local round
    for ((round = 0; round < 2400; round++)); do
        "$@" && return
        sleep 0.05
    done
    failed "in vain: $*"
}

# ---- a program that kills the task that runs it: its grandparent, above `smelt run`

cat >deadly <<'EOF'
#!/bin/sh
echo "nobody survives this"
pid=$PPID
while ! grep -qa -e --slurm-task "/proc/$pid/cmdline"; do
    pid=$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")
    [ "$pid" -gt 1 ] || exit 3
done
kill -9 "$pid"
sleep 100
EOF
chmod +x deadly
"$SMELT" sweep --vary mem.dram_latency=100 -o deadly.out --slurm ./deadly run.job >out.txt 2>deadly.txt &
deadly=$!

# ---- tasks that end before they begin (smelt is not there on the nodes, say)

mkdir broken
cat >broken/sbatch <<'EOF'
#!/bin/sh
exec /usr/bin/sbatch "$@" --wrap='echo there is no smelt here; exit 3'
EOF
chmod +x broken/sbatch
PATH=$PWD/broken:$PATH "$SMELT" sweep --vary mem.dram_latency=1,2 -o fruitless --slurm run.job >out.txt 2>fruitless.txt &
fruitless=$!

# ---- squeue has no answer for a while; and a job's file changes before its tasks begin

mkdir deaf
cat >deaf/squeue <<EOF
#!/bin/sh
[ ! -e "$PWD/deaf/now" ] || { echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; }
exec /usr/bin/squeue "\$@"
EOF
chmod +x deaf/squeue
cp run.job changed.job
PATH=$PWD/deaf:$PATH "$SMELT" sweep --vary mem.dram_latency=1,2 -o changed --slurm=--hold changed.job \
    >out.txt 2>changed.txt &
changed=$!
until_true [ -s changed/slurm/job ]
touch deaf/now
until_true grep -q 'warning: squeue: slurm_load_jobs error: Unable to contact slurm controller; results still come home' changed.txt
rm deaf/now
echo "at out 0" >>changed.job
job=$(head -n 1 changed/slurm/job)
scontrol release "$job"
until_true grep -qs 'are not what they were when it was submitted' "changed/slurm/${job}_0.log"
kill -INT $changed
wait $changed && failed "an interrupted sweep has status 0"
works sweep --cancel -o changed
grep -q '; 0 of its 2 points are in' err.txt || failed "a result of another program came home: $(cat err.txt)"

# ---- how they ended

wait $fruitless
same "status of a sweep whose tasks cannot begin" $? 2
grep -qE '^smelt: 3 jobs in a row have ended without taking a point, the last, [0-9]+, as FAILED; .*_[01].log: there is no smelt here$' \
    fruitless.txt || failed "fruitless: $(cat fruitless.txt)"

wait $deadly
same "status of a sweep with a point that failed" $? 1
grep -qE '^smelt: task [0-9]+_0 is gone \(FAILED\), the third with ./deadly' deadly.txt || failed "deadly: $(cat deadly.txt)"
grep -qE '^smelt: failed: ./deadly .*: its task on the cluster died 3 times: ([0-9]+_[01] FAILED(, )?){3}$' deadly.txt ||
    failed "deadly: $(cat deadly.txt)"
works store list --failed deadly.out/store.db
works store show "$(cut -d' ' -f1 out.txt)" deadly.out/store.db
grep -q 'nobody survives this' out.txt || failed "its last lines are not kept: $(cat out.txt)"
finish
