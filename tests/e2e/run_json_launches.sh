#!/usr/bin/env bash
# Many launches in the JSON: it grows by each, is whole after each, and folds what it is told to; a
# full disk, a killed program and another's file leave a valid file.
. "$SRC/tests/e2e/lib/check.bash"

cat >prog.cu <<'CU'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__global__ void add(int *p) { p[threadIdx.x] += 1; }
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
int main(int argc, char **argv)
{
    int *p, n = atoi(argv[1]);
    const char *how = argc > 2 ? argv[2] : "";
    cudaMalloc((void **)&p, 4096);
    for (int i = 0; i < n; i++)
        if (i % 3 == 2)
            twice<<<1, 32>>>(p);
        else
            add<<<1 + (i > 20 && !strcmp(how, "shapes")), 32>>>(p);
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "system")) { /* the same program once more, with the same settings */
        char again[4096];
        snprintf(again, sizeof again, "%s 6", argv[0]);
        if (system(again))
            return 9;
        add<<<1, 32>>>(p);
    }
    if (!strcmp(how, "closes"))
        for (int i = 3; i < 1024; i++)
            close(i);
    if (!strcmp(how, "closes")) { /* and opens its own, which must stay as they are */
        for (int i = 3; i < 900; i++)
            if (!fopen("own.txt", i == 3 ? "w" : "r"))
                break;
        add<<<1, 32>>>(p);
    }
    return 0;
}
CU
works cc prog.cu -o prog

entries() { jq -c '[.kernels[] | [.name, .launches]]' "$1"; }

# --- folding: what is left out is in one entry, and sums are as they were ---
works run -g tiny --json all.json --json-launches all ./prog 30
same "all" "$(jq -c '[.kernels | length, ([.[].launches] | add)]' all.json)" '[30,30]'
works run -g tiny --json two.json --json-launches 2 ./prog 30
same "two" "$(entries two.json)" \
    '[["_Z3addPi",1],["_Z3addPi",1],["_Z5twicePi",1],["_Z5twicePi",1],["_Z3addPi",18],["_Z5twicePi",8]]'
works run -g tiny --json first.json --json-launches first ./prog 30
same "first" "$(entries first.json)" \
    '[["_Z3addPi",1],["_Z5twicePi",1],["_Z3addPi",19],["_Z5twicePi",9]]'
sums='.kernels | group_by(.name) | map([.[0].name, ([.[].cycles] | add), ([.[].stats.l2_access] | add),
    ([.[].stats.mem_latency_log2] | transpose | map(add)), ([.[].stalls.raw_mem] | add),
    ([.[].energy_j] | add * 1e10 | round)])'
for file in two first; do
    is_json $file.json
    same "sums of $file" "$(jq -c "$sums" $file.json)" "$(jq -c "$sums" all.json)"
    same "totals of $file" "$(jq -c '.stats, .stalls, .energy' $file.json)" "$(jq -c '.stats, .stalls, .energy' all.json)"
done
works run -g tiny --json default.json ./prog 30
same "the default keeps them" "$(entries default.json)" "$(entries all.json)"
works run -g tiny --json shapes.json --json-launches 5 ./prog 30 shapes
same "other grids are told" "$(jq -c '[.kernels[] | select(.launches > 1) | [.grid[0], .shape]]' shapes.json)" '[[1,"varies"],[1,null]]'
works run -g tiny --json some.json --json-launches 1 --kernels 10-12 ./prog 30
same "timed and others apart" "$(jq -c '[.kernels[] | [.timed, .launches, has("cycles")]]' some.json)" \
    '[[false,1,false],[false,1,false],[true,1,true],[true,1,true],[false,17,false],[false,8,false],[true,1,true]]'
for bad in 0 none -1 ''; do
    fails 2 "--json-launches: '$bad' is neither first, all nor a number from 1 on" run --json x.json --json-launches "$bad" ./prog 1
done

# --- thousands: the file does not grow by them, nor does memory ---
works run --functional -g tiny --json many.json --json-launches 10 ./prog 6000
same "many" "$(jq '[.kernels[].launches] | add' many.json)" 6000
[ "$(wc -c <many.json)" -lt 100000 ] || failed "$(wc -c <many.json) bytes for 10 launches of 2 kernels"

