/* kernel.c -- see kernel.h */
#include "tests/random/kernel.h"

const char kernel_text[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".const .align 4 .u32 odd[4] = {1, 3, 5, 7};\n"
    ".global .texref tex;\n"
    ".func (.param .b32 r) twice(.param .b32 x) {\n"
    ".reg .b32 %x;\n"
    "ld.param.u32 %x, [x]; add.u32 %x, %x, %x; st.param.b32 [r], %x; ret; }\n"
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 sum) {\n"
    ".reg .b32 %r<32>; .reg .b64 %d<12>; .reg .f32 %f<4>; .reg .f64 %g<4>; .reg .pred %p<4>;\n"
    ".shared .align 4 .b8 s[384]; .shared .align 4 .b8 low[4]; .local .align 4 .b8 l[16];\n"
    "ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; ld.param.u64 %d2, [sum];\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 96, %r0;\n"
    "mul.wide.u32 %d3, %r2, 4; add.u64 %d4, %d0, %d3; ld.global.u32 %r3, [%d4];\n"
    /* the block backwards */
    "mov.u32 %r4, s; mad.lo.u32 %r5, %r0, 4, %r4; st.shared.u32 [%r5], %r3;\n"
    "setp.eq.u32 %p2, %r0, 0; mov.u32 %r22, 0; @%p2 st.shared.u32 [low], %r22;\n"
    "bar.sync 0; sub.u32 %r6, 95, %r0; mad.lo.u32 %r5, %r6, 4, %r4; ld.shared.u32 %r7, [%r5];\n"
    /* the sum of the block's low bytes */
    "and.b32 %r12, %r3, 255; atom.shared.add.u32 %r22, [low], %r12;\n"
    "mad.lo.u32 %r8, %r3, 3, %r7; and.b32 %r9, %r0, 3; setp.ge.u32 %p0, %r9, 2;\n"
    "@%p0 bra big; xor.b32 %r8, %r8, 85; bra met; big: add.u32 %r8, %r8, 7; met:\n"
    "st.local.u32 [l+4], %r8; add.u32 %r10, %r9, 1; div.u32 %r8, %r8, %r10;\n"
    "mul.wide.u32 %d5, %r9, 4; mov.u64 %d6, odd; add.u64 %d6, %d6, %d5;\n"
    "ld.const.u32 %r11, [%d6];\n"
    /* x * x + x of the low byte */
    "cvt.rn.f32.u32 %f0, %r12; mul.f32 %f0, %f0, %f0; sqrt.rn.f32 %f1, %f0;\n"
    "cvt.rzi.u32.f32 %r13, %f1; cvt.rn.f64.u32 %g0, %r13; fma.rn.f64 %g1, %g0, %g0, %g0;\n"
    "cvt.rzi.u32.f64 %r14, %g1;\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r14; call (b), twice, (a);\n"
    "ld.param.b32 %r15, [b]; }\n"
    "ld.local.u32 %r16, [l+4]; mad.lo.u32 %r16, %r8, 3, %r16;\n"
    "add.u32 %r16, %r16, %r11; add.u32 %r16, %r16, %r15;\n"
    /* scattered words, and lanes that leave the loop one after the other */
    "mov.u32 %r18, 0; loop: add.u32 %r18, %r18, 1; mad.lo.u32 %r16, %r16, 5, %r18;\n"
    "shr.u32 %r19, %r16, 3; and.b32 %r19, %r19, 63;\n"
    "mul.wide.u32 %d7, %r19, 4; add.u64 %d7, %d0, %d7; ld.global.u32 %r20, [%d7];\n"
    "add.u32 %r16, %r16, %r20; setp.le.u32 %p1, %r18, %r9; @%p1 bra loop;\n"
    /* the neighbour's, and how many of the warp are odd */
    "shfl.bfly.b32 %r21, %r16, 1, 31; add.u32 %r21, %r21, %r16;\n"
    "and.b32 %r23, %r16, 1; setp.ne.u32 %p3, %r23, 0; vote.ballot.b32 %r24, %p3;\n"
    "popc.b32 %r24, %r24; add.u32 %r21, %r21, %r24;\n"
    "tex.1d.v4.u32.s32 {%r25, %r26, %r27, %r28}, [tex, {%r12}]; add.u32 %r21, %r21, %r25;\n"
    "bar.sync 0; ld.shared.u32 %r22, [low]; add.u32 %r21, %r21, %r22;\n"
    "add.u64 %d4, %d1, %d3; st.global.u32 [%d4], %r21; membar.gl;\n"
    "ld.volatile.global.u32 %r17, [%d4]; red.global.add.u32 [%d2], %r17;\n"
    "atom.global.max.u32 %r19, [%d2+4], %r2; red.global.add.u32 [%d2+8], 1; ret; }\n";

u32 kernel_input(u32 i)
{
    return i * 2654435761u >> 7;
}

/* What a thread knows by itself. */
static u32 alone(u32 i)
{
    static const u32 odd[4] = {1, 3, 5, 7};
    u32 t = i % KERNEL_BLOCK, x = kernel_input(i), low = x & 255, k = t & 3;
    u32 z = 3 * x + kernel_input(i - t + KERNEL_BLOCK - 1 - t);

    z = k >= 2 ? z + 7 : z ^ 85;
    z = z / (k + 1) * 3 + z + odd[k] + 2 * (low * low + low);
    for (u32 n = 1; n <= k + 1; n++) {
        z = 5 * z + n;
        z += kernel_input(z >> 3 & 63);
    }
    return z;
}

static u32 odd_in_warp(u32 i)
{
    u32 n = 0;

    for (u32 k = i & ~31u; k <= (i | 31); k++)
        n += alone(k) & 1;
    return n;
}

static u32 low_in_block(u32 i)
{
    u32 first = i - i % KERNEL_BLOCK, sum = 0;

    for (u32 k = first; k < first + KERNEL_BLOCK; k++)
        sum += kernel_input(k) & 255;
    return sum;
}

void kernel_expect(u32 out[KERNEL_MOST])
{
    for (u32 i = 0; i < KERNEL_MOST; i++)
        out[i] = alone(i) + alone(i ^ 1) + odd_in_warp(i) + kernel_input(kernel_input(i) & 255) +
                 low_in_block(i);
}
