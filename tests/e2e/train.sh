#!/usr/bin/env bash
#
# smelt train: a known rule is found again, the file of coefficients is one that mechanisms read, and
# mistakes are told with file, line and column.
. "$SRC/tests/e2e/lib/check.bash"
rm -rf ./*

# Twelve programs of twelve rows: fuse is 1 if 20 + 2 ctas > 600 divergence.  The numbers are those of
# a generator of Park and Miller, the same in every awk.
rows()
{
    awk -v programs="$1" '
        function random() { x = x * 16807 % 2147483647; return x / 2147483647 }
        BEGIN {
            x = 12345
            print "program,fuse,ctas,divergence,fixed,noise"
            for (i = 0; i < 12 * programs; i++) {
                ctas = 1 + int(8 * random())
                divergence = random() / 10
                fuse = 20 + 2 * ctas > 600 * divergence
                printf "p%d,%d,%d,%.6f,7,%.3f\n", i / 12, fuse, ctas, divergence, 1000 * random()
            }
        }'
}
rows 12 >rows.csv

above()
{
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a + 0 > b + 0) }' || failed "$1: $2 is not above $3"
}

coefficient()
{
    sed -n "s/^$1 = //p" "$2"
}

works train rows.csv -o model.conf --json out.json
cp out.txt report.txt
is_json out.json
same "where it went" "$(cat err.txt)" "smelt: the coefficients are in model.conf"
above "coefficient of ctas" "$(coefficient ctas model.conf)" 0
above "less than that of divergence" 0 "$(coefficient divergence model.conf)"
same "coefficient of what never changes" "$(coefficient fixed model.conf)" 0
above "accuracy" "$(field out.json accuracy)" 0.9
left_out=$(jq .leave_one_out.accuracy out.json)
above "leave one out" "$left_out" 0.9
above "leave one out, and majority" "$left_out" "$(field out.json majority)"

# The line between the answers is the rule's: constant : ctas : divergence is 20 : 2 : -600.
works train rows.csv --cost 1e6 -o sure.conf
awk -v b="$(coefficient constant sure.conf)" -v c="$(coefficient ctas sure.conf)" \
    -v d="$(coefficient divergence sure.conf)" 'function near(a, b) { return a > 0.9 * b && a < 1.1 * b }
    BEGIN { exit !(near(-d / c, 300) && near(-d / b, 30)) }' || failed "another rule: $(cat sure.conf)"

# What is chosen finds the rule, and no more than the rule: of the metrics, those that it is about.
works train rows.csv --cost auto -o chosen.conf --json chosen.json
same "who chose" "$(jq -c '[.chosen, .used_metrics]' chosen.json)" "[true,2]"
same "who chose before" "$(jq -c '[.chosen, .cost, .used_metrics]' out.json)" "[false,1,3]"
above "coefficient of ctas, chosen" "$(coefficient ctas chosen.conf)" 0
same "coefficient of noise, chosen" "$(coefficient noise chosen.conf)" 0
above "leave one out, chosen" "$(jq .leave_one_out.accuracy chosen.json)" 0.9
# Two programs leave nothing to choose by.
rows 2 >two.csv
works train two.csv --cost auto --json two.json
same "without a choice" "$(jq .cost two.json)" 1

# Report, JSON and file say the same.
same "rows" "$(jq .rows out.json)" 144
same "programs" "$(jq .programs out.json)" 12
same "programs one by one" "$(jq '[.leave_one_out.programs[].rows] | add' out.json)" 144
same "right ones" "$(jq '[.leave_one_out.programs[].right] | add' out.json)" \
    "$(jq '.leave_one_out.answers | .[0][0] + .[1][1]' out.json)"
same "rows by answer" "$(jq '[.leave_one_out.answers[][]] | add' out.json)" 144
same "sorted by magnitude" "$(jq -c '[.metrics[].by_deviation | fabs] | . == (sort | reverse)' out.json)" true
same "in the file's order" "$(sed -n '/coefficients\]/,$ s/ = .*//p' model.conf | xargs)" \
    "ctas divergence fixed noise"
for name in ctas divergence noise; do
    same "$name" "$(jq ".metrics[] | select(.metric == \"$name\").coefficient" out.json)" \
        "$(coefficient $name model.conf)"
done
same "metrics of the report" "$(sed -n '/^metric /,$ p' report.txt | cut -d ' ' -f 1 | xargs)" \
    "metric divergence ctas noise fixed constant"
for line in '^rows +144$' '^programs +12$' '^fuse = 1 +[0-9.]+ %  [0-9]+ of 144 rows$' \
    '^leave one out +[0-9.]+ %  [0-9]+ of 144 rows, each program' '^majority .* by always answering [01]$' \
    '^leave one out +answers 0 +answers 1$' '^fuse = 0 +[0-9]+ +[0-9]+$'; do
    grep -qE "$line" report.txt || failed "no line $line: $(cat report.txt)"
done

# The same bytes again, elsewhere; and JSON alone on standard output.
mkdir -p elsewhere
cp rows.csv elsewhere
works train elsewhere/rows.csv -o again.conf --json again.json
cmp out.txt report.txt && cmp model.conf again.conf && cmp out.json again.json || failed "other bytes"
works train rows.csv --json -
cmp out.txt out.json || failed "not JSON alone"