# --- killed: nothing is lost ---
"$SMELT" run -q -g tiny --json killed.json ./prog 30 kill >out.txt 2>err.txt
same "status when killed" $? 1
same "killed" "$(jq -c '.status, .partial, .exit_status' killed.json | tr '\n' ' ')" '"crashed" true null '
same "its launches" "$(jq -c '.kernels, .stats' killed.json)" "$(jq -c '.kernels, .stats' all.json)"

# At any time: also while the file is being written, which is most of the time here.
for i in 1 3 5 8; do
    rm -f torn.json
    "$SMELT" run -q --functional -g tiny --json torn.json --json-launches all ./prog 1000000 2>/dev/null &
    pid=$!
    until grep -q _Z5twice torn.json 2>/dev/null; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.01
    done
    sleep "0.0$i"
    kill -9 "$(ps -o pid= --ppid $pid)"
    wait $pid 2>/dev/null
    is_json torn.json
    same "killed after 0.0$i" "$(jq -c '[.status, (.kernels | map(.warp_insts) | add) == .total.warp_insts]' torn.json)" '["crashed",true]'
done

# --- no room: the last state that went in stays, one line tells, status 2 ---
rm -f full.json
(ulimit -f 100 && exec "$SMELT" run -q -g tiny --json full.json ./prog 30) 2>err.txt
same "status without room" $? 2
same "one line" "$(wc -l <err.txt)" 1
n=$(sed -n 's/.*File too large; until it can be written it stays as it was after \([0-9]*\) launches$/\1/p' err.txt)
is_json full.json
same "a file without room" "$(jq -c '[.status, .partial, (.kernels | length)]' full.json)" "[\"unwritten\",true,${n:-0}]"
[ "${n:-0}" -gt 2 ] || failed "hardly any launch went in: $(cat err.txt)"
same "as it was" "$(jq -c '.kernels' full.json)" "$(jq -c ".kernels[:$n]" all.json)"
printf '%s\n' "module $SRC/examples/vecadd.ptx" 'buf a f32 64 iota' >many.job
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do echo 'launch vecadd 2 1 1 32 1 1 0 @a @a @a u:64'; done >>many.job
echo 'sum a' >>many.job
(ulimit -f 60 && exec "$SMELT" run -g tiny --json full.json many.job) >out.txt 2>err.txt
same "a job without room" $? 2
is_json full.json
same "its file" "$(jq -c '[.status, .partial]' full.json)" '["unwritten",true]'
grep -q '^sum a ' out.txt || failed "the job did not go on"
grep -q '^smelt: 12 launches: ' err.txt || failed "no summary: $(cat err.txt)"
cp all.json old.json
(ulimit -f 1 && exec "$SMELT" run -q -g tiny --json old.json many.job) >out.txt 2>err.txt
same "no room at all" "$?: $(grep -c 'File too large$' err.txt)" "2: 1"
cmp -s all.json old.json || failed "an old file is gone though there is no new one"

# --- a file that is another's by now, or gone; descriptors that are ---
works run -q -g tiny --json shared.json ./prog 3 system
is_json shared.json
same "the last one's" "$(jq -c '[.status, (.kernels | length)]' shared.json)" '["done",4]'
works run -q -g tiny --json closed.json ./prog 3 closes
same "closed" "$(jq -c '[.status, (.kernels | length)]' closed.json)" '["done",4]'
same "its own file" "$(cat own.txt)" ""

# --- what cannot be grown gets it all at the end, and once ---
works run -q -g tiny --json - ./prog 30
is_json out.txt
same "standard output" "$(jq -c '.kernels' out.txt)" "$(jq -c '.kernels' all.json)"
"$SMELT" run -q -g tiny --json >(cat >pipe.json) ./prog 30
for _ in $(seq 100); do [ -s pipe.json ] && jq -e .status pipe.json >/dev/null 2>&1 && break; sleep 0.05; done
same "a pipe" "$(jq -c '.kernels' pipe.json)" "$(jq -c '.kernels' all.json)"

same "files left" "$(find . -name '*.tmp')" ""
finish
