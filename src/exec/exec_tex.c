/*
 * exec_tex.c -- texture fetches: coordinates to texels, filtering, formats; addresses of surfaces
 *
 * Textures are bound to pitch-linear memory (one row after the other).  Point and
 * linear filtering follow the formulas of the CUDA programming guide; linear weights
 * have 8 fraction bits as there, those between mipmap levels too.  Missing channels read as 0, a
 * missing fourth as 1.
 */
#include <math.h>
#include <string.h>

#include "exec/exec.h"
#include "isa/fp.h"
#include "exec/lane_ops.h"

enum { DIMS = 3 };

/* An index beyond the edge: clamped, wrapped or mirrored; -1 for the border's zeros. */
static s64 wrap_index(s64 i, u32 n, u32 mode)
{
    s64 size = n ? n : 1;

    switch (mode) {
    case WRAP_REPEAT:
        i %= size;
        return i < 0 ? i + size : i;
    case WRAP_MIRROR:
        i %= 2 * size;
        i = i < 0 ? i + 2 * size : i;
        return i < size ? i : 2 * size - 1 - i;
    case WRAP_BORDER:
        return i < 0 || i >= size ? -1 : i;
    default:
        return i < 0 ? 0 : i >= size ? size - 1 : i;
    }
}

static s64 floor_to_int(f64 v)
{
    if (!(v > -4e18 && v < 4e18))
        return 0;
    s64 i = (s64)v;

    return (f64)i > v ? i - 1 : i;
}

