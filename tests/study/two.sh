#!/usr/bin/env bash
# Two processes with one store at once, 200 points each (fewer with sanitizers), half of them the same:
# all are there in the end, and none was run twice.
source "$SRC/tests/study/lib.bash"

export RUN_LOG=$PWD/runs
n=$POINTS all=$((3 * POINTS / 2))
"$TOOL" sweep s.db a.job 1001 $((1000 + n)) >one.txt 2>one.err &
first=$!
"$TOOL" sweep s.db a.job $((1001 + n / 2)) $((1000 + all)) >two.txt 2>two.err &
second=$!
wait $first || die "the first: $(cat one.err)"
wait $second || die "the second: $(cat two.err)"
same "rows" "$(sql s.db "SELECT count(*) FROM point WHERE state = 'done'")" "$all"
same "different settings" "$(sql s.db 'SELECT count(DISTINCT settings) FROM point')" "$all"
same "runs begun" "$(grep -c '^begin ' runs)" "$all"
same "runs begun twice" "$(twice begin)" 0
same "run by both" "$(cat one.txt two.txt | awk '{ n += $4 } END { print n }')" "$all"
same "points of both" "$(cat one.txt two.txt | awk '{ n += $2 + $4 } END { print n }')" $((2 * n))
same "left behind" "$(ls s.db.d)" ""
intact s.db
grep -qE '^smelt: [0-9]+ points: [0-9]+ in s.db, [0-9]+ to run, 2 at a time$' <<<"$(head -n 1 one.err)" ||
    die "no progress: $(cat one.err)"
