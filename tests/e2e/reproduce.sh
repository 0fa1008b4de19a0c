#!/usr/bin/env bash
# smelt reproduce: figures as tables; savings are those of the baseline's energy; finished runs are kept and
# lost ones made again; a page gets its tables; mistakes are told.
set -uo pipefail

die()
{
    echo "$*"
    exit 1
}

fails()
{
    local line=$1
    shift
    said=$("$SMELT" reproduce "$@" 2>&1) && die "$*: no failure"
    [ $? -eq 2 ] || die "$*: not status 2"
    [ "$(tail -1 <<<"$said")" = "smelt: $line" ] || die "$*: $said"
}

fails "no paper 'gate'; did you mean gates?" gate
fails "which paper?; see smelt reproduce --help"
fails "reproduce takes one paper, not also 'buddy'; see smelt reproduce --help" gates buddy
fails "-j: '0' is not a number of runs from 1 to 1024; see smelt reproduce --help" -j 0 gates
fails "none/x: No such file or directory" gates -o none/x
fails "--page: none.md: No such file or directory; see smelt reproduce --help" gates --page none.md
fails "--quick has small inputs, --large has large ones; see smelt reproduce --help" gates --quick --large

case $SMELT in *asan*) exit 0 ;; esac # it only starts other runs

printf 'Before.\n<!-- table summary -->\nold\n<!-- end -->\nBetween.\n<!-- table none -->\nkept\n<!-- end -->\nAfter.\n' >page.md
rm -rf out
"$SMELT" reproduce gates --quick -o out --page page.md 2>err.txt || die "status $?: $(tail -3 err.txt)"
grep -q 'smelt: Warped Gates: .* go to out' err.txt || die "no line at the start: $(head -1 err.txt)"
for name in summary fig1b fig3 fig5a fig5b fig8a fig8b fig8c fig9a fig9b fig10 claims; do
    [ "$(wc -l <out/$name.csv)" -ge 4 ] || die "$name.csv: $(cat out/$name.csv)"
    grep -qiw nan out/$name.csv && die "$name.csv has a number that is none"
    [ "$(wc -l <out/$name.md)" -eq $(($(wc -l <out/$name.csv) + 1)) ] || die "$name.md: another table"
done
[[ $(head -1 out/fig9a.csv) = workload,conv_pg,gates,naive,coordinated,warped,paper\ conv_pg,* ]] || die "fig9a: another header"
[[ $(tail -1 out/fig9a.csv) = mean,*,20.1,21.5,27.8,31.5,31.6 ]] || die "fig9a: the paper's means are not there"
grep -qE ',(yes|no)$' out/claims.csv || die "claims.csv: $(head -3 out/claims.csv)"

diff page.md <(echo Before. && echo '<!-- table summary -->' && cat out/summary.md && echo '<!-- end -->' && echo Between. &&
    echo '<!-- table none -->' && echo kept && echo '<!-- end -->' && echo After.) || die "the page is another"

# The result of a run of backprop with these words in its mechanism.
result()
{
    grep -l "\"gates:$1" out/points/backprop-*.json
}

counter()
{
    sed -nE "s/.*\"gates_$2\": ([0-9]+).*/\1/p" "$1" | tail -1
}

# Section 7.3: normalised to the baseline, so that a longer run counts against what is saved.
base=$(counter "$(result variant=conv_pg,idle_detect=0)" cycles)
file=$(result variant=warped)
off=$(($(counter "$file" int_uncompensated) + $(counter "$file" int_compensated) - 14 * $(counter "$file" int_gatings)))
wanted=$(awk -v b="$base" -v c="$(counter "$file" cycles)" -v o=$off 'BEGIN { printf "%.3f", 100 * (2 * b - (2 * c - o)) / (2 * b) }')
is=$(awk -F, '$1 == "backprop" { printf "%.3f", $6 }' out/fig9a.csv)
awk -v a="$wanted" -v b="$is" 'BEGIN { exit !(a - b < 0.002 && b - a < 0.002) }' || die "backprop saves $is, not $wanted %"

runs=$(ls out/points/*.json | wc -l)
[ "$runs" -eq 36 ] || die "$runs results"

# Lose one, keep the others.
cp out/summary.csv before.csv
lost=$(ls out/points/*.json | head -1)
kept=$(ls out/points/*.json | tail -1)
rm "$lost"
touch -d '2001-01-01' "$kept"
"$SMELT" reproduce gates --quick -o out 2>err.txt || die "again: status $?"
grep -q '35 of 36 runs are there already' err.txt || die "$(cat err.txt)"
[ -e "$lost" ] || die "the lost run was not made again"
[ "$(stat -c %Y "$kept")" -lt 1000000000 ] || die "a finished run was made again"
cmp -s out/summary.csv before.csv || die "another summary"

# What is there but no result of a run that has ended well is made again as well.
points=(out/points/*.json)
truncate -s -100 "${points[1]}"
sed -i 's/"status": "done"/"status": "interrupted"/' "${points[2]}"
: >"${points[3]}"
"$SMELT" reproduce gates --quick -o out 2>err.txt || die "after damage: status $?"
grep -q '33 of 36 runs are there already' err.txt || die "after damage: $(cat err.txt)"
[ "$(grep -c '^smelt: made again: out/points/' err.txt)" -eq 3 ] || die "after damage: $(cat err.txt)"
cmp -s out/summary.csv before.csv || die "another summary after damage"

# One at a time in a folder.
exec 9<out/points
flock -n 9 || die "the lock is held after the end"
fails "out/points: another smelt is at work there; wait for it, or choose another folder" gates --quick -o out
exec 9<&-
exit 0
