#!/usr/bin/env bash
# SIGINT and SIGTERM end the runs and keep what is finished; points that another process is at are left
# to it, and taken over when it vanishes.
source "$SRC/tests/study/lib.bash"

wait_for() # FILE PATTERN
{
    for ((i = 0; i < 600; i++)); do
        grep -qs "$2" "$1" && return
        sleep 0.05
    done
    die "no '$2' in $1: $(cat "$1")"
}

export RUN_LOG=$PWD/runs
for number in INT TERM; do
    "$TOOL" sweep $number.db a.job 1001 1003 >out.txt 2>err.txt || die "$(cat err.txt)"
    rm -f runs
    "$TOOL" sweep $number.db long.job 1001 1002 >out.txt 2>err.txt &
    pid=$!
    wait_for runs 'begin 1002' && wait_for runs 'begin 1001'
    kill -$number $pid
    wait $pid
    same "status" $? 3
    same "said" "$(cat out.txt)" "there 0 done 0 failed 0 stopped"
    same "rows" "$(sql $number.db 'SELECT count(*) FROM point')" 3
    same "left behind" "$(ls $number.db.d)" ""
    intact $number.db
done

# The first is at a point for ever; the second waits for it, and takes it over when the first is killed.
rm -f runs
"$TOOL" sweep w.db long.job 1001 1001 -j 1 >first.txt 2>first.err &
first=$!
wait_for runs 'begin 1001'
"$TOOL" sweep w.db long.job 1001 1001 -j 1 --seconds 1 >second.txt 2>second.err &
second=$!
wait_for second.err "to go, about ? left; 1 at process $first on "
same "begun meanwhile" "$(grep -c '^begin' runs)" 1
kill -KILL $first
wait $first 2>/dev/null
wait $second || die "$(cat second.err)"
same "taken over" "$(cat second.txt)" "there 0 done 1 failed 1"
same "begun" "$(grep -c '^begin' runs)" 2
same "left behind" "$(ls w.db.d)" ""
intact w.db
