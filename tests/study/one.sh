#!/usr/bin/env bash
# One point without a store, its result brought home later: the same as by the runner.  What is not
# whole is told and run again; a result whose process was killed before it could say so is kept.
source "$SRC/tests/study/lib.bash"

mkdir far
for mhz in 1001 1002; do
    "$TOOL" one far a.job $mhz 2>err.txt || die "$(cat err.txt)"
done
"$TOOL" one far bad.job 1001 2>err.txt || die "$(cat err.txt)"
same "far" "$(ls far | sed 's/.*\.//' | sort | tr '\n' ' ')" "json json row row row "
same "home" "$("$TOOL" take s.db far)" "took 3"
same "left" "$(ls far)" ""
same "states" "$(sql s.db 'SELECT state, count(*) FROM point GROUP BY state' | tr '\n' ' ')" "done|2 failed|1 "
"$TOOL" sweep s.db a.job 1001 1003 >out.txt 2>err.txt
same "then" "$(cat out.txt)" "there 2 done 1 failed 0"

# The same result as by the runner, but for what differs between two runs of one thing.
key=$("$TOOL" key a.job 1001)
"$TOOL" sweep local.db a.job 1001 1001 >out.txt 2>err.txt
"$SMELT" store show "$key" s.db --json >far.json || die "no result of $key"
"$SMELT" store show "$key" local.db --json >near.json || die "no result of $key"
"$SMELT" compare --exact far.json near.json || die "they differ"

# Half a result.
"$TOOL" one far a.job 1004 2>err.txt
key=$("$TOOL" key a.job 1004)
truncate -s 1000 far/"$key".json
same "half" "$("$TOOL" take s.db far 2>err.txt)" "took 0"
grep -q "^smelt: warning: far/$key.json:.*; that point is run again\$" err.txt || die "$(cat err.txt)"

# Whole results without their rows, and rubbish, as a killed runner leaves them.
"$TOOL" one far a.job 1004 2>err.txt
mv far/"$key".json s.db.d/"$key".somewhere.123.part
: >s.db.d/"$key".somewhere.123.log
other=$("$TOOL" key a.job 1005)
head -c 500 near.json >s.db.d/"$other".somewhere.123.part
export RUN_LOG=$PWD/runs
"$TOOL" sweep s.db a.job 1004 1005 >out.txt 2>err.txt
same "rescued" "$(cat out.txt)" "there 1 done 1 failed 0"
same "begun" "$(cat runs)" "begin 1005
end 1005"
same "left behind" "$(ls s.db.d)" ""
intact s.db

# What cannot be run at all is told before anything runs.
"$TOOL" sweep s.db none.job 1001 1001 >out.txt 2>err.txt
same "no job" "$? $(cat err.txt)" "2 smelt: none.job: No such file or directory"
