#!/usr/bin/env bash
#
# list.sh -- on a terminal columns are aligned under a header and lines are cut at its width, -v shows them whole;
# into a pipe go whole lines with two blanks between their parts.
set -uo pipefail

die()
{
    echo "$*"
    exit 1
}

on_terminal() # COLUMNS ARGS..
{
    local columns=$1
    shift
    script -qec "stty cols $columns; $(printf '%q ' "$SMELT" "$@")" /dev/null | tr -d '\r'
}

for topic in gpus keys stats instructions components mechanisms schedulers dram-schedulers workloads sets; do
    "$SMELT" list $topic >plain
    on_terminal 70 list $topic >narrow
    on_terminal 70 list -v $topic >whole
    [ "$(wc -l <narrow)" -eq $(($(wc -l <plain) + 1)) ] || die "$topic: not a line each and a header"
    [ "$(wc -L <narrow)" -le 70 ] || die "$topic: longer than the terminal is wide"
    [ "$(wc -l <whole)" -eq "$(wc -l <narrow)" ] || die "$topic -v has another number of lines"
    grep -qE '^[^ ]+  [^ ]' plain || die "$topic: no two blanks behind a name"
done
"$SMELT" list dram-schedulers >plain
[ "$(cut -d' ' -f1 plain | xargs)" = "frfcfs fcfs" ] || die "DRAM schedulers: $(cat plain)"
"$SMELT" explain fcfs | grep -x ' *kind *DRAM scheduler: --set dram.scheduler=..' >kind || die "fcfs is not explained"
"$SMELT" list keys >plain
grep -q '^l1d.sets  32 sets  ' plain || die "a line of a pipe has other columns"
on_terminal 200 list keys >wide
[ "$(sed -n 's/^\(gpu.n_sm *1 SMs *\)s.*/\1/p' wide | wc -c)" -eq \
    "$(sed -n 's/^\(gpu.core_mhz *1000 MHz *\)c.*/\1/p' wide | wc -c)" ] || die "columns are not aligned"
on_terminal 40 list -v workloads >whole
grep -q Polybench whole || die "-v cuts"
exit 0
