#!/usr/bin/env bash
# The disk is full in the middle: one clear line, the store is intact, what had ended is kept, and the
# same command goes on when there is room.  A limit on the size of files stands in for the disk.
source "$SRC/tests/study/lib.bash"

(
    trap '' XFSZ
    ulimit -f 512 # KB
    "$TOOL" sweep s.db a.job 1001 1060 >out.txt 2>err.txt
)
status=$?
same "status" $status 2
grep -qE '^smelt: s.db: (the disk is full|it cannot be written: disk I/O error \(.*\))$' err.txt || die "$(cat err.txt)"
same "messages" "$(grep -c '^smelt: s.db: ' err.txt)" 1
same "integrity" "$(sql s.db 'PRAGMA integrity_check')" ok
kept=$(sql s.db "SELECT count(*) FROM point WHERE state = 'done'")
[ "$kept" -gt 5 ] && [ "$kept" -lt 60 ] || die "$kept points are there"
waiting=$(ls s.db.d | grep -c '\.row$') # ended, but did not fit

"$TOOL" sweep s.db a.job 1001 1060 >out.txt 2>err.txt || die "with room: $(cat err.txt)"
same "then" "$(cat out.txt)" "there $((kept + waiting)) done $((60 - kept - waiting)) failed 0"
intact s.db

# A result that cannot be written is no failure of its point.
"$TOOL" sweep other.db a.job 1001 1001 >out.txt 2>err.txt || die "$(cat err.txt)"
{
    cat a.job
    yes 'launch saxpy 1 1 1 64 1 1 0 @x @y f:0.5 i:64' | head -n 50
} >many.job
(
    trap '' XFSZ
    ulimit -f 128
    "$TOOL" sweep other.db many.job 1001 1002 >out.txt 2>err.txt
)
same "status" $? 2
grep -qE '^smelt: .*/other.db.d/.*\.part: File too large' err.txt || die "$(cat err.txt)"
same "rows" "$(sql other.db 'SELECT count(*) FROM point')" 1
intact other.db
