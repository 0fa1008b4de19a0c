#!/usr/bin/env bash
# smelt run with timing: its options, its JSON, its summary, and ends that come early.
. "$SRC/tests/e2e/lib/check.bash"

vecadd=$SRC/examples/vecadd.ptx
{
    printf '%s\n' "module $vecadd" 'buf a f32 2000 iota' 'buf b f32 2000 const 2' 'buf c f32 2000 zero'
    for n in 300 600 900 2000; do
        echo "launch vecadd 8 1 1 256 1 1 0 @a @b @c u:$n"
    done
    printf '%s\n' 'sum c' 'at c 1999'
} >four.job
cat >endless.ptx <<'PTX'
.version 6.0
.target sm_35
.address_size 64
.visible .entry endless()
{
    .reg .u64 %i; // counts, so that nobody can prove that it never ends
    .reg .pred %p;
    mov.u64 %i, 0;
again:
    add.u64 %i, %i, 1;
    setp.ne.u64 %p, %i, 0;
    @%p bra again;
    ret;
}
PTX

top() # FILE OBJECT: its members at the top level, "NAME VALUE" a line
{
    awk -v open="  \"$2\": {" '$0 == open { on = 1; next } /^  }/ { on = 0 }
        on && NF == 2 { gsub(/[":,]/, ""); print $1, $2 }' "$1"
}

sum_of() # FILE KEY: summed over all places
{
    awk -v key="\"$2\":" '$1 == key { s += $2 } END { printf "%.0f\n", s }' "$1"
}

# --- results are those of --functional; two runs are the same but for the time they took ---
works run -g tiny four.job --json one.json
mv out.txt timed.txt
works run -g tiny --functional four.job --json functional.json
cmp -s out.txt timed.txt || failed "timing changes results"
same "instructions" "$(field one.json warp_insts)" "$(field functional.json warp_insts)"
works run -g tiny four.job --json two.json --threads 2 --no-skip
works compare --exact one.json two.json
is_json one.json
same "kernels" "$(grep -c '"timed": true' one.json)" 4
cycles=$(field one.json cycles)
[ "$cycles" -gt 1000 ] || failed "only $cycles cycles"

# --- every cycle of every scheduler has one reason ---
top one.json stalls >stalls.txt
same "reasons" "$(awk '$1 != "scheduler_cycles" { s += $2 } END { print s }' stalls.txt)" \
    "$(awk '$1 == "scheduler_cycles" { print $2 }' stalls.txt)"
same "scheduler cycles" "$(awk '$1 == "scheduler_cycles" { print $2 }' stalls.txt)" \
    $((cycles * $(field one.json gpu.n_sm) * $(field one.json sm.schedulers)))
for key in occupancy ipc l1d_access l1d_miss l2_access l2_miss dram_read dram_write; do
    [ -n "$(field one.json $key)" ] || failed "no $key in the JSON"
done

# --- the summary ---
works run -g tiny four.job
for word in '4 launches: [0-9]* cycles, ' 'IPC ' 'occupancy ' 'SIMT ' 'issued .* of scheduler cycles' \
    'L2 .* hits of' 'DRAM .* GB/s' 'simulated in .* warp insts per second'; do
    grep -Eq "^smelt: +$word" err.txt || failed "no '$word' in the summary: $(cat err.txt)"
done
[ "$(wc -L <err.txt)" -le 110 ] || failed "the summary is wider than a screen"

# --- --kernels: the others compute only ---
works run -g tiny four.job --kernels 2-3 --json some.json
cmp -s out.txt timed.txt || failed "--kernels changes results"
same "timed launches" "$(grep '"timed"' some.json | tr -d ' \n')" \
    '"timed":false,"timed":true,"timed":true,"timed":false,'
same "launches with cycles" "$(grep -c '^      "cycles"' some.json)" 2
works run -g tiny four.job --kernels 4
grep -q '^smelt: 1 of 4 timed launch: ' err.txt || failed "the summary counts wrong: $(cat err.txt)"
works run -g tiny four.job --kernels 9
grep -q '^smelt: warning: nothing was timed: --kernels begins with launch 9, there were 4$' err.txt ||
    failed "no warning: $(cat err.txt)"
fails 2 '--kernels 5-3: the range ends before it begins; say --kernels 3-5$' run four.job --kernels 5-3
fails 2 "--kernels: 'two' is not A-B or A" run four.job --kernels two
fails 2 '--kernels 0: 0 is outside 1..' run four.job --kernels 0
fails 2 '--kernels is about timing: leave out --functional$' run four.job --functional --kernels 1
fails 2 '--sample: 0 is outside 1..' run four.job --sample 0
fails 2 '--max-cycles: .x. is not a whole number' run four.job --max-cycles x
fails 2 '--max-cycles is about timing.*--max-insts' run four.job --functional --max-cycles 9
fails 2 '--lines is about timing' run four.job --functional --lines

# --- --sample: intervals add up to the launch, skipping or not ---
works run -g tiny four.job --kernels 4 --sample 200 --json s1.json
works run -g tiny four.job --kernels 4 --sample 200 --json s2.json --no-skip
works compare --exact s1.json s2.json
is_json s1.json
[ "$(grep -c '^          "cycle"' s1.json)" -gt 3 ] || failed "hardly any sample"
in_samples=$(awk '$1 == "\"l2_access\":" && /^          / { s += $2 } END { print s }' s1.json)
same "samples add up" "$in_samples" "$(field s1.json l2_access)"
same "the last sample" "$(awk '/^          "cycle"/ { v = $2 } END { print v + 0 }' s1.json)" "$(field s1.json cycles)"

# --- --lines: all lost cycles are some line's or nobody's ---
works run -g tiny four.job --lines --json lines.json
is_json lines.json
top lines.json stalls >stalls.txt
lost=$(awk '$1 == "scheduler_cycles" { all = $2 } $1 == "issued" { i = $2 } END { print all - i }' stalls.txt)
same "lost cycles" "$(($(sum_of lines.json stalled) + $(field lines.json elsewhere)))" "$lost"
same "nobody's cycles" "$(field lines.json elsewhere)" \
    "$(awk '$1 ~ /^(drain|launch|no_warp|tail)$/ { s += $2 } END { print s }' stalls.txt)"
same "issued" "$(awk '/^      "issued"/ && !/stalls/ { if (prev ~ /stalled/) s += $2 } { prev = $0 } END { print s }' lines.json)" \
    "$(field lines.json warp_insts)"
grep -q '"line": "vecadd.ptx:33"' lines.json || failed "no line of the load"
jq -e '[.lines[] | .stalled == ([.stalls[]] | add // 0)] | all' lines.json >/dev/null ||
    failed "the reasons of a line do not add up"
jq -e '.stalls as $all | [.lines[].stalls | to_entries[]] | group_by(.key) | all(.[];
    (map(.value) | add) == $all[.[0].key])' lines.json >/dev/null || failed "a reason's lines do not add up"
jq -e '.lines[0].stalls | length > 0' lines.json >/dev/null || failed "no reasons"
works run -g tiny four.job --lines
grep -Eq '^smelt: +[0-9.]+ % +[0-9]+ +[0-9]+  raw_mem [0-9]+ % +vecadd.ptx:[0-9]+ +add.f32 ' err.txt || failed "no table: $(cat err.txt)"

# --- launch latency: a reason of its own, nobody's line, and what holds short launches back ---
slow='run -g tiny four.job --set gpu.launch_latency=20000'
works $slow --lines --sample 15000 --json late.json
top late.json stalls >stalls.txt
same "launch latency" "$(awk '$1 == "launch" { print $2 }' stalls.txt)" \
    $((4 * 20000 * $(field one.json gpu.n_sm) * $(field one.json sm.schedulers)))
# Memory is quieter when each launch begins, so that their own cycles move a little; none of the 20000 is among them.
[ "$(awk '$1 == "no_warp" { print $2 }' stalls.txt)" -lt $((2 * $(top one.json stalls | awk '$1 == "no_warp" { print $2 }'))) ] ||
    failed "launch latency is cycles without a warp: $(cat stalls.txt)"
same "nobody's cycles" "$(field late.json elsewhere)" \
    "$(awk '$1 ~ /^(drain|launch|no_warp|tail)$/ { s += $2 } END { print s }' stalls.txt)"
jq -e '[.kernels[] | .stalls.launch == ([.samples[].stalls.launch // 0] | add)] | all' late.json >/dev/null ||
    failed "samples have other waits than their launch"
grep -q 'held back by launch latency: 9[0-9] % of the time' err.txt || failed "blames another: $(cat err.txt)"
works $slow --lines --sample 15000 --json late2.json --no-skip
works compare --exact late.json late2.json

# --- mechanisms are named in the order in which they were asked for ---
works run -g tiny four.job -m noop --json mech.json
same "mechanisms" "$(field mech.json mechanisms)" '["noop"]'
fails 2 'names no mechanism' run four.job -m ''
fails 2 'noop' run four.job -m nop

# --- a warp that a mechanism holds is charged to it, by name: every other CTA goes round a loop ---
cat >apart.ptx <<'PTX'
.version 6.0
.target sm_35
.address_size 64
.visible .entry apart()
{
    .reg .u32 %i, %c;
    .reg .pred %p;
    mov.u32 %c, %ctaid.x;
    and.b32 %i, %c, 1;
    setp.eq.u32 %p, %i, 0;
    @%p bra over;
    mov.u32 %i, 0;
again:
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, 40;
    @%p bra again;
over:
    add.u32 %i, %c, 1;
    bar.sync 0;
    ret;
}
PTX
apart='run -g buddy --set gpu.n_sm=2 -m buddy:size=2,regroup=halfway --lines apart.ptx --grid 2 --block 64'
works ${apart/--lines/--lines --json held.json}
grep -Eq '^smelt: +buddy +[0-9.]+ %  warps wait for their counterparts' err.txt || failed "no mechanism: $(cat err.txt)"
grep -q 'held back by the mechanism buddy: warps wait' err.txt || failed "blames another: $(cat err.txt)"
grep -Eq '^smelt: +[0-9.]+ % .* buddy [0-9]+ % ' err.txt || failed "no line is held: $(cat err.txt)"
jq -e '.stalls | .buddy > 0 and .gated == 0 and ([.[]] | add) == 2 * .scheduler_cycles' held.json >/dev/null ||
    failed "held warps: $(jq -c .stalls held.json)"
jq -e '.stalls.buddy == ([.lines[].stalls.buddy // 0] | add)' held.json >/dev/null || failed "lines of held warps"
works ${apart/--lines/--lines --json held2.json --no-skip}
works compare --exact held.json held2.json
works explain stall.buddy

# --- --max-cycles and Ctrl-C leave what there is ---
fails 1 'stopped after 5000 cycles' run -g tiny endless.ptx --grid 4 --block 64 --max-cycles 5000 --json max.json
is_json max.json
same "status of --max-cycles" "$(field max.json status)" '"max_cycles"'
same "partial" "$(field max.json partial)" true
[ "$(field max.json cycles)" -ge 5000 ] && [ "$(field max.json cycles)" -le 5100 ] ||
    failed "$(field max.json cycles) cycles, the limit was 5000"
fails 1 'stopped after' run -g tiny endless.ptx --grid 4 --block 64 --max-cycles 5000 --no-skip --json max2.json
works compare --exact max.json max2.json
fails 1 'stopped after' run -g tiny four.job --max-cycles "$((cycles - 10))" --json max.json
same "launches until the limit" "$(grep -c '"timed": true' max.json)" 4
"$SMELT" run -g tiny endless.ptx --grid 4 --block 64 --json stop.json 2>err.txt &
pid=$!
for _ in $(seq 200); do
    [ ! -f stop.json ] || break
    sleep 0.05
done
sleep 0.3
kill -INT $pid
wait $pid
same "status after Ctrl-C" $? 1
is_json stop.json
same "word after Ctrl-C" "$(field stop.json status)" '"interrupted"'
[ "$(field stop.json cycles)" -gt 0 ] || failed "no cycle before Ctrl-C"

# --- a barrier that half of the warps never come to ---
cat >half.ptx <<'PTX'
.version 6.0
.target sm_35
.address_size 64
.visible .entry half()
{
    .reg .u32 %t;
    .reg .pred %p;
    mov.u32 %t, %tid.x;
    setp.ge.u32 %p, %t, 32;
    @%p ret;
    bar.sync 1, 64;
    ret;
}
PTX
fails 1 'kernel half: deadlock' run -g tiny half.ptx --grid 1 --block 64 --json dead.json
is_json dead.json
same "word of a deadlock" "$(field dead.json status)" '"deadlock"'
grep -Eq 'warp.*(barrier|half.ptx)' err.txt || failed "the stuck warp is not named: $(cat err.txt)"

finish
