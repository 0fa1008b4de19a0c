#!/usr/bin/env bash
# Ends that come early: --max-insts, Ctrl-C, kill.  Each leaves valid, partial JSON and status 1.
. "$SRC/tests/e2e/lib/check.bash"

cat >endless.ptx <<'PTX'
.version 6.0
.target sm_35
.address_size 64
.visible .entry endless()
{
    .reg .u64 %i; // counts, so that nobody can prove that it never ends
    .reg .pred %p;
    mov.u64 %i, 0;
again:
    add.u64 %i, %i, 1;
    setp.ne.u64 %p, %i, 0;
    @%p bra again;
    ret;
}
PTX

fails 1 '.' run --functional endless.ptx --grid 4 --block 64 --max-insts 100000 --json max.json
is_json max.json
same "status of --max-insts" "$(field max.json status)" '"max_insts"'
same "partial" "$(field max.json partial)" true
insts=$(field max.json warp_insts)
[ "$insts" -ge 1000 ] && [ "$insts" -le 110000 ] || failed "$insts instructions, the limit was 100000"

# The signal comes once the run is on its way: its first JSON is there.
interrupt()
{
    local signal=$1 pid status=0 tries=0
    rm -f stop.json
    "$SMELT" run --functional endless.ptx --grid 4 --block 64 --json stop.json 2>err.txt &
    pid=$!
    until [ -f stop.json ] || [ $tries -gt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    is_json stop.json
    same "status while it runs" "$(field stop.json status)" '"running"'
    sleep 0.2
    kill "-$signal" $pid
    wait $pid || status=$?
    same "exit status after $signal" $status 1
    is_json stop.json
    same "status after $signal" "$(field stop.json status)" '"interrupted"'
    same "partial after $signal" "$(field stop.json partial)" true
    [ "$(field stop.json warp_insts)" -gt 0 ] || failed "nothing was counted before $signal"
}

# A shell starts background commands with SIGINT ignored; the command asks for it all the same.
interrupt INT
interrupt TERM

finish
