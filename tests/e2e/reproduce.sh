#!/usr/bin/env bash
# smelt reproduce: figures as tables; savings are those of the baseline's energy; a killed run is resumed,
# lost runs are made again and no others; a page gets its tables; mistakes are told.
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

fails "no study 'gate'; did you mean gates?" gate
fails "which study?; see smelt reproduce --help"
fails "reproduce takes one study, not also 'buddy'; see smelt reproduce --help" gates buddy
fails "-j: '0' is not a number of runs from 1 to 1024; see smelt reproduce --help" -j 0 gates
fails "none/x: No such file or directory" gates -o none/x
fails "--page: none.md: No such file or directory; see smelt reproduce --help" gates --page none.md
fails "--quick has small inputs, --large has large ones; see smelt reproduce --help" gates --quick --large

# All of its runs; without --quick also those of Fig. 6, Fig. 11, the open points and the causes.
plan()
{
    "$SMELT" reproduce gates --dry-run "$@" 2>/dev/null | awk '{ n[$1]++ } END { print n["run"] + 0, n["there"] + 0 }'
}
[ "$(plan -o none)" = '894 0' ] || die "not 894 runs: $(plan -o none)"
[ "$(plan --large -o none)" = '108 0' ] || die "--large: not 108 runs: $(plan --large -o none)"
[ "$(plan --quick -o none)" = '36 0' ] || die "--quick: not 36 runs: $(plan --quick -o none)"

case $SMELT in *asan*) exit 0 ;; esac # it only starts other runs

# Killed when a part of the runs is there; what is there is not run again, and nothing is lost.
rm -rf out
"$SMELT" reproduce gates --quick -o out 2>err0.txt &
pid=$!
until read -r _ there <<<"$(plan --quick -o out)" && [ "$there" -ge 4 ]; do
    kill -0 $pid 2>/dev/null || die "ended too early: $(cat err0.txt)"
    sleep 0.1
done
kill -9 $pid
wait $pid 2>/dev/null
read -r _ there <<<"$(plan --quick -o out)"

printf 'Before.\n<!-- table summary -->\nold\n<!-- end -->\nSaves 1<!-- =fig9a:mean:warped -->.\n<!-- table none -->\nkept\n<!-- end -->\nAfter.\n' >page.md
"$SMELT" reproduce gates --quick -o out --page page.md 2>err.txt >said.txt || die "status $?: $(tail -3 err.txt)"
grep -q '^smelt: Warped Gates: 36 runs, .* out$' err.txt || die "no line at the start: $(head -1 err.txt)"
made=$(sed -nE 's/^smelt: ([0-9]+) runs made, .*/\1/p' err.txt)
grep -q "^smelt: $made runs made, $((36 - made)) were there, 0 failed; " err.txt || die "$(cat err.txt)"
met=$(awk -F, 'NR > 1 { n[$(NF - 1) == "claim"]++; met[$(NF - 1) == "claim"] += $NF == "yes" }
    END { print met[0] + 0 " of " n[0] " numbers and " met[1] + 0 " of " n[1] " claims are met" }' out/targets.csv)
grep -q "^smelt: Warped Gates: $met\$" err.txt || die "not $met: $(tail -3 err.txt)"
[ $((36 - made)) -ge "$there" ] || die "$there runs were there, but $made were made"
[ "$(plan --quick -o out)" = '0 36' ] || die "not all runs are there: $(plan --quick -o out)"

for name in summary fig1b fig3 fig5a fig5b fig8a fig8b fig8c fig9a fig9b fig10 claims; do
    [ "$(wc -l <out/$name.csv)" -ge 4 ] || die "$name.csv: $(cat out/$name.csv)"
    grep -qiw nan out/$name.csv && die "$name.csv has a number that is none"
    [ "$(wc -l <out/$name.md)" -eq $(($(wc -l <out/$name.csv) + 1)) ] || die "$name.md: another table"
done
[[ $(head -1 out/fig9a.csv) = workload,conv_pg,gates,naive,coordinated,warped,paper\ conv_pg,* ]] || die "fig9a: another header"
[[ $(tail -1 out/fig9a.csv) = mean,*,20.1,21.5,27.8,31.5,31.6 ]] || die "fig9a: the paper's means are not there"
grep -qE ',(yes|no)$' out/claims.csv || die "claims.csv: $(head -3 out/claims.csv)"
[ -s out/report.html ] || die "no report"

# The page has its table, and beside it what it names; what is wrong with its text is found.
diff page.md <(echo Before. && echo '<!-- table summary -->' && cat out/summary.md && echo '<!-- end -->' &&
    echo 'Saves 1<!-- =fig9a:mean:warped -->.' && echo '<!-- table none -->' && echo kept && echo '<!-- end -->' &&
    echo After.) || die "the page is another"
[ "$(cut -d, -f1 page.csv | sort -u | tr '\n' ' ')" = 'fig9a summary table ' ] || die "page.csv: $(cut -d, -f1 page.csv | sort -u)"
grep -q '^smelt: warning: page.md: its tables are new, but 2 places in it are not as measured$' err.txt || die "$(cat err.txt)"
"$SMELT" pages check page.md >found.txt
[ $? -eq 1 ] || die "a page with a wrong number passes"
cmp found.txt said.txt || die "reproduce finds something else: $(cat said.txt)"
diff <(sed -E 's/should be [0-9]+/should be N/' found.txt) - <<END || die "other findings"
page.md:$(grep -n '^Saves' page.md | cut -d: -f1): 1 should be N (fig9a:mean:warped)
page.md:$(grep -n 'table none' page.md | cut -d: -f1): no table 'none'
END

# Section 7.3: normalised to the baseline, so that a longer run counts against what is saved.
counter()
{
    sed -nE "s/.*\"gates_$2\": ([0-9]+).*/\1/p" "$1" | tail -1
}
size=$("$SMELT" reproduce gates --quick --dry-run -o out 2>/dev/null | sed -nE 's/.* backprop (--size [0-9]+) .*/\1/p' | head -1)
for mech in variant=conv_pg,idle_detect=0 variant=warped; do
    # shellcheck disable=SC2086
    "$SMELT" run -q -g gates -m gates:$mech,break_even=14 --json $mech.json backprop $size >/dev/null || die "$mech: status $?"
done
base=$(counter variant=conv_pg,idle_detect=0.json cycles)
file=variant=warped.json
off=$(($(counter $file int_uncompensated) + $(counter $file int_compensated) - 14 * $(counter $file int_gatings)))
wanted=$(awk -v b="$base" -v c="$(counter $file cycles)" -v o=$off 'BEGIN { printf "%.3f", 100 * (2 * b - (2 * c - o)) / (2 * b) }')
is=$(awk -F, '$1 == "backprop" { printf "%.3f", $6 }' out/fig9a.csv)
awk -v a="$wanted" -v b="$is" 'BEGIN { exit !(a - b < 0.002 && b - a < 0.002) }' || die "backprop saves $is, not $wanted %"

# Lose one, keep the others.
cp out/summary.csv before.csv
"$SMELT" store prune --program backprop -m variant=warped --yes out/store.db >/dev/null || die "prune: status $?"
[ "$(plan --quick -o out)" = '1 35' ] || die "not one run is lost: $(plan --quick -o out)"
"$SMELT" reproduce gates --quick -o out 2>err.txt || die "again: status $?"
grep -q '^smelt: 1 runs made, 35 were there, 0 failed; ' err.txt || die "$(cat err.txt)"
cmp -s out/summary.csv before.csv || die "another summary"
exit 0
