#!/usr/bin/env bash
# SIGKILL at five moments, and the same command again: no point is lost, and none that had ended is run
# a second time.
source "$SRC/tests/study/lib.bash"

export RUN_LOG=$PWD/runs
RANDOM=7
points=60 kills=5 killed=0
for ((i = 0; i < kills; i++)); do
    before=$(grep -c '^end ' runs 2>/dev/null)
    "$TOOL" sweep s.db a.job 1001 $((1000 + points)) >out.txt 2>err.txt &
    pid=$!
    # after a few more runs, and then at any moment
    more=$((RANDOM % 8 + 1))
    until [ "$(grep -c '^end ' runs 2>/dev/null)" -ge $((before + more)) ] || ! kill -0 $pid 2>/dev/null; do
        sleep 0.00$((RANDOM % 10))
    done
    kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
    same "integrity after kill $i" "$(sql s.db 'PRAGMA integrity_check')" ok
done
same "kills" $killed $kills
"$TOOL" sweep s.db a.job 1001 $((1000 + points)) >out.txt 2>err.txt || die "the last: $(cat err.txt)"
same "rows" "$(sql s.db "SELECT count(DISTINCT settings) FROM point WHERE state = 'done'")" $points
same "runs that ended twice" "$(twice end)" 0
begun=$(grep -c '^begin ' runs)
[ "$begun" -le $((points + 2 * kills)) ] || die "$begun runs of $points points and $kills kills of two"
intact s.db
same "left behind" "$(ls s.db.d)" ""
"$TOOL" sweep s.db a.job 1001 $((1000 + points)) >out.txt 2>err.txt
same "once more" "$(cat out.txt)" "there $points done 0 failed 0"
grep -q "^smelt: $points points: all in s.db\$" err.txt || die "$(cat err.txt)"
