#!/usr/bin/env bash
#
# demo.sh -- a small tour of smelt, a few seconds long.  SMELT is the command to show; without it,
# the one that ./run build makes.  Ends with status 0 only if every result was right.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

smelt=$(readlink -f "${SMELT:-build/release/smelt}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r examples "$scratch"
cd "$scratch"

say()
{
    printf '\n# %s\n' "$@"
}

# Shows a command as a user would type it, then runs it.
show()
{
    printf '$ smelt'
    printf ' %s' "$@"
    printf '\n'
    "$smelt" "$@" 2>&1
}

say "1. An ordinary CUDA program, compiled by clang with our headers, run on a simulated GTX 480."
sed -n '/^__global__/,/^}/s/^/    /p' examples/saxpy.cu
show cc examples/saxpy.cu -o saxpy
show run ./saxpy | tee mean.txt
grep -qx 'mean 5' mean.txt
echo "# verified: 3 * 1 + 2 = 5"

say "2. One of the bundled workloads, which checks its own result (smelt list workloads)."
show run bfs --size 50000 | tee verdict.txt
grep -qx PASS verdict.txt
echo "# verified: the levels of all 50000 nodes"

say "3. A job file says what to load, launch and check: examples/vecadd.job adds two vectors."
sed 's/^/    /' examples/vecadd.job
show run examples/vecadd.job | tee sums.txt
grep -qx 'sum c 500500' sums.txt
echo "# verified: 1 + 2 + .. + 1000 = 500500"

say "4. The same kernel, launched from the command line; argument 2 is written to a file."
show run examples/vecadd.ptx --grid 4 --block 256 \
    --arg 'buf:f32[1000]=iota' --arg 'buf:f32[1000]=iota' --arg 'buf:f32[1000]=zero' --arg u32:1000 \
    --dump 2:c.bin --json out.json
echo "\$ od -A d -t f4 c.bin | head -2"
od -A d -t f4 c.bin | sed -n '1,2p'
od -A n -v -t f4 c.bin |
    awk '{ for (k = 1; k <= NF; k++) if ($k != 2 * n++) exit bad = 1 } END { exit bad || n != 1000 }'
echo "# verified: element i is 2 i, for all 1000"

say "5. What the PTX became: allocated registers, branch targets, reconvergence points."
show disasm examples/vecadd.ptx

say "6. A mistake is told, with where it is and what would be right."
status=0
show run examples/vecadd.ptx --kernel vecad --grid 4 --block 256 || status=$?
[ $status -eq 2 ]
echo "# verified: exit status 2, the user's mistake"

say "7. A stray access stops the kernel, not the simulator: 1000 threads, but c has room for 999."
status=0
show run examples/vecadd.ptx --grid 4 --block 256 --set mem.guard=256 \
    --arg 'buf:f32[1000]=iota' --arg 'buf:f32[1000]=iota' --arg 'buf:f32[999]=zero' --arg u32:1000 ||
    status=$?
[ $status -eq 1 ]
echo "# verified: exit status 1, the program's mistake"

say "All results were right.  Next: smelt run --help, smelt list workloads, smelt list gpus."
