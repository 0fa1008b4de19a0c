#!/usr/bin/env bash
# smelt report: a page of a run, on a file or standard output; mistakes are told.  What pages are like in a
# browser is in tests/page.
source "$SRC/tests/e2e/lib/check.bash"

rm -f report.html
fails 2 '^smelt: of which result or store\?; see smelt report --help$' report
fails 2 "^smelt: report takes one file, not also 'b'; see smelt report --help$" report a b
fails 2 "^smelt: unknown option '--x' of report; see smelt report --help$" report --x
fails 2 '^smelt: none.json: No such file or directory$' report none.json
echo '{"schema": 1}' >no.json
fails 2 '^smelt: no.json: not the result of smelt run: it has no "total"$' report no.json
echo '{"total": {}, "kernels": [1' >half.json
fails 2 "^smelt: half.json:2:1: ',' or ']' was expected$" report half.json
printf 'SQLite format 3\0 and no more' >half.db
fails 2 '^smelt: half.db is not a store: it is no SQLite file$' report half.db
[ ! -e report.html ] || failed "a page of nothing"

cat >one.ptx <<'END'
.version 6.0
.target sm_35
.address_size 64
.visible .entry one(.param .u64 p)
{
    .reg .u64 %d<2>;
    ld.param.u64 %d1, [p];
    st.global.u32 [%d1], 7;
    ret;
}
END
works run -q -g tiny --json one.json one.ptx --grid 1 --block 32 --arg 'buf:u32[4]=zero'
fails 2 '^smelt: none/x.html: No such file or directory$' report one.json -o none/x.html
works report one.json
same "where it went" "$(cat err.txt)" "smelt: the page is report.html"
works report -o - one.json
cmp -s out.txt report.html || failed "another page on standard output"
"$SMELT" report --out page.html - <one.json 2>err.txt && cmp -s page.html report.html || failed "another page from standard input"
for text in '<h1>one.ptx' ' on tiny</h1>' '<td>one</td>' 'id="figure-stalls"' 'id="figure-energy"' '<th scope="row">sm.n_warp</th>'; do
    grep -qF -- "$text" report.html || failed "no $text"
done

# Results without timing have fewer numbers; strange ones do no harm.
works run -q -g tiny --functional --json f.json one.ptx --grid 1 --block 32 --arg 'buf:u32[4]=zero'
works report f.json -o f.html
grep -q 'id="figure-stalls"' f.html && failed "stalls without timing"
echo '{"total": 1, "kernels": [1, {"name": 2, "grid": "<b>"}], "energy": [3], "stalls": {"issued": "x"}, "program": {"args": 5}, "stats": {"mem_latency_log2": 7}}' >odd.json
works report odd.json -o odd.html
grep -q '<b>' odd.html && failed "markup from a result"

# Without gnuplot there are tables.
mkdir -p bin
PATH=$PWD/bin works report one.json -o bare.html
grep -q 'No picture: gnuplot did not work' bare.html || failed "no word on pictures"
finish
