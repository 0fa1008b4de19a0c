#!/usr/bin/env bash
# A CUDA program with timing: options that reach it, lines of its source, and its early ends.
. "$SRC/tests/e2e/lib/check.bash"

cat >prog.cu <<'CU'
#include <stdio.h>
#include <string.h>
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
__global__ void half(void)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;");
}
int main(int argc, char **argv)
{
    int *p, got = 0, n = 1000;
    const char *how = argc > 1 ? argv[1] : "";
    cudaMalloc((void **)&p, n * sizeof *p);
    cudaMemset(p, 0, n * sizeof *p);
    for (int i = 0; i < 3; i++)
        add<<<(n + 255) / 256, 256>>>(p, n);
    cudaMemcpy(&got, p + 999, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    fflush(stdout);
    if (!strcmp(how, "endless"))
        endless<<<1, 32>>>(p);
    if (!strcmp(how, "half"))
        half<<<1, 64>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
CU
works cc -lineinfo prog.cu -o prog

works run -g tiny --kernels 2 --sample 100 --lines -m noop --json a.json ./prog
same "result" "$(cat out.txt)" 2997
is_json a.json
same "timed launches" "$(grep '"timed"' a.json | tr -d ' \n')" '"timed":false,"timed":true,"timed":false,'
same "mechanisms" "$(field a.json mechanisms)" '["noop"]'
grep -q '"line": "prog.cu:7"' a.json || failed "no line of the source"
grep -q '^      "samples"' a.json || failed "no samples"
works run -g tiny --lines ./prog
grep -Eq '^smelt: .* prog.cu:7 +p\[i\] \+= i;$' err.txt || failed "no source text: $(cat err.txt)"
works run -g tiny --json one.json ./prog
works run -g tiny --json two.json --threads 2 --no-skip ./prog
works compare --exact one.json two.json

# ends WORD ARGS..: status 1, a whole file that says how.
ends()
{
    local word=$1
    shift
    "$SMELT" run -g tiny --json e.json "$@" >out.txt 2>err.txt
    same "status of $*" "$?" 1
    is_json e.json
    same "word of $*" "$(field e.json status)" "\"$word\""
    same "partial of $*" "$(field e.json partial)" true
}
ends max_cycles --max-cycles 100000 ./prog endless
same "launches before the end" "$(grep -c '"timed": true' e.json)" 4
ends deadlock ./prog half
grep -q '^smelt: kernel half: deadlock' err.txt || failed "deadlock not told: $(cat err.txt)"
grep -q 'warp' err.txt || failed "no stuck warp: $(cat err.txt)"

"$SMELT" run -g tiny --json stop.json ./prog endless >out.txt 2>err.txt &
pid=$!
for _ in $(seq 400); do
    [ "$(grep -c '"name": "_Z3add' stop.json 2>/dev/null)" != 3 ] || break
    sleep 0.05
done
sleep 0.3
kill -TERM $pid
wait $pid
same "status after a signal" $? 1
is_json stop.json
same "word after a signal" "$(field stop.json status)" '"interrupted"'

finish
