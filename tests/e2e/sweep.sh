#!/usr/bin/env bash
# smelt sweep --vary: every combination runs once and never again, a further value runs alone; tables
# on stdout and as files; what is wrong is told before anything runs.
# shellcheck source=tests/e2e/lib/check.bash
source "$SRC/tests/e2e/lib/check.bash"

job=$SRC/tests/study/tiny.job
rm -rf out small dry sizes one failing sweep-vary

# Made and there already, as the last line says.
made()
{
    local said
    said=$(sed -nE 's/^smelt: ([0-9]+) runs made, ([0-9]+) were there, ([0-9]+) failed; .*/\1 \2 \3/p' err.txt)
    same "runs made, there, failed ($1)" "$said" "$2"
}

# ---- fresh, again, one more value
vary=(--vary "l1d.size=16K,32K" --vary sm.scheduler=lrr,gto -g gates -m gates "$job")
works sweep "${vary[@]}" -o out
made fresh "4 0 0"
grep -qE '^total.cycles  +16K lrr  +16K gto  +32K lrr  +32K gto$' <<<"$(head -1 out.txt)" || failed "header: $(head -1 out.txt)"
same "where columns end" "$(grep -c . out.txt) $(awk '{ print length }' out.txt | uniq | wc -l)" "3 1"
cp out/total_cycles.csv first.csv
cp out.txt first.txt
works sweep "${vary[@]}" -o out
made again "0 4 0"
cmp -s out/total_cycles.csv first.csv || failed "another table from the same runs"
cmp -s out.txt first.txt || failed "another table printed from the same runs"
works sweep "${vary[@]/32K/32K,48K l1d.ways=6}" -o out
made "one more value" "2 4 0"
same "series" "$(head -1 out/total_cycles.csv)" \
    "program,16K lrr,16K gto,32K lrr,32K gto,48K l1d.ways=6 lrr,48K l1d.ways=6 gto"
for file in total_cycles.md total_cycles_ratio.csv report.html targets.csv store.db; do
    [ -s out/$file ] || failed "no $file"
done
[ -s out/total_cycles_ratio.svg ] || failed "no picture"

# The table has what smelt run says.
works run --quiet -g gates -m gates --set l1d.size=32K --set sm.scheduler=gto --json run.json "$job"
same "cycles" "$(awk -F, 'NR == 2 { print $5 }' out/total_cycles.csv)" "$(jq .total.cycles run.json)"
same "its mean" "$(awk -F, 'NR == 3 { print $1, $2 }' out/total_cycles.csv)" "geomean of ratio 1"

# ---- what would run
works sweep --vary l1d.size=16K,32K --dry-run -o dry "$job"
[ -e dry ] && failed "--dry-run makes a folder"
same "plan" "$(grep -c '^run  ' out.txt)" 2
works sweep "${vary[@]}" --dry-run -o out
same "plan of what is there" "$(grep -c '^there  ' out.txt)" 4

# ---- machines, mechanisms, several metrics, the default folder
works sweep --vary "gpu=gates,gtx480 sm.sp_split=on" --vary "mech=none;gates:variant=naive,idle_detect=3" "$job" \
    --metric total.ipc --metric stats.l1d_miss -j 1
made "gpu and mech" "4 0 0"
same "labels" "$(head -1 sweep-vary/total_ipc.csv)" \
    'program,gates none,"gates gates:variant=naive,idle_detect=3",gtx480 sm.sp_split=on none,"gtx480 sm.sp_split=on gates:variant=naive,idle_detect=3"'
same "tables printed" "$(grep -cE '^(total.ipc|stats.l1d_miss)  ' out.txt)" 2

# ---- what is small has three digits too, here and in the file; -jN and the like are taken
works sweep --vary l1d.size=16K,32K -ggates -mgates -j1 -osmall --metric total.energy_j "$job"
made "values behind letters" "2 0 0"
cp out.txt small.txt
works run --quiet -ggates -mgates --set l1d.size=16K --json run.json "$job"
for shown in "$(awk '/tiny.job/ { print $2 }' small.txt)" "$(awk -F'[| ]+' '/tiny.job/ { print $3 }' small/total_energy_j.md)"; do
    awk -v shown="$shown" -v is="$(jq .total.energy_j run.json)" \
        'BEGIN { exit !(is > 0 && is < 0.01 && (shown - is) ^ 2 < (0.005 * is) ^ 2) }' ||
        failed "energy: $shown, and the run has $(jq .total.energy_j run.json)"
done

# ---- inputs of workloads; a member that is one kernel; two programs that share a run
works sweep --vary l1d.size=16K --quick --dry-run -o sizes set:share33
grep -q '^run .*srad --size ' out.txt || failed "--quick: no small inputs: $(grep srad out.txt)"
same "members of one program share runs" "$(grep -c ' srad ' out.txt)" 1
works sweep --vary l1d.size=16K --dry-run -o sizes "bfs --size 77" cp --large
grep -q 'bfs --size 77 ' out.txt || failed "--large: arguments are lost"
grep -q 'cp --size large' out.txt || failed "--large: no large inputs"

