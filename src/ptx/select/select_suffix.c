/* select_suffix.c -- the words after the dots of an instruction */
#include "ptx/select/select_int.h"

#include <string.h>

struct suffix_word {
    const char *text;
    u32 kind; /* one S_* */
    u8 value;
};

/* .lo and .hi are here as parts of a product; comparisons look in cmps first. */
static const struct suffix_word words[] = {
    {"rn", S_RND, 0},
    {"rz", S_RND, 1},
    {"rm", S_RND, 2},
    {"rp", S_RND, 3},
    {"rni", S_RNDI, 0},
    {"rzi", S_RNDI, 1},
    {"rmi", S_RNDI, 2},
    {"rpi", S_RNDI, 3},
    {"ftz", S_FTZ, 0},
    {"sat", S_SAT, 0},
    {"approx", S_APPROX, 0},
    {"full", S_APPROX, 1},
    {"lo", S_PART, PART_LO},
    {"hi", S_PART, PART_HI},
    {"wide", S_PART, PART_WIDE},
    {"cc", S_CC, 0},
    {"and", S_BOOL, 1},
    {"or", S_BOOL, 2},
    {"xor", S_BOOL, 3},
    {"popc", S_BOOL, 4},
    {"global", S_SPACE, PS_GLOBAL},
    {"shared", S_SPACE, PS_SHARED},
    {"shared::cta", S_SPACE, PS_SHARED},
    {"local", S_SPACE, PS_LOCAL},
    {"const", S_SPACE, PS_CONST},
    {"param", S_SPACE, PS_PARAM},
    {"param::entry", S_SPACE, PS_PARAM},
    {"param::func", S_SPACE, PS_PARAM},
    {"v2", S_VEC, 2},
    {"v4", S_VEC, 4},
    {"v8", S_VEC, 8},
    {"volatile", S_SEM, 1},
    {"relaxed", S_SEM, 1},
    {"acquire", S_SEM, 1},
    {"release", S_SEM, 1},
    {"acq_rel", S_SEM, 1},
    {"sc", S_SEM, 1},
    {"mmio", S_SEM, 1},
    {"weak", S_SEM, 0},
    {"cta", S_SCOPE, 0},
    {"gl", S_SCOPE, 1},
    {"gpu", S_SCOPE, 1},
    {"sys", S_SCOPE, 2},
    {"ca", S_CACHE, CACHE_CA},
    {"cg", S_CACHE, CACHE_CG},
    {"cs", S_CACHE, CACHE_CS},
    {"lu", S_CACHE, CACHE_LU},
    {"cv", S_CACHE, CACHE_CV},
    {"nc", S_CACHE, CACHE_NC},
    {"wb", S_CACHE, CACHE_ANY},
    {"wt", S_CACHE, CACHE_WT},
    {"uni", S_UNI, 0},
    {"to", S_TO, 0},
    {"sync", S_SYNC, SYNC_SYNC},
    {"aligned", S_SYNC, SYNC_ALIGNED},
    {"arrive", S_SYNC, SYNC_ARRIVE},
    {"red", S_SYNC, SYNC_RED},
    {"warp", S_SYNC, SYNC_WARP},
    {"1d", S_GEOM, 1},
    {"2d", S_GEOM, 2},
    {"3d", S_GEOM, 3},
    {"a1d", S_GEOM, 1 | 4},
    {"a2d", S_GEOM, 2 | 4},
    {"cube", S_GEOM, 3 | 8},
    {"acube", S_GEOM, 3 | 4 | 8},
    {"add", S_ATOM, ATOM_ADD},
    {"min", S_ATOM, ATOM_MIN},
    {"max", S_ATOM, ATOM_MAX},
    {"inc", S_ATOM, ATOM_INC},
    {"dec", S_ATOM, ATOM_DEC},
    {"exch", S_ATOM, ATOM_EXCH},
    {"cas", S_ATOM, ATOM_CAS},
    {"NaN", S_NAN, 0},
    {"xorsign", S_XORSIGN, 1},
    {"abs", S_XORSIGN, 2},
    {"relu", S_RELU, 0},
    {"satfinite", S_SATFINITE, 0},
    {"rna", S_RNA, 0},
    {"noftz", S_NOFTZ, 0},
    {"L1", S_LEVEL, 0},
    {"L2", S_LEVEL, 0},
    {"trap", S_EDGE, SU_TRAP},
    {"clamp", S_EDGE, SU_CLAMP},
    {"zero", S_EDGE, SU_ZERO},
    {"b", S_BYTES, 0},
    {"p", S_BYTES, 1},
};

