#!/usr/bin/env bash
# With mem.bounds=report a program that strays says the same in the same order, and has the same result,
# however it was simulated; with slack it says nothing of it.  Not compared: where the host has its memory.
set -uo pipefail

. "$SRC/tests/timing/lib.sh"

"$SMELT" cc "$SRC/tests/timing/stray.cu" -o stray || exit 1

said()
{
    grep warning "$folder/$1.err" | sed -E 's/0x7[0-9a-f]{11}/HOST/g'
}

report()
{
    local name=$1
    shift
    one "$name" "$SMELT" -g gtx480 --set mem.guard=256 --set mem.bounds=report "$@"
}

report base ./stray
# Of 3840 threads 32 read behind the buffer, 16 of 80 behind mapped memory, 2 of 6 behind the variable,
# 8 of 64 behind shared memory.
[ "$(value base stray_reads)" = $((32 + 768 + 1280 + 480)) ] || die "reads: $(value base stray_reads)"
[ "$(value base stray_writes)" -gt $((32 + 64)) ] || die "no atomic that is late"
[ "$(said base | wc -l)" = 8 ] || die "not seven lines and a sum: $(said base)"
report no_skip --no-skip --threads 2 ./stray && same base no_skip
report four --threads 4 ./stray && same base four
for name in no_skip four; do
    diff <(said base) <(said $name) || die "$name says something else"
done

report near ./stray near
one slack "$SMELT" -g gtx480 --set mem.guard=256 --set mem.bounds=slack ./stray near
[ "$(said slack | wc -l)" = 1 ] || die "slack tells: $(said slack)"
for key in cycles stray_reads stray_writes; do
    [ "$(value slack $key)" = "$(value near $key)" ] || die "slack has other $key"
done
exit 0