/* Of the sRGB standard, IEC 61966-2-1. */
static f64 srgb_to_linear(f64 v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* One channel of one texel as raw bits of the result type (float: to_float normalises). */
static u32 channel(const struct texture *t, const u8 *p, u32 c)
{
    u32 bytes = t->bits / 8, raw = 0;

    if (c >= t->channels)
        return c == 3 && (t->is_float || t->to_float) ? FP32_ONE : c == 3 ? 1 : 0;
    memcpy(&raw, p + c * bytes, bytes);
    if (t->is_float || t->bits == 32)
        return raw;
    if (t->is_signed)
        raw = (u32)((s32)(raw << (32 - t->bits)) >> (32 - t->bits));
    if (!t->to_float)
        return raw;
    f64 max = t->is_signed ? (f64)((1u << (t->bits - 1)) - 1) : (f64)((1u << t->bits) - 1);
    f64 v = (t->is_signed ? (f64)(s32)raw : (f64)raw) / max;

    if (t->srgb && c < 3)
        v = srgb_to_linear(v);
    return bits32((f32)(v < -1 ? -1 : v));
}

struct fetcher {
    struct exec *x;
    const struct texture *t;
    const struct span *span; /* that its first texel is in */
    u64 addr;                /* of the level in use, as are pitch, size and scale */
    u32 pitch, size[DIMS];
    const u32 *row[DIMS]; /* coordinates of all lanes, x y z; NULL where there is none */
    const u32 *lod;       /* levels of detail of all lanes, or NULL */
    f64 scale[DIMS];      /* from normalized coordinates to texels */
    bool is_float[DIMS];  /* of a coordinate */
    bool wanted[4];       /* channels */
    u32 dims;             /* without layers */
    u8 wrap[DIMS];
    bool linear, cube;
    u32 pc, lane;
    bool touched; /* a texel of this lane: its address is what the cache will see */
};

/* Layers are as many on every level. */
static void use_level(struct fetcher *f, u32 level)
{
    const struct texture *t = f->t;
    const u32 size[DIMS] = {t->width, t->height, t->depth};

    f->addr = t->n_level ? t->level[level].addr : t->addr;
    f->pitch = t->n_level ? t->level[level].pitch : t->pitch;
    for (u32 d = 0; d < DIMS; d++) {
        f->size[d] = d < f->dims && size[d] >> level ? size[d] >> level
                     : d < f->dims && size[d]        ? 1
                                                     : size[d];
        f->scale[d] = t->normalized || f->cube ? f->size[d] : 1;
    }
}

/* A texture whose memory is not there, or not all of it. */
static RARE const u8 *texel_astray(struct fetcher *f, u64 addr, u32 size)
{
    struct exec *x = f->x;
    u64 first = x->addr[f->lane];

    x->fault_space = SP_GLOBAL, x->fault_write = false;
    x->addr[f->lane] = addr;
    bool passes = exec_stray(x, f->pc, f->lane, size);

    x->addr[f->lane] = first;
    return passes ? x->stray_data[f->lane] : NULL;
}

/* Where the texel at these indices is; NULL raises a fault. */
static const u8 *texel_memory(struct fetcher *f, const s64 i[DIMS], u32 size)
{
    u64 addr = f->addr + ((u64)i[2] * (f->size[1] ? f->size[1] : 1) + (u64)i[1]) * f->pitch +
               (u64)i[0] * size;
    const struct span *s = f->span;

    if (!f->touched)
        f->x->addr[f->lane] = addr;
    f->touched = true;
    if (s && addr - s->lo < s->size && s->size - (addr - s->lo) >= size)
        return s->host + (addr - s->lo);
    s = vmem_find(f->x->mem, addr);
    if (s && s->size - (addr - s->lo) >= size)
        return s->host + (addr - s->lo);
    return texel_astray(f, addr, size);
}

static void border(const struct texture *t, u32 out[4])
{
    for (u32 c = 0; c < 4; c++)
        out[c] = t->is_float || t->to_float ? bits32(t->border[c])
                                            : (u32)floor_to_int((f64)t->border[c]);
}

/* The texel at whole coordinates; false raises a fault. */
static bool texel(struct fetcher *f, const s64 at[DIMS], u32 out[4])
{
    const struct texture *t = f->t;
    u32 size = t->channels * t->bits / 8;
    s64 i[DIMS];

    for (u32 d = 0; d < DIMS; d++) {
        i[d] = (u64)at[d] < f->size[d] ? at[d] : wrap_index(at[d], f->size[d], f->wrap[d]);
        if (i[d] < 0) {
            border(t, out);
            return true;
        }
    }
    const u8 *p = texel_memory(f, i, size);

    for (u32 c = 0; p && c < 4; c++)
        if (f->wanted[c])
            out[c] = channel(t, p, c);
    return p;
}

/* A coordinate of the lane, in texels. */
static f64 position(const struct fetcher *f, u32 d)
{
    u32 raw = f->row[d] ? f->row[d][f->lane] : 0;

    return f->is_float[d] ? (f64)flt32(raw) * f->scale[d] : (f64)(s32)raw;
}

static s64 whole_position(const struct fetcher *f, u32 d)
{
    if (f->row[d] && !f->is_float[d])
        return (s32)f->row[d][f->lane];
    return f->row[d] ? floor_to_int(position(f, d)) : 0;
}

static bool filter_point(struct fetcher *f, u32 out[4])
{
    s64 at[DIMS];

    for (u32 d = 0; d < DIMS; d++)
        at[d] = whole_position(f, d);
    return texel(f, at, out);
}

/* The lowest of the texels around the position, and how near the next ones are. */
static void corner_of(const struct fetcher *f, s64 base[DIMS], f64 weight[DIMS])
{
    for (u32 d = f->dims; d < DIMS; d++) /* the layer of an array is not filtered */
        base[d] = whole_position(f, d);
    for (u32 d = 0; d < f->dims; d++) {
        f64 pos = position(f, d) - 0.5;

        base[d] = floor_to_int(pos);
        weight[d] = (f64)floor_to_int((pos - (f64)base[d]) * 256) / 256;
    }
}

static bool filter_linear(struct fetcher *f, u32 out[4])
{
    s64 base[DIMS] = {0}, at[DIMS];
    f64 weight[DIMS] = {0}, sum[4] = {0};
    u32 one[4] = {0};

    corner_of(f, base, weight);
    for (u32 corner = 0; corner < 1u << f->dims; corner++) {
        f64 w = 1;

        for (u32 d = 0; d < DIMS; d++) {
            u32 up = corner >> d & 1;

            at[d] = base[d] + up;
            w *= d >= f->dims ? 1 : up ? weight[d] : 1 - weight[d];
        }
        if (!texel(f, at, one))
            return false;
        for (u32 c = 0; c < 4; c++)
            sum[c] += w * flt32(one[c]);
    }
    for (u32 c = 0; c < 4; c++)
        out[c] = bits32((f32)sum[c]);
    return true;
}

static bool filter(struct fetcher *f, u32 out[4])
{
    return f->linear ? filter_linear(f, out) : filter_point(f, out);
}

/* One channel of the four texels around the position, against the clock from the one above it. */
static bool gather_texels(struct fetcher *f, u32 c, u32 out[4])
{
    static const u8 right[4] = {0, 1, 1, 0}, down[4] = {1, 1, 0, 0};
    s64 base[DIMS] = {0};
    f64 weight[DIMS];
    u32 one[4];

    corner_of(f, base, weight);
    for (u32 k = 0; k < 4; k++) {
        const s64 at[DIMS] = {base[0] + right[k], base[1] + down[k], base[2]};

        if (!texel(f, at, one))
            return false;
        out[k] = one[c];
    }
    return true;
}

/* ---- levels of detail */

static f64 mip_level(const struct fetcher *f)
{
    const struct texture *t = f->t;
    f64 lod = (f->lod ? (f64)flt32(f->lod[f->lane]) : 0) + (f64)t->lod_bias, last = t->n_level - 1;

    lod = lod > (f64)t->lod_max ? (f64)t->lod_max : lod;
    lod = lod > (f64)t->lod_min ? lod : (f64)t->lod_min; /* a NaN too */
    return lod > last ? last : lod > 0 ? lod : 0;
}

/* The nearest level, or something between two. */
static bool filter_levels(struct fetcher *f, u32 out[4])
{
    const struct texture *t = f->t;
    f64 lod = mip_level(f);
    bool blend = t->level_linear && (t->is_float || t->to_float);
    u32 level = (u32)(blend ? lod : lod + 0.5), other[4] = {0};
    f64 weight = blend ? (f64)floor_to_int((lod - level) * 256) / 256 : 0;

    use_level(f, level);
    if (!filter(f, out) || weight == 0)
        return weight == 0 && !f->x->fault;
    use_level(f, level + 1);
    if (!filter(f, other))
        return false;
    for (u32 c = 0; c < 4; c++)
        out[c] = bits32((f32)((1 - weight) * flt32(out[c]) + weight * flt32(other[c])));
    return true;
}

/* What all lanes share.  Array layers come first among the operands and are the last dimension. */
static struct fetcher fetcher(struct exec *x, const struct inst *in, const struct texture *t)
{
    struct fetcher f = {.x = x,
                        .t = t,
                        .span = vmem_find(x->mem, t->addr),
                        .dims = in->mod & MOD_TEX_DIMS,
                        .cube = in->mod & MOD_TEX_CUBE,
                        .pc = (u32)(in - x->code)};
    u32 array = in->mod & MOD_TEX_ARRAY ? 1 : 0;

    for (u32 k = 0; k < f.dims + array; k++) {
        u32 d = array ? k == 0 ? f.dims : k - 1 : k;

        f.row[d] = exec_row(x, in->src[k]);
        f.is_float[d] = in->mod & MOD_TEX_FLOAT && !(array && k == 0);
    }
    f.linear = t->linear && in->mod & MOD_TEX_FLOAT && (t->is_float || t->to_float);
    f.lod = in->mod & MOD_TEX_LEVEL ? exec_row(x, x->func->list[in->list + 4]) : NULL;
    for (u32 d = 0; d < DIMS; d++) /* layers, and faces at their edges, are clamped */
        f.wrap[d] = d >= f.dims || f.cube ? WRAP_CLAMP : t->wrap[d];
    for (u32 c = 0; c < 4; c++)
        f.wanted[c] = in->mod & MOD_TEX_GATHER || x->func->list[in->list + c] != OPND_NONE;
    use_level(&f, 0);
    return f;
}

/* Of lanes that fetch from one texture; false raises a fault. */
static bool fetch_lanes(struct exec *x, const struct inst *in, const struct texture *t, u32 mask,
                        u32 out[LANES][4])
{
    struct fetcher f = fetcher(x, in, t);
    bool ok = true;

    for (u32 m = mask; m && ok; m &= m - 1) {
        f.lane = (u32)__builtin_ctz(m);
        u32 *to = out[f.lane];

        f.touched = false;
        x->addr[f.lane] = t->addr; /* unless it is in the border all around */
        ok = in->mod & MOD_TEX_GATHER ? gather_texels(&f, in->mod >> MOD_TEX_CHANNEL & 3, to)
             : t->n_level             ? filter_levels(&f, to)
                                      : filter(&f, to);
    }
    return ok;
}

/* The handle of a lane: of the texture with number imm, or in register o. */
static u64 handle_of(const struct exec *x, const struct inst *in, u32 o, u32 lane)
{
    u64 h;

    if (o == OPND_NONE)
        return HANDLE_REF + (u64)in->imm;
    memcpy(&h, (const u64 *)exec_row(x, o) + lane, sizeof h);
    return h;
}

/*
 * What the first of these lanes names, and those of them that name the same; NULL raises a fault.
 */
static const struct texture *texture_of_lanes(struct exec *x, const struct inst *in, u32 o,
                                              u32 *lanes)
{
    u32 first = (u32)__builtin_ctz(*lanes), same = 0;
    u64 handle = handle_of(x, in, o, first);
    const struct texture *t = texture_find(x->texture, handle);

    for (u32 m = *lanes; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);

        same |= (u32)(handle_of(x, in, o, i) == handle) << i;
    }
    *lanes = same;
    if (!t)
        exec_raise(x, FAULT_TEXTURE, first, handle, 0);
    return t;
}

