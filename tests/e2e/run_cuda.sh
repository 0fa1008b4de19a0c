#!/usr/bin/env bash
# CUDA programs as processes: exit statuses, JSON, settings from the environment, early ends.
. "$SRC/tests/e2e/lib/check.bash"

cat >prog.cu <<'CU'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__global__ void add(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += i;
}
__global__ void endless(volatile int *p)
{
    unsigned long long n = 0; /* counts, so that nobody can prove that it never ends */
    while (!*p && ++n >> 60 == 0)
        ;
}
int main(int argc, char **argv)
{
    int *p, got = 0, n = 1000;
    const char *how = argc > 1 ? argv[1] : "";
    printf("hello %d\n", argc);
    if (!strcmp(how, "chdir") && chdir("/"))
        return 9;
    cudaMalloc((void **)&p, n * sizeof *p);
    cudaMemset(p, 0, n * sizeof *p);
    add<<<(n + 255) / 256, 256>>>(p, n);
    cudaMemcpy(&got, p + 999, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    if (!strcmp(how, "fault"))
        add<<<1, 32>>>(NULL, n);
    if (!strcmp(how, "endless"))
        endless<<<1, 32>>>(p);
    if (!strcmp(how, "crash"))
        abort();
    fflush(stdout);
    if (!strcmp(how, "_exit"))
        _exit(0);
    cudaFree(p);
    return argc > 2 ? atoi(argv[2]) : 0;
}
CU
works cc prog.cu -o prog

# The program's output is untouched; ours is a summary on stderr.
works run --functional ./prog
same "stdout" "$(cat out.txt)" "$(printf 'hello 1\n999')"
grep -q '^smelt: add  grid 4x1x1  block 256x1x1 ' err.txt || failed "no summary: $(cat err.txt)"
works run --functional prog # also without ./

# Arguments are the program's, also those that look like ours.
works run --functional --json a.json ./prog --json b.json
same "arguments" "$(head -n 1 out.txt)" "hello 3"
[ ! -e b.json ] || failed "took an option of the program"
is_json a.json
same "status" "$(field a.json status)" '"done"'
same "partial" "$(field a.json partial)" false
same "exit status" "$(field a.json exit_status)" 0
grep -q '^smelt: add  grid ' err.txt || failed "no summary with --json: $(cat err.txt)"
works run --functional --json a.json --quiet ./prog
same "quiet" "$(cat err.txt)" ""

# Whatever ends it, the file is whole and says how.
ends()
{
    local want=$1 word=$2 exit_status=$3 partial=$4
    shift 4
    rm -f e.json
    "$SMELT" run --functional --json e.json "$@" >out.txt 2>err.txt
    same "status of $*" "$?" "$want"
    is_json e.json
    same "word of $*" "$(field e.json status)" "\"$word\""
    same "exit status of $*" "$(field e.json exit_status)" "$exit_status"
    same "partial of $*" "$(field e.json partial)" "$partial"
}
ends 1 failed 3 false ./prog plain 3
grep -q '^smelt: ./prog: ended with status 3$' err.txt || failed "status not told: $(cat err.txt)"
ends 0 done 0 false ./prog _exit
printf 'base = tiny\n' >mine.conf
printf '[model]\nconstant = 1\n' >model.conf
ends 0 done 0 false -g mine.conf -m noop:timer=9,model=model.conf ./prog chdir
ends 1 fault 0 true ./prog fault
ends 1 crashed null true ./prog crash
grep -q 'ended by signal 6' err.txt || failed "signal not told: $(cat err.txt)"
ends 1 max_insts null true --max-insts 100000 ./prog endless
same "kernels before the end" "$(grep -c '"name": "_Z' e.json)" 2

# A program that never touches CUDA is a program too.
printf '#!/bin/sh\necho nothing\n' >script
chmod +x script
ends 0 done 0 false ./script
same "script" "$(cat out.txt)" nothing

# Ctrl-C and kill end the running kernel.
interrupt()
{
    local signal=$1 whom=${2:-} pid status=0 tries=0
    rm -f stop.json
    setsid "$SMELT" run --functional --json stop.json ./prog endless >/dev/null 2>err.txt &
    pid=$!
    until grep -q '"name": "_Z3add' stop.json 2>/dev/null || [ $tries -gt 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    sleep 0.3
    kill "-$signal" -- "$whom$pid"
    wait $pid || status=$?
    same "status after $signal" "$status" 1
    is_json stop.json
    grep -q '"warp_insts": [1-9]' stop.json || failed "nothing was counted before $signal"
    same "word after $signal" "$(field stop.json status)" '"interrupted"'
}
interrupt TERM
interrupt INT
interrupt INT - # the whole process group

# A program does not outlive a smelt run that is killed.
rm -f stop.json
"$SMELT" run --functional --json stop.json ./prog endless >/dev/null 2>&1 &
pid=$!
for _ in $(seq 400); do
    grep -q '"name": "_Z3add' stop.json 2>/dev/null && break
    sleep 0.05
done
program=$(grep -l "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3)
[ -n "$program" ] || failed "no program"
lives() # a zombie does not
{
    grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$program/status" 2>/dev/null
}
kill -KILL $pid
wait $pid 2>/dev/null
for _ in $(seq 200); do
    lives || break
    sleep 0.05
done
! lives || { failed "the program goes on"; kill -KILL "$program"; }

# Without smelt run: settings from the environment, and nothing of ours on the terminal.  (The
# sanitizers' library must come first there; smelt run sees to that.)
ldd "$SMELT" >libraries.txt
if ! grep -q asan libraries.txt; then
    SMELT_ARGS="--functional -g tiny --json plain.json" ./prog >out.txt 2>err.txt
    same "plain status" "$?" 0
    same "plain stderr" "$(cat err.txt)" ""
    same "plain gpu" "$(field plain.json gpu)" '"tiny"'
    SMELT_GPU=tiny SMELT_SET="sm.n_warp=8 sm.regs=16384" SMELT_JSON=one.json SMELT_FUNCTIONAL=1 \
        ./prog >out.txt 2>err.txt
    same "variables" "$(field one.json sm.n_warp) $(field one.json sm.regs)" "8 16384"
    SMELT_GPU=none ./prog >out.txt 2>err.txt
    same "bad variable" "$?" 2
    grep -q '^smelt: .*none' err.txt || failed "bad GPU not told: $(cat err.txt)"
    SMELT_ARGS="--gpo tiny" ./prog >out.txt 2>err.txt
    same "bad SMELT_ARGS" "$?: $(cat err.txt)" \
        "2: smelt: SMELT_ARGS: unknown option '--gpo'; see smelt run --help"
    ./prog fault >out.txt 2>err.txt
    same "fault without smelt run" "$?: $(wc -l <err.txt)" "0: 1"
fi

fails 2 'no such key' run --functional --set sm.n_wrap=3 ./prog
fails 2 'No such file' run --functional --json /nowhere/x.json ./prog
finish