# A mechanism reads the file.
cp "$SRC/examples/vecadd.job" "$SRC/examples/vecadd.ptx" .
works run -g tiny -m noop:model=model.conf vecadd.job
works run -g tiny -m noop:model=paper vecadd.job
fails 2 "^smelt: -m noop:model=no.conf: noop.model: no.conf: No such file or directory$" \
    run -g tiny -m noop:model=no.conf vecadd.job

# Other columns; the other answer, other signs.
awk -F, -v OFS=, 'NR == 1 { $1 = "kernel"; $2 = "split" } NR > 1 { $2 = 1 - $2 } 1' rows.csv >other.csv
works train other.csv --label split --group kernel -o other.conf
above "coefficient of ctas" 0 "$(coefficient ctas other.conf)"
same "the same size" "-$(coefficient divergence other.conf)" "$(coefficient divergence model.conf)"

# One program: no model of others.
rows 1 >one.csv
works train one.csv --json one.json -o one.conf
grep -qE '^leave one out +-    there is one program alone' out.txt || failed "not told: $(cat out.txt)"
same "leave one out of one" "$(field one.json leave_one_out)" null
! grep -q 'answers 0' out.txt || failed "answers of nobody"
# All others have one answer: so has their model.
printf 'program,fuse,x\na,0,1\na,0,2\nb,1,3\nb,1,4\n' >apart.csv
works train apart.csv --json apart.json
same "right ones of two apart" "$(jq .leave_one_out.accuracy apart.json)" 0

# Quotes, blanks and empty lines.
printf 'fuse, "x" ,program\r\n 1 ,2e0,"a, b"\r\n0,-1, c\r\n' >quoted.csv
fails 2 '^smelt: quoted.csv:1: column ..x.. is no name of a metric' train quoted.csv
printf 'fuse, x ,program\r\n 1 ,2e0,"a, b"\r\n\r\n0,-1, c\r\n\r\n' >blanks.csv
works train blanks.csv --json blanks.json
same "rows without empty ones" "$(jq .rows blanks.json)" 2
same "program in quotes" "$(jq -r .leave_one_out.programs[0].program blanks.json)" "a, b"

# Mistakes.
wrong()
{
    printf "$2" >wrong.csv
    fails 2 "^smelt: wrong.csv$1" train wrong.csv -o wrong.conf --json wrong.json
    [ ! -e wrong.conf ] && [ ! -e wrong.json ] || failed "a file of nothing: $1"
}
wrong ": is empty; a header with program, fuse and metrics was expected$" ''
wrong ": is empty; " '\n\n'
wrong ": no rows below the header$" 'program,fuse,x\n'
wrong ":1: no column 'program'; --group names another$" 'fuse,x\n1,2\n'
wrong ":1: no column 'fuse'; did you mean fuze\?$" 'program,fuze,x\na,1,2\n'
wrong ":1: no column besides 'program' and 'fuse': metrics are needed$" 'program,fuse\na,1\n'
wrong ":1: column 'x' is there a second time$" 'program,fuse,x,x\na,1,2,3\n'
wrong ":1: column 'a=b' is no name of a metric" 'program,fuse,a=b\na,1,2\n'
wrong ":3: fuse: 'yes' is neither 0 nor 1$" 'program,fuse,x\na,1,2\na,yes,2\n'
wrong ":2: x: 'many' is not a number$" 'program,fuse,x\na,1,many\n'
wrong ":3: x: 'nan' is not a number$" 'program,fuse,x\na,1,1\na,1,nan\n'
wrong ":2: x: '' is not a number$" 'program,fuse,x\na,1,\n'
wrong ":2: x: 1e200 is outside -1e100..1e100$" 'program,fuse,x\na,1,1e200\n'
wrong ":2: program: is empty$" 'program,fuse,x\n,1,1\n'
wrong ":3: 2 fields, the header has 3$" 'program,fuse,x\na,1,1\na,1\n'
wrong ":2: 4 fields, the header has 3$" 'program,fuse,x\na,1,1,5\n'
wrong ":2: a quote is not closed$" 'program,fuse,x\n"a,1,1\n'
wrong ": fuse is 1 in all 2 rows: there is nothing to tell apart$" 'program,fuse,x\na,1,1\nb,1,2\n'
wrong ": fuse is 0 in all 1 rows" 'program,fuse,x\na,0,1\n'
wrong ": is not text: it has a zero byte$" 'program,fuse,x\na,0,1\0\n'
fails 2 '^smelt: none.csv: No such file or directory$' train none.csv
fails 2 '^smelt: none/m.conf: No such file or directory$' train rows.csv -o none/m.conf
fails 2 '^smelt: train on which file\?; see smelt train --help$' train
fails 2 "^smelt: train takes one file, not also 'b.csv'" train a.csv b.csv
fails 2 "^smelt: --label and --group are the same column 'fuse'" train rows.csv --group fuse
fails 2 "^smelt: -o takes the name of a file" train rows.csv -o -
for cost in 0 -1 many 1e30; do
    fails 2 "^smelt: --cost: '$cost' is neither a number in 1e-9..1e9 nor auto; see smelt train --help$" train rows.csv --cost $cost
done
fails 2 "^smelt: unknown option '--costs' of train \(did you mean --cost\?\)" train --costs 1 rows.csv

# It is where commands are listed.
grep -q '^  train ' <<<"$("$SMELT" --help)" || failed "not in the help"
works train --help
for option in --out --label --group --cost --json; do
    grep -q -- "$option" out.txt || failed "no $option in the help"
done
finish