# ---- many series: a line for each value
works sweep --vary "op.mov_lat=1,2,3,4,5" --vary sm.scheduler=lrr,gto,two_level -o one "$job" --dry-run
same "combinations" "$(grep -c '^run ' out.txt)" 15

# ---- a run that fails: listed, its cells empty, status 1
sed 's/expect sum b 2016/expect sum b 1/' "$job" >wrong.job
cp "$SRC/tests/study/tiny.ptx" .
fails 1 '^smelt: failed: wrong.job -g gtx480 --set l1d.size=16K: ended with status 1: ' sweep --vary l1d.size=16K,32K wrong.job "$job" -o failing
made "a failed one" "4 0 2"
grep -q '^wrong.job,,$' failing/total_cycles.csv || failed "cells of failed runs: $(cat failing/total_cycles.csv)"
fails 1 '^smelt: failed before: wrong.job -g gtx480 --set l1d.size=16K: ended with status 1: ' sweep --vary l1d.size=16K,32K wrong.job "$job" -o failing
made "failed before" "0 4 2"
cp "$job" wrong.job
works sweep --vary l1d.size=16K,32K wrong.job "$job" -o failing
made "mended: the same as the other job" "0 2 0"

# ---- mistakes
see='; see smelt sweep --help$'
fails 2 "what is varied\\? --vary KEY=A,B or a study's file, x.lua$see" sweep "$job"
fails 2 "which programs\\? none was given$see" sweep --vary l1d.size=16K
fails 2 "^smelt: --vary l1d.size: it takes KEY=A,B,..\$" sweep --vary l1d.size "$job"
fails 2 "^smelt: --vary l1d.size=: it has no values\$" sweep --vary l1d.size= "$job"
fails 2 "^smelt: --vary l1d.size=1,2,1: '1' is there twice\$" sweep --vary l1d.size=1,2,1 "$job"
fails 2 "^smelt: --vary l1d.size: it is varied already\$" sweep --vary l1d.size=16K --vary l1d.size=32K "$job"
fails 2 "^smelt: l1d.size is both set and varied\$" sweep --vary l1d.size=16K --set l1d.size=32K "$job"
fails 2 "l1d.sise: no such key; did you mean size\\?\$" sweep --vary l1d.sise=16K "$job"
fails 2 "l1d.size: .*48K" sweep --vary l1d.size=16K,32K,48K "$job"
fails 2 "no GPU 'gtx408'" sweep --vary gpu=gtx480,gtx408 "$job"
fails 2 "no mechanism 'gate'; did you mean gates" sweep --vary mech=none,gate "$job"
fails 2 "no set 'quik'; did you mean quick\\?\$" sweep --vary l1d.size=16K set:quik
fails 2 "bsf: no such file, and no workload is called so \\(did you mean bfs\\?\\)\$" sweep --vary l1d.size=16K bsf
fails 2 "^smelt: 'bfs' is there twice\$" sweep --vary l1d.size=16K bfs bfs
fails 2 "^smelt: no metric 'total.cycels'; did you mean total.cycles\\?\$" sweep --vary l1d.size=16K --metric total.cycels bfs
fails 2 "^smelt: --metric total.ipc is there twice\$" sweep --vary l1d.size=16K --metric total.ipc --metric total.ipc bfs
fails 2 "^smelt: that is more than 100000 runs\$" sweep bfs \
    --vary l1d.size="$(seq -s, 400)" --vary l1d.ways="$(seq -s, 400)"
fails 2 "none/x: No such file or directory\$" sweep --vary l1d.size=16K "$job" -o none/x
fails 2 "-j: '0' is not a number of runs from 1 to 1024$see" sweep --vary l1d.size=16K "$job" -j 0
fails 2 "--limit-time: '5x' is no time such as 90, 10m or 2h$see" sweep --vary l1d.size=16K "$job" --limit-time 5x
fails 2 "--limit-memory: 'much' is no size such as 500M or 4G$see" sweep --vary l1d.size=16K "$job" --limit-memory much
fails 2 "-D x: it takes NAME=VALUE$see" sweep x.lua -D x
fails 2 "-D quick=1: --quick says that$see" sweep x.lua -D quick=1
fails 2 "-D is for a study's file$see" sweep --vary l1d.size=16K "$job" -D x=1
fails 2 "--quick has small inputs, --large has large ones$see" sweep x.lua --quick --large
fails 2 "x.lua says itself what is run: no --vary, --metric, -g, -m and --set$see" sweep x.lua -g gtx480
fails 2 "sweep takes one study, not also 'y.lua'$see" sweep x.lua y.lua
fails 2 "of which sweep\\? -o DIR says it$see" sweep --status
fails 2 "unknown option '--vari' of sweep \\(did you mean --vary\\?\\)$see" sweep --vari x
finish
