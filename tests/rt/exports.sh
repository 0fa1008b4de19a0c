#!/usr/bin/env bash
#
# libcudart.so exports what the headers declare, and no name of ours gets into a program's way.
set -euo pipefail
export LC_ALL=C

library=$(dirname "$SMELT")/toolkit/lib64/libcudart.so
include=$SRC/src/toolkit/include

# Calls in the declarations of a header: `name(`, in the C half alone.
declared()
{
    gcc -E -P -I"$include" -I"$SRC/src" "$1" | grep -oE '\b(cuda[A-Z]|__cuda[A-Z]|__smelt[A-Z]|cu[A-Z])\w*\(' | tr -d '('
}

{
    declared "$include/cuda_runtime_api.h"
    declared "$include/cuda.h"
    declared "$SRC/src/rt/fatbin.h"
} | grep -vx 'cudaCreateChannelDesc' | sort -u >declared
grep -oE 'F\(cuda\w+\)' "$include/cuda_absent.h" | sed 's/F(\(.*\))/\1/' | sort -u >absent
sed -n 's/_v2$//p' declared | sort -u >plain # cuMemAlloc beside cuMemAlloc_v2

nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u >exported
sort -u declared absent plain >wanted

if ! diff wanted exported >differences; then
    echo "wanted (<) and exported (>) differ:"
    cat differences
    exit 1
fi
[ "$(wc -l <declared)" -gt 200 ] # or the pattern above has stopped matching
