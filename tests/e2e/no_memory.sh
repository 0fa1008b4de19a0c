#!/usr/bin/env bash
#
# no_memory.sh -- memory that runs out, wherever it is: the command ends with one line and status 1; a
# program with the library in it gets an error from the call, one line is told, and it goes on.
#
# The n-th request for memory fails (base/memory.h): all of the first, then ever fewer.
set -euo pipefail

fail()
{
    echo "request $n, $*:" >&2
    cat out err >&2
    exit 1
}

# WHAT WORDS..: until a run comes to its end without having asked so often.
each()
{
    local what=$1 done=
    shift
    for ((n = 1; !done; n += 1 + n / STEP)); do
        status=0
        SMELT_MEMORY_FAILS=$n "$@" >out 2>err || status=$?
        "$what"
    done
}

# A buffer of the job that does not fit is told as a mistake in it, like one that the GPU has no room for.
command_ends()
{
    case $status:$(cat err) in
    0:*) done=1 ;;
    '1:smelt: out of memory') ;;
    [12]:smelt:*'out of host memory for '*) [ "$(wc -l <err)" = 1 ] || fail "status $status" ;;
    *) fail "status $status" ;;
    esac
}

# The program's own: 0 all is well; 7 an error was returned, and another for each call after it.
program_goes_on()
{
    if [ $status = 0 ] && ! grep -q 'out of host memory' err; then
        done=1
    elif [ $status != 7 ] || [ "$(grep -c 'out of host memory' err)" != 1 ] ||
        [ "$(grep -c ^smelt: err)" != 1 ]; then
        fail "status $status"
    fi
}

export ASAN_OPTIONS=detect_leaks=0 # what was under way is leaked, and meant to be
STEP=24
job=$SRC/examples/vecadd.job
each command_ends "$SMELT" run -g tiny --functional --json f.json "$job"
each command_ends "$SMELT" run -g tiny --json t.json "$job"
each command_ends "$SMELT" run -g tiny --threads 2 "$job"

cat >p.cu <<'CU'
#include <cstdio>
#include <cstdlib>
__global__ void add(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += i;
}

static int bad;

static void ask(cudaError_t e)
{
    if (e != cudaSuccess)
        bad++;
    else if (bad)
        exit(8); /* what is lost stays lost */
}

int main()
{
    int *d = nullptr, h[256] = {0}, on = 1;
    cudaStream_t s = nullptr;
    ask(cudaMalloc(&d, sizeof h));
    if (bad && cudaStreamCreate(&s) == cudaSuccess)
        return 7; /* there was no room for the buffer, but nothing is lost */
    ask(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    ask(cudaStreamCreate(&s));
    add<<<4, 64, 0, s>>>(d, 256);
    ask(cudaGetLastError());
    ask(cudaStreamSynchronize(s));
    ask(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    ask(cudaStreamDestroy(s));
    ask(cudaFree(d));
    for (int i = 0; i < 256; i++)
        on &= h[i] == i;
    return bad ? 7 : on ? 0 : 9;
}
CU
"$SMELT" cc p.cu -o p
STEP=16
export SMELT_GPU=tiny
first=$(ldd p | awk '/libasan/ { print $3 }') # it has to be loaded before all others
each program_goes_on env "LD_PRELOAD=$first" SMELT_FUNCTIONAL=1 ./p
each program_goes_on env "LD_PRELOAD=$first" ./p
each program_goes_on env "LD_PRELOAD=$first" SMELT_THREADS=2 ./p