static const struct suffix_word cmps[] = {
    {"eq", S_CMP, CMP_EQ},   {"ne", S_CMP, CMP_NE},   {"lt", S_CMP, CMP_LT},
    {"le", S_CMP, CMP_LE},   {"gt", S_CMP, CMP_GT},   {"ge", S_CMP, CMP_GE},
    {"equ", S_CMP, CMP_EQU}, {"neu", S_CMP, CMP_NEU}, {"ltu", S_CMP, CMP_LTU},
    {"leu", S_CMP, CMP_LEU}, {"gtu", S_CMP, CMP_GTU}, {"geu", S_CMP, CMP_GEU},
    {"num", S_CMP, CMP_NUM}, {"nan", S_CMP, CMP_NAN}, {"lo", S_CMP, CMP_LO},
    {"ls", S_CMP, CMP_LS},   {"hi", S_CMP, CMP_HI},   {"hs", S_CMP, CMP_HS},
};

static const char *const special[] = {
    /* S_WORD: each means something to one instruction */
    "up",
    "down",
    "bfly",
    "idx",
    "all",
    "any",
    "uni",
    "ballot",
    "pred",
    "shiftamt",
    "finite",
    "infinite",
    "number",
    "notanumber",
    "normal",
    "subnormal",
    "f4e",
    "b4e",
    "rc8",
    "ecl",
    "ecr",
    "rc16",
    "width",
    "height",
    "depth",
    "array_size",
    "channel_data_type",
    "channel_order",
    "normalized_coords",
    "l",
    "r",
    "g",
    "a",
    "level",
    "base",
    "clamp",
    "wrap",
    "po",
    "shr7",
    "shr15",
    "fractional",
    "range",
    "cvt",
    "tf32",
    "e4m3x2",
    "e5m2x2",
    "pack",
    "u4",
    "s4",
    "u2",
    "s2",
};

static const struct suffix_word *find_word(const struct suffix_word *w, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(w[i].text, text))
            return &w[i];
    return NULL;
}

static bool is_special(const char *text)
{
    for (size_t i = 0; i < LEN(special); i++)
        if (!strcmp(special[i], text))
            return true;
    return false;
}

static void take_suffix(struct suffixes *x, const struct suffix_word *w)
{
    switch (w->kind) {
    case S_RND:
        x->rnd = w->value;
        break;
    case S_RNDI:
        x->rndi = w->value;
        break;
    case S_APPROX:
        x->full = w->value;
        break;
    case S_PART:
        x->part = w->value;
        break;
    case S_CMP:
        x->cmp = w->value;
        break;
    case S_BOOL:
        x->bool_op = w->value;
        break;
    case S_SPACE:
        x->space = w->value;
        break;
    case S_VEC:
        x->vec = w->value;
        break;
    case S_SEM:
        x->is_volatile |= w->value;
        break;
    case S_CACHE:
        x->cache = w->value;
        break;
    case S_SYNC:
        x->sync |= w->value;
        break;
    case S_GEOM:
        x->geom = w->value & 3, x->array = w->value >> 2 & 1, x->cube = w->value >> 3 & 1;
        break;
    case S_EDGE:
        x->edge = w->value;
        break;
    case S_BYTES:
        x->formatted = w->value;
        break;
    case S_ATOM:
        x->atom = w->value;
        break;
    case S_XORSIGN:
        x->xorsign |= w->value;
        break;
    default:
        break;
    }
    x->have |= w->kind;
}

/* What this instruction may have, for "did you mean". */
static u32 candidates(u32 allow, const char **out)
{
    u32 n = 0;

    for (size_t i = 0; i < LEN(words); i++)
        if (words[i].kind & allow)
            out[n++] = words[i].text;
    for (size_t i = 0; i < LEN(cmps) && allow & S_CMP; i++)
        out[n++] = cmps[i].text;
    for (size_t i = 0; i < LEN(special) && allow & S_WORD; i++)
        out[n++] = special[i];
    for (u32 t = PT_NONE + 1; t <= PT_F64; t++)
        out[n++] = ptx_type_name((enum ptx_type)t);
    return n;
}

