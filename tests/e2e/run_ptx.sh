#!/usr/bin/env bash
# smelt run x.ptx: options, arguments of each kind, --dump.
. "$SRC/tests/e2e/lib/check.bash"

vecadd=$SRC/examples/vecadd.ptx
four="--arg buf:f32[40]=iota --arg buf:f32[40]=iota --arg buf:f32[40]=zero --arg u32:40"

dumped()
{
    od -A n -v -t "$1" c.bin | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

# Options before, after and on both sides of the program; both spellings of a value.
works run --functional --grid 2 --block 32 $four --dump 2:c.bin "$vecadd"
same "c[i]" "$(dumped f4)" "$(seq 0 2 78 | tr '\n' ' ' | sed 's/ $//')"
grep -q 'vecadd .*grid 2x1x1 .*block 32x1x1' err.txt || failed "no summary: $(cat err.txt)"
same "standard output" "$(cat out.txt)" ""
works run "$vecadd" --functional --grid=2 --block=32,1,1 $four --kernel vecadd
works run --grid 2 $four "$vecadd" --block 32 --functional
works run --functional --grid 2 --block 32 $four --threads 4 --no-skip --check --isa base "$vecadd"
works run --functional --grid 2 --block 32 $four --max-insts 1000000 -g tiny "$vecadd"

# Standard input as the program.
"$SMELT" run --functional --grid 2 --block 32 $four --dump 2:stdin.bin - <"$vecadd" 2>err.txt ||
    failed "- does not run: $(cat err.txt)"
cmp c.bin stdin.bin || failed "- gives another result"

# A copy kernel shows what buffers hold at first and what scalars look like in memory.
cat >copy.ptx <<'PTX'
.version 6.0
.target sm_35
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to)
{
    .reg .u32 %i;
    .reg .u16 %b;
    .reg .u64 %from, %to, %off;
    mov.u32 %i, %tid.x;
    cvt.u64.u32 %off, %i;
    ld.param.u64 %from, [from];
    ld.param.u64 %to, [to];
    add.u64 %from, %from, %off;
    add.u64 %to, %to, %off;
    ld.global.u8 %b, [%from];
    st.global.u8 [%to], %b;
    ret;
}
.visible .entry keep(.param .u64 to, .param .u8 a, .param .s16 b, .param .f32 c, .param .f64 d,
                     .param .s64 e, .param .align 4 .b8 f[6])
{
    .reg .u64 %to, %x;
    .reg .u16 %h;
    .reg .u32 %w;
    ld.param.u64 %to, [to];
    ld.param.u8 %h, [a];
    st.global.u8 [%to], %h;
    ld.param.u16 %h, [b];
    st.global.u16 [%to+2], %h;
    ld.param.u32 %w, [c];
    st.global.u32 [%to+4], %w;
    ld.param.u64 %x, [d];
    st.global.u64 [%to+8], %x;
    ld.param.u64 %x, [e];
    st.global.u64 [%to+16], %x;
    ld.param.u32 %w, [f];
    st.global.u32 [%to+24], %w;
    ld.param.u16 %h, [f+4];
    st.global.u16 [%to+28], %h;
    ret;
}
PTX

copied() # TYPE BYTES FILL
{
    works run --functional copy.ptx --kernel copy --grid 1 --block "$2" --arg "buf:$1=$3" \
        --arg "buf:u8[$2]=zero" --dump 1:c.bin
}

copied 's16[3]' 6 iota
same "iota of s16" "$(dumped d2)" "0 1 2"
copied 'i32[2]' 8 zeros
same "zeros of i32" "$(dumped d4)" "0 0"
copied 'f64[3]' 24 iota
same "iota of f64" "$(dumped f8)" "0 1 2"
# x = 7 * 1664525 + 1013904223 = 1025555898, and so on.
copied 'u32[2]' 8 rand:7
same "rand of u32" "$(dumped u4)" "1025555898 3923423697"
copied 'u8[2]' 2 rand:7
same "rand of u8" "$(dumped u1)" "$((1025555898 >> 24)) $((3923423697 >> 24))"
copied 'f32[2]' 8 rand:7
same "rand of f32" "$(dumped f4)" "0.2387808 0.9134932"
printf 'abcd' >four.bin
copied 'u16[2]' 4 file:four.bin
same "a file" "$(cat c.bin)" abcd

works run --functional copy.ptx --kernel keep --grid 1 --block 1 --arg 'buf:u8[32]=zero' --arg u8:255 \
    --arg s16:-2 --arg f32:1.5 --arg f64:-0.25 --arg s64:-3 --arg bytes:010203040506 --dump 0:c.bin
same "scalars" "$(dumped x1)" \
    "ff 00 fe ff 00 00 c0 3f 00 00 00 00 00 00 d0 bf fd ff ff ff ff ff ff ff 01 02 03 04 05 06 00 00"

finish
