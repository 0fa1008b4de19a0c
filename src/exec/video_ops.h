/*
 * video_ops.h -- the video instructions, one lane at a time; part of lane_ops.h.
 *
 * What PTX writes in suffixes and selectors is in `how` (enum video_how, isa/inst.h).  The steps
 * are those of the PTX ISA, "Video Instructions": parts of the operands are extended to more than
 * 32 bits, computed with, clamped to the size and sign of the destination if .sat, and then joined
 * with c: by a second operation, or into a part of it.
 */
#ifndef EXEC_VIDEO_OPS_H
#define EXEC_VIDEO_OPS_H

static inline s64 clamp_s64(s64 v, s64 min, s64 max)
{
    return v < min ? min : v > max ? max : v;
}

/* The low `bits` bits of v as a number. */
static inline s64 low_number(u64 v, u32 bits, bool is_signed)
{
    u64 low = v & low_bits(bits), sign = 1ull << (bits - 1);

    return (s64)(is_signed ? (low ^ sign) - sign : low);
}

static inline u32 part_bits(u32 sel)
{
    return sel == 0 ? 32 : sel < VID_H0 ? 8 : 16;
}

static inline u32 part_at(u32 sel)
{
    return sel == 0 ? 0 : sel < VID_H0 ? 8 * (sel - VID_B0) : 16 * (sel - VID_H0);
}

static inline s64 video_part(u32 v, u32 sel, bool is_signed)
{
    return low_number(v >> part_at(sel), part_bits(sel), is_signed);
}

/* .sat: to the range of so many bits. */
static inline s64 video_clamp(s64 v, u32 bits, bool is_signed)
{
    s64 max = (s64)low_bits(bits - is_signed);

    return clamp_s64(v, is_signed ? -max - 1 : 0, max);
}

static inline bool video_holds(u64 how, s64 a, s64 b)
{
    u32 order = a < b ? MOD_CMP_LESS : a > b ? MOD_CMP_GREATER : MOD_CMP_EQUAL;

    return how >> VID_CMP & order;
}

/*
 * A count is at most 32 with .clamp, so 63 bits hold what a shift to the left gives, but for 32 bits without
 * a sign by 32: 2^62 saturates as that does, and its low half is 0 as well.
 */
static inline s64 video_shift(u64 how, s64 a, s64 count, bool left)
{
    u32 n = how & VID_WRAP ? (u32)count & 31 : (u32)clamp_s64(count, 0, 32);
    bool too_much = n == 32 && a >> 31 > 0;

    return !left ? a >> n : too_much ? 1ll << 62 : (s64)((u64)a << n);
}

/* What each instruction computes of two numbers; those of 2 and 4 parts have it in common. */
static inline s64 video_compute(u32 op, u64 how, s64 a, s64 b)
{
    switch (op) {
    case OP_vadd:
    case OP_vadd2:
    case OP_vadd4:
        return a + b;
    case OP_vsub:
    case OP_vsub2:
    case OP_vsub4:
        return a - b;
    case OP_vabsdiff:
    case OP_vabsdiff2:
    case OP_vabsdiff4:
        return a < b ? b - a : a - b;
    case OP_vmin:
    case OP_vmin2:
    case OP_vmin4:
        return a < b ? a : b;
    case OP_vmax:
    case OP_vmax2:
    case OP_vmax4:
        return a > b ? a : b;
    case OP_vavrg2:
    case OP_vavrg4:
        return (a + b + (a + b >= 0)) >> 1;
    case OP_vshl:
        return video_shift(how, a, b, true);
    case OP_vshr:
        return video_shift(how, a, b, false);
    default: /* vset */
        return video_holds(how, a, b);
    }
}

static inline u32 video_join(u64 how, s64 v, u32 c)
{
    u32 sel = how >> VID_D_SEL & 7, mask = (u32)(low_bits(part_bits(sel)) << part_at(sel));
    s64 with = low_number(c, 32, how & VID_D_SIGNED);

    switch (how >> VID_SECOND & 3) {
    case VID_ADD:
        return (u32)v + c;
    case VID_MIN:
        return (u32)(v < with ? v : with);
    case VID_MAX:
        return (u32)(v > with ? v : with);
    default:
        return ((u32)((u64)v << part_at(sel)) & mask) | (c & ~mask);
    }
}

static inline u32 video_scalar(u32 op, u64 how, u32 a, u32 b, u32 c)
{
    s64 x = video_part(a, how >> VID_A_SEL & 7, how & VID_A_SIGNED);
    s64 y = video_part(b, how >> VID_B_SEL & 7, how & VID_B_SIGNED);
    s64 v = video_compute(op, how, x, y);

    if (how & VID_SAT)
        v = video_clamp(v, part_bits(how >> VID_D_SEL & 7), how & VID_D_SIGNED);
    return video_join(how, v, c);
}

/* Signed if anything in it is; then c is. */
static inline u32 video_mad(u64 how, u32 a, u32 b, u32 c)
{
    bool is_signed = how & (VID_A_SIGNED | VID_B_SIGNED | VID_NEG_AB | VID_NEG_C);
    __int128 p = (__int128)video_part(a, how >> VID_A_SEL & 7, how & VID_A_SIGNED) *
                 video_part(b, how >> VID_B_SEL & 7, how & VID_B_SIGNED);
    __int128 third = low_number(c, 32, is_signed);
    __int128 v = (how & VID_NEG_AB ? -p : p) + (how & VID_NEG_C ? -third : third) +
                 (how & VID_PLUS_ONE ? 1 : 0);
    __int128 max = is_signed ? 0x7fffffff : 0xffffffffll, min = is_signed ? -max - 1 : 0;

    v >>= how & VID_SHR7 ? 7 : how & VID_SHR15 ? 15 : 0;
    if (how & VID_SAT)
        v = v < min ? min : v > max ? max : v;
    return (u32)v;
}

/* n parts of a word; what part of a or b each operand is, says a field of 3 bits. */
static inline u32 video_simd(u32 op, u64 how, u32 n, u32 a, u32 b, u32 c)
{
    u64 both = (u64)b << 32 | a;
    u32 bits = 32 / n, sum = c, merged = 0;

    for (u32 i = 0; i < n; i++) {
        u32 sa = (u32)(how >> (VID_A_PART + 3 * i)) & 7,
            sb = (u32)(how >> (VID_B_PART + 3 * i)) & 7;
        s64 x = low_number(both >> sa * bits, bits, how & VID_A_SIGNED);
        s64 y = low_number(both >> sb * bits, bits, how & VID_B_SIGNED);
        s64 v = video_compute(op, how, x, y);
        bool wanted = how >> (VID_MASK + i) & 1;
        u32 place = (u32)low_bits(bits) << i * bits;

        if (how & VID_SAT)
            v = video_clamp(v, bits, how & VID_D_SIGNED);
        sum += wanted ? (u32)v : 0;
        merged |= (wanted ? (u32)v << i * bits : c) & place;
    }
    return (how >> VID_SECOND & 3) == VID_ADD ? sum : merged;
}

static inline u32 video(u32 op, u64 how, u32 a, u32 b, u32 c)
{
    if (op == OP_vmad)
        return video_mad(how, a, b, c);
    if (op < OP_vadd2)
        return video_scalar(op, how, a, b, c);
    return video_simd(op, how, op < OP_vadd4 ? 2 : 4, a, b, c);
}

#endif
