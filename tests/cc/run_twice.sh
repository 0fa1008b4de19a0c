#!/usr/bin/env bash
# Two runs of a program whose mistakes the library has something to say about are the same in all they say
# and in all of their results: what they print, what is said of it, and the JSON.
set -euo pipefail

# Without how long it took on this host.
comparable()
{
    grep -v '^smelt:   simulated in ' "$1.out" | sed -E '/^smelt: .*insts in [0-9.]+ s: /s/ in .*//'
    sed -E '/"host": \{/,/\}/d; /"(seconds|warp_insts_per_second)":/d' "$1.json"
}

"$SMELT" cc "$SRC/tests/cc/texture_mipmap.cu" -o mipmap 2>cc.txt
for options in "-g tiny" "-g gtx480 --threads 2" "-g v100" "-g tiny --functional"; do
    for run in a b; do
        # shellcheck disable=SC2086
        "$SMELT" run $options --json $run.json ./mipmap >$run.out 2>&1
    done
    diff <(comparable a) <(comparable b) || { echo "two runs with $options differ"; exit 1; }
    grep -q '^smelt: cudaFreeMipmappedArray: this pointer is no mipmapped array$' a.out ||
        { echo "it does not say what is wrong"; exit 1; }
done
