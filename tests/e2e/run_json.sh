#!/usr/bin/env bash
# The JSON of smelt run: valid, complete, the same for the same run, also when the run fails.
. "$SRC/tests/e2e/lib/check.bash"

vecadd=$SRC/examples/vecadd.ptx
args="--grid 2 --block 32 --arg buf:f32[40]=iota --arg buf:f32[40]=iota --arg buf:f32[40]=zero --arg u32:40"

works run --functional "$vecadd" $args --json out.json --set sm.n_warp=24 -g tiny
is_json out.json
same schema "$(field out.json schema)" 1
same gpu "$(field out.json gpu)" '"tiny"'
same functional "$(field out.json functional)" true
same status "$(field out.json status)" '"done"'
same partial "$(field out.json partial)" false
same mechanisms "$(field out.json mechanisms)" '[]'
same config "$(field out.json sm.n_warp)" 24
same grid "$(field out.json grid | tr -d ' ')" '[2,1,1]'
same block "$(field out.json block | tr -d ' ')" '[32,1,1]'
for key in smelt regs shared local ctas_per_sm limit warp_insts thread_insts seconds cpu_seconds \
    warp_insts_per_second threads isa; do
    [ -n "$(field out.json $key)" ] || failed "no $key in the JSON"
done
grep -q '^smelt: vecadd ' err.txt || failed "no summary besides: $(cat err.txt)"
works run --functional "$vecadd" $args --json quiet.json --set sm.n_warp=24 -g tiny --quiet
same "quiet" "$(cat err.txt)" ""

# Only host and the speed may differ between two runs; host options change nothing else.
without_host()
{
    awk '/^  "host": \{/ { skip = 1 } !skip && !/"seconds"|"warp_insts_per_second"/ { print }
         /^  \}/ { skip = 0 }' "$1"
}
works run --functional "$vecadd" $args --json again.json --set sm.n_warp=24 -g tiny --threads 3 --isa base --no-skip
diff <(without_host out.json) <(without_host again.json) || failed "two runs differ"

# To standard output.
works run --functional "$vecadd" $args --json -
is_json out.txt

# A job: one entry per launch, totals over all.
printf '%s\n' "module $vecadd" 'buf a f32 64 iota' 'launch vecadd 2 1 1 32 1 1 0 @a @a @a u:64' \
    'launch vecadd 1 1 1 32 1 1 0 @a @a @a u:32' >two.job
works run --functional two.job --json out.json
is_json out.json
same launches "$(grep -c '"grid"' out.json)" 2
counts=$(awk '$1 == "\"warp_insts\":" { print $2 + 0 }' out.json | tr '\n' ' ')
read -r first _ second _ total _ <<<"$counts" # each count stands beside its copy in "stats"
same total "$((first + second))" "$total"

# A fault: partial, with the message.
fails 1 'out of bounds' run --functional "$vecadd" ${args/u32:40/u32:64} --set mem.guard=4096 --json fault.json
is_json fault.json
same "fault" "$(field fault.json status)" '"fault"'
same "partial" "$(field fault.json partial)" true
grep -q 'out of bounds' <<<"$(field fault.json error)" || failed "no error in the JSON"

# A failed expectation, and a mistake: an old file of that name must not survive as if it were new.
printf 'buf a i32 2 iota\nexpect sum a 2\n' >wrong.job
fails 1 'expected 2' run --functional wrong.job --json out.json
is_json out.json
same "failed" "$(field out.json status)" '"failed"'
fails 2 'takes 4 parameters' run --functional "$vecadd" --grid 1 --block 1 --json out.json
is_json out.json
same "error" "$(field out.json status)" '"error"'

finish