void exec_tex(struct exec *x, const struct inst *in, u32 mask)
{
    u32 out[LANES][4];

    for (u32 left = mask, lanes; left; left &= ~lanes) {
        const struct texture *t = texture_of_lanes(x, in, in->src[3], (lanes = left, &lanes));

        if (!t || !fetch_lanes(x, in, t, lanes, out))
            return;
    }
    for (u32 c = 0; c < 4; c++) {
        u16 o = x->func->list[in->list + c];
        u32 *row = (u32 *)(x->row[0] + (size_t)o * ROW_BYTES);

        for (u32 i = 0; i < LANES && o != OPND_NONE; i++)
            if (mask >> i & 1)
                row[i] = out[i][c];
    }
}

/* ---- surfaces: x counts bytes, other coordinates rows; see suaddr in op.def */

/* Is the access within the surface?  SU_CLAMP moves it there. */
static bool su_inside(const struct texture *t, u32 mod, s64 at[DIMS])
{
    s64 bytes = 1ll << (mod >> MOD_SU_LOG2 & 7), width = (s64)t->width * t->channels * t->bits / 8,
        limit[DIMS] = {width - bytes, t->height ? t->height - 1ll : 0,
                       t->depth ? t->depth - 1ll : 0};
    bool clamp = (mod >> MOD_SU_EDGE & 3) == SU_CLAMP && limit[0] >= 0;

    for (u32 d = 0; d < DIMS; d++) {
        if (at[d] >= 0 && at[d] <= limit[d])
            continue;
        if (!clamp)
            return false;
        at[d] = at[d] < 0 ? 0 : limit[d];
    }
    return true;
}

