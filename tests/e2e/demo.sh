#!/usr/bin/env bash
# The demonstration ends well, it verifies its own numbers, and README.md shows the table and the
# picture that it makes (tools/demo_readme.sh puts them there).
. "$SRC/tests/e2e/lib/check.bash"

rm -rf demo
"$SRC/tools/demo.sh" "$PWD/demo" >out.txt 2>&1 || failed "demo: $(tail -5 out.txt)"
same "verified steps" "$(grep -c '^# verified' out.txt)" 4
[ "$(wc -l <out.txt)" -le 60 ] || failed "$(wc -l <out.txt) lines to read"
for page in demo/ideas/report.html demo/sweep/report.html; do
    grep -qx "    $PWD/$page" out.txt && [ -s $page ] || failed "no $page"
done
sed -n '/^<!-- demo -->$/,/^<!-- end -->$/s/^    //p' "$SRC/README.md" >readme.txt
diff readme.txt demo/ideas/ideas.txt >old.txt || failed "README.md is old, tools/demo_readme.sh demo: $(cat old.txt)"
cmp -s "$SRC/docs/ideas.svg" demo/ideas/change.svg || failed "docs/ideas.svg is old: tools/demo_readme.sh demo"

# A number that is not that of the runs is found.
export SMELT
sed -i '/buddy:size=[28]/d' demo/runs.csv
checks() # STEP
{
    "$SRC/tools/demo_check.sh" "$1" demo >check.txt 2>&1
}
checks figures && checks sentences || failed "good numbers: $(cat check.txt)"
cp demo/ideas/ideas.csv good.csv
while read -r step edit; do
    sed "$edit" good.csv >demo/ideas/ideas.csv
    cmp -s good.csv demo/ideas/ideas.csv && failed "nothing to edit: $edit"
    checks "$step" && failed "not found: $edit"
done <<'END'
figures s/^\(gates,[^,]*,\)-0/\1-1/
figures s/^\(amoeba,[^,]*,[^,]*,\)-/\1/
figures s/^\(share,[^,]*,[^,]*,[^,]*,1\)[0-9]/\19/
sentences s/off [0-9]* %/off 1 %/
sentences s/[0-9]* packets/7 packets/
END
finish
