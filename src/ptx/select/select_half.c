/* select_half.c -- .f16, .bf16 and pairs of them: opcode by name and type */
#include "ptx/select/select_int.h"

#include <string.h>

enum { H_F16, H_BF16, H_F16X2, H_BF16X2, N_H };

static u32 half_index(enum ptx_type t)
{
    return t == PT_F16 ? H_F16 : t == PT_BF16 ? H_BF16 : t == PT_F16X2 ? H_F16X2 : H_BF16X2;
}

static bool is_bf16(const struct sel *s)
{
    return s->s.type[0] == PT_BF16 || s->s.type[0] == PT_BF16X2;
}

#define EACH(n)                                                                                    \
    {                                                                                              \
        OP_##n##_f16, OP_##n##_bf16, OP_##n##_f16x2, OP_##n##_bf16x2                               \
    }

static const struct {
    const char *name;
    u16 op[N_H];
} rows[] = {
    {"add", EACH(add)}, {"sub", EACH(sub)},   {"mul", EACH(mul)}, {"fma", EACH(fma)},
    {"neg", EACH(neg)}, {"abs", EACH(abs)},   {"min", EACH(min)}, {"max", EACH(max)},
    {"ex2", EACH(ex2)}, {"tanh", EACH(tanh)},
};

static bool emit_half(struct sel *s, u32 mod)
{
    for (size_t i = 0; i < LEN(rows); i++)
        if (!strcmp(rows[i].name, s->in->name))
            return sel_row(s, rows[i].op[half_index(s->s.type[0])], mod);
    return sel_bad_type(s);
}

bool sel_half(struct sel *s)
{
    const char *type = ptx_type_name(s->s.type[0]);

    if (s->s.rnd)
        return sel_fail(s, s->in->col, "%s: .%s is rounded to nearest, .rn", s->in->name, type);
    if (is_bf16(s) && s->s.have & (S_FTZ | S_SAT))
        return sel_fail(s, s->in->col, "%s: .%s takes neither .ftz nor .sat", s->in->name, type);
    if (s->s.have & S_RELU && s->s.have & S_SAT)
        return sel_fail(s, s->in->col, "%s: .relu and .sat exclude each other", s->in->name);
    return emit_half(s, sel_float_mod(s) | (s->s.have & S_RND ? MOD_RN : 0) |
                            (s->s.have & S_RELU ? MOD_RELU : 0));
}

static bool no_ftz(struct sel *s)
{
    return sel_fail(s, s->in->col, "%s: .%s does not take .ftz", s->in->name,
                    ptx_type_name(s->s.type[0]));
}

bool sel_half_sign(struct sel *s)
{
    return is_bf16(s) && s->s.have & S_FTZ ? no_ftz(s) : emit_half(s, sel_float_mod(s));
}

bool sel_half_minmax(struct sel *s)
{
    if (is_bf16(s) && s->s.have & S_FTZ)
        return no_ftz(s);
    return emit_half(s, sel_float_mod(s) | (s->s.have & S_NAN ? MOD_NAN : 0) |
                            (s->s.have & S_XORSIGN ? MOD_XORSIGN : 0));
}

/* Of ex2, .bf16 has .ftz always and .f16 never. */
bool sel_half_special(struct sel *s)
{
    bool ex2 = s->in->name[0] == 'e', ftz = s->s.have & S_FTZ;

    if (ex2 && is_bf16(s) && !ftz)
        return sel_fail(s, s->in->col, "ex2.approx.%s needs .ftz", ptx_type_name(s->s.type[0]));
    return ftz && !is_bf16(s) ? no_ftz(s) : emit_half(s, sel_float_mod(s));
}