/* Layers come first among the operands and are the last dimension. */
static void su_position(const struct exec *x, const struct inst *in, u32 lane, s64 at[DIMS])
{
    u32 dims = in->mod & MOD_SU_DIMS, array = in->mod & MOD_SU_ARRAY ? 1 : 0;

    memset(at, 0, DIMS * sizeof at[0]);
    for (u32 k = 0; k < dims + array; k++) {
        u32 o = in->src[k], d = array ? k == 0 ? dims : k - 1 : k;

        at[d] = (s32)((const u32 *)exec_row(x, o))[lane];
    }
}

void exec_suaddr(struct exec *x, const struct inst *in, u32 mask)
{
    u64 *dst = (u64 *)(x->row[0] + (size_t)in->dst * ROW_BYTES), addr[LANES];
    u32 inside = 0, lanes;

    for (u32 left = mask; left; left &= ~lanes) {
        const struct texture *t = texture_of_lanes(x, in, in->src[3], (lanes = left, &lanes));

        for (u32 m = t ? lanes : 0; m; m &= m - 1) {
            u32 i = (u32)__builtin_ctz(m);
            s64 at[DIMS];

            su_position(x, in, i, at);
            bool ok = su_inside(t, in->mod, at);

            addr[i] = t->addr + ((u64)at[2] * (t->height ? t->height : 1) + (u64)at[1]) * t->pitch +
                      (u64)at[0];
            inside |= (u32)ok << i;
            if (!ok && (in->mod >> MOD_SU_EDGE & 3) != SU_ZERO)
                exec_raise(x, FAULT_SURFACE, i, (u64)at[0], (u32)at[1]);
        }
        if (x->fault)
            return;
    }
    for (u32 i = 0; i < LANES; i++)
        if (mask >> i & 1)
            dst[i] = addr[i];
    if (in->pdst != PRED_NONE)
        x->pred[in->pdst] = (x->pred[in->pdst] & ~mask) | (inside & mask);
}

/* A reference that is not bound has the size 0. */
static const struct texture *asked(struct exec *x, const struct inst *in, u32 *lanes)
{
    u64 ref = handle_of(x, in, in->src[0], (u32)__builtin_ctz(*lanes)) - HANDLE_REF;

    return ref < x->texture->n_ref && in->src[0] == OPND_NONE
               ? &x->texture->ref[ref]
               : texture_of_lanes(x, in, in->src[0], lanes);
}

static u32 answer_query(const struct texture *t, u32 what)
{
    switch (what) {
    case TXQ_WIDTH:
        return t->width;
    case TXQ_HEIGHT:
        return t->height;
    case TXQ_DEPTH:
        return t->depth;
    case TXQ_LAYERS:
        return t->depth ? t->depth : t->height;
    default:
        return t->normalized;
    }
}

void exec_txq(struct exec *x, const struct inst *in, u32 mask)
{
    u32 v[LANES] = {0};

    for (u32 left = mask, lanes; left; left &= ~lanes) {
        const struct texture *t = asked(x, in, (lanes = left, &lanes));

        if (!t)
            return;
        for (u32 i = 0; i < LANES; i++)
            v[i] = lanes >> i & 1 ? answer_query(t, in->mod) : v[i];
    }
    u32 *dst = (u32 *)(x->row[0] + (size_t)in->dst * ROW_BYTES);

    for (u32 i = 0; i < LANES && in->dst != OPND_NONE; i++)
        if (mask >> i & 1)
            dst[i] = v[i];
}
