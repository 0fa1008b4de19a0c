#!/usr/bin/env bash
# The study language: tests/study/language.lua checks itself; here, what is written of it, twice the
# same bytes; bundled studies by name.
# shellcheck source=tests/e2e/lib/check.bash
source "$SRC/tests/e2e/lib/check.bash"

rm -rf out before study
cp -r "$SRC/tests/study" .

# One of its programs fails: status 1, and everything else is there.
fails 1 '^smelt: failed: study/fails.job -g gtx480: ended with status 1: ' \
    sweep study/language.lua -o out --large -D colour=red
grep -q '^smelt: The study language: 4 runs, everything goes to out$' err.txt || failed "first line: $(head -1 err.txt)"
grep -q '^smelt: 4 runs made, 0 were there, 1 failed; out/report.html$' err.txt || failed "last line: $(tail -1 err.txt)"
same "checks" "$(grep '^number,' out/numbers.csv | tr '\n' ' ')" "number,checks,,1 number,nothing,, "

cat >wanted.csv <<'END'
where,what,unit,paper,ours,check,met
1,within,%,10,10.5,within 0.5,yes
2,beyond,,10,10.6,within 0.5,no
3,per cent,,-10,-11,within 10 %,yes
4,sign,,2,0.1,sign,yes
5,the other side,,1.2,0.9,sign of 1,no
6,no value,,1,,sign,no
7,order: a < c < b,,,a 10 < c 20 < b 30,order,yes
8,another: a < b,,,a 2 = b 2,order,no
9,not all: a < b,,,not all were measured,order,no
10,It holds.,,,5 of 5,claim,yes
11,It does not.,,,no,claim,no
END
diff wanted.csv out/targets.csv || failed "targets"
cat >wanted.csv <<'END'
a,b,c
x,1,"text, quoted"
y,,2.5
z,,
4,,
END
diff wanted.csv out/rows.csv || failed "rows"
same "head of series" "$(head -1 out/series.csv)" "program,base,small,paper base,paper small"
same "rows of series" "$(cut -d, -f1 out/series.csv | tr '\n' ' ')" "program all copy twice mean geomean "
same "mark of its mean" "$(grep '^mean,' out/series.csv | cut -d, -f4,5)" "1000,"
same "filtered" "$(cut -d, -f1,3 out/filtered.csv | tr '\n' ' ')" "program,paper small copy, twice,2.5 "
same "a failed run" "$(sed -n 2p out/holes.csv)" "fails.job,"
# A kernel that the program has and did not launch is no mistake, but said.
same "a kernel that was not launched" "$(sed -n 3p out/unlaunched.csv)" "never,"
same "notes of it" "$(grep -c '^smelt: not launched: never of .*tiny.job; its cells are empty$' err.txt)" 1
grep -q 'Kernels that were not launched' out/report.html || failed "the page does not name it"
grep -q '^rows,x,c,"text, quoted"$' out/numbers.csv || failed "a text of the summary"
grep -q "^series,all,base,$(sed -n 2p out/series.csv | cut -d, -f2)\$" out/numbers.csv || failed "a number of the summary"
for file in series.svg lines.svg holes.svg report.html rows.md; do
    [ -s out/$file ] || failed "no $file"
done

same "a text" "$(tr '\n' ';' <out/words.txt)" "# of 3;a b;"

# Again: no run, the same bytes.
cp -r out before
fails 1 '^smelt: failed before: study/fails.job -g gtx480: ended with status 1: ' \
    sweep study/language.lua -o out --large -D colour=red
grep -q '^smelt: 0 runs made, 4 were there, 1 failed; out/report.html$' err.txt || failed "again: $(tail -1 err.txt)"
for file in out/*.csv out/*.md out/*.svg out/report.html; do
    cmp "$file" "before/${file#out/}" || failed "$file is another"
done

# --retry makes failed ones again, alone.
fails 1 '^smelt: failed: study/fails.job' sweep study/language.lua -o out --large -D colour=red --retry
grep -q '^smelt: 1 runs made, 3 were there, 1 failed; ' err.txt || failed "--retry: $(tail -1 err.txt)"

# All bundled studies, each by its name, in one store.
works reproduce all --quick --dry-run -o all
for study in gates share; do
    grep -q -- "-g $study " out.txt || failed "all: no run of $study"
done
fails 2 "^smelt: --page: a page is of one study, not of all" reproduce all --page "$SRC/docs/papers/gates.md"
finish
