# lib.sh -- comparing results of runs; sourced.  They are in $folder, which is gone at the end.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die()
{
    echo "$*"
    exit 1
}

# One run by a command: its JSON, its output and what it said.  NAME SMELT OPTIONS.. PROGRAM ARGS..
one()
{
    local name=$1 smelt=$2
    shift 2
    "$smelt" run --json "$folder/$name.json" "$@" >"$folder/$name.out" 2>"$folder/$name.err" ||
        die "$name: status $?: $(tail -3 "$folder/$name.err")"
}

mechanisms=$("${SMELT:-smelt}" list mechanisms | awk '{ print $1 }' | paste -sd "|")

# Without what may differ (docs/RESULTS.md), the names, counters and areas of mechanisms themselves, and which
# build it was of smelt, and of the program (its run path leads to the library, its PTX names headers).
comparable()
{
    sed '/"host": {/,/}/d; /"build": {/,/}/d; /^ *"hash": /d; /"area": {/,/}/{/"total":/d}' "$folder/$1.json" |
        grep -vE '"(seconds|warp_insts_per_second)":|"('"$mechanisms"')["._]' |
        sed -E 's/("mechanisms": \[).*\]/\1]/; s/,$//'
}

# Runs $1 and $2 say the same and have the same result.
same()
{
    cmp -s "$folder/$1.out" "$folder/$2.out" || die "$1 and $2 differ in what they say"
    diff <(comparable "$1") <(comparable "$2") >"$folder/diff" && return
    head -10 "$folder/diff"
    die "$1 and $2 differ"
}

# The last value of a counter in a result: the sum over all launches.
value()
{
    sed -nE "s/.*\"$2\": ([0-9]+).*/\1/p" "$folder/$1.json" | tail -1
}

# Every cycle of every scheduler is an issue or has one reason.
reasons_add_up()
{
    jq -e '.stalls | .scheduler_cycles as $all | (to_entries | map(select(.key != "scheduler_cycles").value) | add) == $all' \
        "$folder/$1.json" >/dev/null || die "$1: reasons do not add up"
}
