#!/usr/bin/env bash
# A program gives the same bytes with and without skipping, on 1, 2 and 4 host threads, with a mechanism
# that does nothing, on wider and plain lanes, and built by the other compiler.  Several of these at
# once: if one of them changed a byte, so would all together.
#
#   identical.sh PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die()
{
    echo "$*"
    exit 1
}

# What may differ: DESIGN section 7, and the names and counters of the mechanism itself.
comparable()
{
    sed '/"host": {/,/}/d' "$1" | grep -vE '"(seconds|warp_insts_per_second)":|"noop["._]' |
        sed -E 's/("mechanisms": \[).*\]/\1]/; s/,$//'
}

one()
{
    local name=$1 smelt=$2
    shift 2
    "$smelt" run --json "$folder/$name.json" "$@" >"$folder/$name.out" 2>"$folder/$name.err" ||
        die "$name: status $?: $(tail -3 "$folder/$name.err")"
}

same()
{
    local name=$1
    cmp -s "$folder/base.out" "$folder/$name.out" || die "$name: another output"
    comparable "$folder/$name.json" >"$folder/$name.cmp"
    cmp -s "$folder/base.cmp" "$folder/$name.cmp" && return
    diff "$folder/base.cmp" "$folder/$name.cmp" | head -10
    die "$name: another result"
}

one base "$SMELT" "$@"
comparable "$folder/base.json" >"$folder/base.cmp"
grep -q '"cycles": [1-9]' "$folder/base.cmp" || die "nothing was timed"
one no_skip "$SMELT" --no-skip --threads 2 "$@" && same no_skip
one plain "$SMELT" --threads 4 --isa base -m noop:timer=37 "$@" && same plain
clang=$(dirname "$(dirname "$SMELT")")/clang/smelt
if [ -x "$clang" ] && [ -e "$(dirname "$clang")/toolkit/lib64/libcudart.so" ]; then
    one clang "$clang" "$@" && same clang
fi
exit 0
