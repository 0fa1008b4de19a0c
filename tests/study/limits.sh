#!/usr/bin/env bash
# A run that takes too long or holds too much is ended and written down; the others go on.  What fails
# has its last lines, is not run again, and is with --retry.
source "$SRC/tests/study/lib.bash"

message()
{
    sql s.db "SELECT message FROM point WHERE program = '$1' LIMIT 1"
}

"$TOOL" sweep s.db long.job 1001 1001 --seconds 1 >out.txt 2>err.txt || die "$(cat err.txt)"
same "too long" "$(cat out.txt)" "there 0 done 1 failed 1"
grep -q '^ended by us: it took more than 1 s' <<<"$(message long.job)" || die "$(message long.job)"
grep -q '^smelt: failed: long.job -g tiny --set gpu.core_mhz=1001: ended by us' err.txt || die "$(cat err.txt)"

"$TOOL" sweep s.db long.job 1002 1002 --bytes 1000000 >out.txt 2>err.txt || die "$(cat err.txt)"
same "too large" "$(cat out.txt)" "there 0 done 1 failed 1"
grep -q '^ended by us: it held more than 1000000 bytes of memory' \
    <<<"$(sql s.db "SELECT message FROM point WHERE settings LIKE '%1002'")" || die "no word of memory"

"$TOOL" sweep s.db bad.job 1001 1004 >out.txt 2>err.txt || die "$(cat err.txt)"
same "wrong" "$(cat out.txt)" "there 0 done 4 failed 4"
grep -q '^ended with status 1: bad.job:5: the sum of y is 1008, expected 1009' <<<"$(message bad.job)" ||
    die "$(message bad.job)"
"$TOOL" sweep s.db bad.job 1001 1004 >out.txt 2>err.txt
same "again" "$(cat out.txt)" "there 4 done 0 failed 4"
"$TOOL" sweep s.db bad.job 1001 1004 --retry >out.txt 2>err.txt
same "retry" "$(cat out.txt)" "there 0 done 4 failed 4"
same "rows" "$(sql s.db "SELECT count(*) FROM point WHERE program = 'bad.job'")" 4
same "left behind" "$(ls s.db.d)" ""
intact s.db

# Programs: the last ten lines, and the last word is not how it ended.
cat >noisy <<'EOF_SH'
#!/bin/sh
seq 1 40
echo 'this is why' >&2
exit 3
EOF_SH
# Deaf to requests, and with a child.
cat >deaf <<'EOF_SH'
#!/bin/sh
trap '' TERM
sleep 3000 &
wait
sleep 3000
EOF_SH
chmod +x noisy deaf
"$TOOL" sweep s.db ./noisy 1001 1001 >out.txt 2>err.txt || die "$(cat err.txt)"
same "lines" "$(message ./noisy)" "ended with status 1: this is why
$(seq 33 40)
this is why
smelt: ./noisy: ended with status 3"
"$TOOL" sweep s.db ./deaf 1001 1001 --seconds 1 >out.txt 2>err.txt || die "$(cat err.txt)"
# (whether smelt run still says how its program ended depends on which of them is killed first)
same "deaf" "$(cat out.txt) $(message ./deaf | sed -n 1p)" "there 0 done 1 failed 1 ended by us: it took more than 1 s"
for ((i = 0; i < 100; i++)); do
    left=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\0" " " | grep -c "/bin/sh ./deaf")
    [ "$left" -eq 0 ] && break
    sleep 0.05
done
same "deaf ones left" "$left" 0

# Settings of the environment reach no run.
SMELT_FUNCTIONAL=1 SMELT_SET=gpu.core_mhz=7 "$TOOL" sweep e.db a.job 1001 1001 >out.txt 2>err.txt
[ "$(sql e.db 'SELECT cycles FROM point')" -gt 100 ] || die "the environment changed a result"
