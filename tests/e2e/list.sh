#!/usr/bin/env bash
#
# list.sh -- on a terminal columns are aligned under a header and sentences are broken at its width, none
# is cut, -v shows whole lines; into a pipe go whole lines with two blanks between their parts.
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

# An item begins at the left, and what goes on in another line does not.
same_names() # TOPIC NAMES
{
    [ "$2" = "$(cut -d' ' -f1 plain)" ] || die "$1: not every item: $2"
}

for topic in gpus keys stats instructions components mechanisms schedulers dram-schedulers workloads sets; do
    "$SMELT" list $topic >plain
    on_terminal 70 list $topic >narrow
    on_terminal 70 list -v $topic >whole
    same_names "$topic" "$(tail -n +2 narrow | grep -v '^ ' | cut -d' ' -f1)"
    [ "$(wc -L <narrow)" -le 70 ] || die "$topic: longer than the terminal is wide"
    [ "$(wc -l <whole)" -eq $(($(wc -l <plain) + 1)) ] || die "$topic -v: not a line each and a header"
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

# Every word of the sentences is there: chips first, then machines of papers, then made-up ones.
"$SMELT" list gpus >plain
[ "$(awk -F'  ' '{ print $2 }' plain | uniq | xargs)" = "chip paper made up" ] || die "kinds: $(cat plain)"
for gpu in gtx480:chip v100:chip titanx:chip buddy:paper socgpu:paper tiny:"made up" hostile:"made up"; do
    grep -q "^${gpu%:*}  ${gpu#*:}  [A-Z].*\\.\$" plain || die "$gpu: $(cat plain)"
done
on_terminal 60 list gpus | tail -n +2 | tr -s ' ' '\n' | grep . >words
tr -s ' ' '\n' <plain >plain.words
diff words plain.words >lost || die "words are lost: $(cat lost)"

on_terminal 40 list -v workloads >whole
grep -q Polybench whole || die "-v cuts"
exit 0
