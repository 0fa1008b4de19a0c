#!/usr/bin/env bash
# The pages of a study, a run and a store in a browser: quiet, sortable, with pictures of a size, by day
# and night and on narrow screens; labels that look like scripts are text.
source "$SRC/tests/e2e/lib/check.bash"

rm -rf out fig1.csv chromium-* && mkdir out
"$TOOL" out || failed "no page of the study"
cat >two.ptx <<'END'
.version 6.0
.target sm_35
.address_size 64
.visible .entry first(.param .u64 p)
{
    .reg .u64 %d<4>;
    .reg .u32 %r<3>;
    ld.param.u64 %d1, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r1;
    ret;
}
.visible .entry second(.param .u64 p)
{
    .reg .u64 %d<2>;
    .reg .u32 %r<3>;
    ld.param.u64 %d1, [p];
    ld.global.u32 %r1, [%d1];
    add.u32 %r2, %r1, 1;
    st.global.u32 [%d1], %r2;
    ret;
}
END
printf 'module two.ptx\nbuf a u32 256 zero\nlaunch second 1 1 1 32 1 1 0 @a\nlaunch first 2 1 1 128 1 1 0 @a\n' >two.job
works run -q -g tiny --json run.json two.job
works report run.json -o run.html
works report out/store.db -o store.html
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$SRC/tests/page/check.py" out/report.html run.html store.html out ||
    failed "see above"
finish