static bool unknown_suffix(struct sel *s, u32 i, u32 allow, bool known)
{
    const char *names[LEN(words) + LEN(cmps) + LEN(special) + N_PT], *text = s->in->suf[i];
    struct err_hint h = {""};

    if (known)
        return sel_fail(s, s->in->suf_col[i], "%s does not take '.%s'", s->in->name, text);
    if (!strchr(text, ':'))
        err_hint(&h, text, names, candidates(allow, names), "; did you mean '.", "'?");
    return sel_fail(s, s->in->suf_col[i], "%s: '.%s' is not supported%s", s->in->name, text,
                    h.text);
}

/* Kinds that may stand more than once: .relaxed.gpu, .sync.aligned, .cg.L2::128B, .xorsign.abs */
enum { S_REPEATS = S_SYNC | S_LEVEL | S_SEM | S_SCOPE | S_XORSIGN };

static bool select_suffix(struct sel *s, u32 i, u32 allow)
{
    const char *text = s->in->suf[i];
    struct suffixes *x = &s->s;
    enum ptx_type t = ptx_type_find(text);
    const struct suffix_word *w = allow & S_CMP ? find_word(cmps, LEN(cmps), text) : NULL;

    if (t != PT_NONE && !(t == PT_PRED && allow & S_WORD)) {
        if (x->n_type == LEN(x->type))
            return sel_fail(s, s->in->suf_col[i], "%s: one type too many, '.%s'", s->in->name,
                            text);
        x->type[x->n_type++] = t;
        return true;
    }
    if (allow & S_WORD && is_special(text)) {
        if (strcmp(text, "pred"))
            x->word = x->word ? x->word : text;
        x->have |= S_WORD;
        return true;
    }
    if (!w)
        w = find_word(words, LEN(words), text);
    if (!w && (!strncmp(text, "L1::", 4) || !strncmp(text, "L2::", 4)) && allow & S_LEVEL)
        return true;
    if (!w || !(w->kind & allow))
        return unknown_suffix(s, i, allow, w != NULL);
    if (x->have & w->kind & ~(u32)S_REPEATS)
        return sel_fail(s, s->in->suf_col[i], "%s: '.%s' is one too many of its kind", s->in->name,
                        text);
    take_suffix(x, w);
    return true;
}

static bool has_wide_type(struct sel *s)
{
    for (u32 i = 0; i < s->in->n_suf; i++)
        if (ptx_type_find(s->in->suf[i]) == PT_B128)
            return sel_fail(s, s->in->suf_col[i], "%s: type '.%s' is not supported", s->in->name,
                            s->in->suf[i]),
                   true;
    return false;
}

/* A type of 16 bits for an instruction that has none: nothing behind this asks again. */
static bool half_type_ok(struct sel *s, u32 allow)
{
    for (u32 i = 0; i < s->s.n_type; i++)
        if (ptx_type_is_half(s->s.type[i]) && !(allow & S_HALF))
            return sel_fail(s, s->in->col, "%s: type '.%s' is not supported", s->in->name,
                            ptx_type_name(s->s.type[i]));
    return true;
}

bool sel_suffixes(struct sel *s, u32 allow, u32 min_types, u32 max_types)
{
    memset(&s->s, 0, sizeof s->s);
    s->s.vec = 1;
    if (allow & S_OWN)
        return true;
    if (has_wide_type(s))
        return false;
    for (u32 i = 0; i < s->in->n_suf; i++)
        if (!select_suffix(s, i, allow))
            return false;
    if (s->s.n_type < min_types && min_types == 1)
        return sel_fail(s, s->in->col, "%s needs a type, as in %s.u32", s->in->name, s->in->name);
    if (s->s.n_type < min_types)
        return sel_fail(s, s->in->col, "%s needs %u types, as in %s.u32.s32", s->in->name,
                        min_types, s->in->name);
    if (s->s.n_type > max_types)
        return sel_fail(s, s->in->col, "%s takes %u type%s, not %u", s->in->name, max_types,
                        max_types == 1 ? "" : "s", s->s.n_type);
    return half_type_ok(s, allow);
}
