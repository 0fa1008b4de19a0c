/*
 * t_op_call.c -- values into functions and back: st.param and ld.param of every type
 *
 * A function gives back what it gets, its elements in reverse order.  All lanes call it,
 * then only those whose guard holds: the others keep what they had.
 */
#include "tests/props/op_job.h"

enum { N = 96, SLOT = 16 };

struct passed {
    const char *form; /* st.param.v2.f32 */
    const char *tail; /* v2.f32 */
    u32 vec, bytes;
};

static struct passed parse(const char *form)
{
    struct passed p = {form, form + strlen("st.param."), 1, 0};

    p.vec = strstr(form, ".v2") ? 2 : strstr(form, ".v4") ? 4 : 1;
    p.bytes = (u32)strtoul(strrchr(form, '.') + 2, NULL, 10) / 8;
    return p;
}

static void put_regs(FILE *o, const struct passed *p, u32 first, bool reversed)
{
    const char *reg = p->bytes <= 2 ? "h" : p->bytes == 4 ? "w" : "d";

    fputs(p->vec > 1 ? "{" : "", o);
    for (u32 e = 0; e < p->vec; e++)
        fprintf(o, "%s%%%s%u", e ? ", " : "", reg, first + (reversed ? p->vec - 1 - e : e));
    fputs(p->vec > 1 ? "}" : "", o);
}

static void put_param(FILE *o, const struct passed *p, const char *name)
{
    if (p->vec > 1)
        fprintf(o, ".param .align 16 .b8 %s[%u]", name, p->vec * p->bytes);
    else
        fprintf(o, ".param .%s %s", p->tail, name);
}

static void put_function(FILE *o, const struct passed *p, u32 id)
{
    fputs(".func (", o);
    put_param(o, p, "r");
    fprintf(o, ") f%u(", id);
    put_param(o, p, "a");
    fprintf(o, ")\n{\n.reg .b16 %%h<8>; .reg .b32 %%w<8>; .reg .b64 %%d<8>;\nld.param.%s ",
            p->tail);
    put_regs(o, p, 0, false);
    fprintf(o, ", [a]; st.param.%s [r], ", p->tail);
    put_regs(o, p, 0, true);
    fputs("; ret;\n}\n", o);
}

static void put_call(FILE *o, const struct passed *p, u32 id, const char *guard)
{
    fputs("{\n", o);
    put_param(o, p, "x");
    fputs(";\n", o);
    put_param(o, p, "y");
    fprintf(o, ";\n%s [x], ", p->form);
    put_regs(o, p, 0, false);
    fprintf(o, "; %scall.uni (y), f%u, (x); %sld.param.%s ", guard, id, guard, p->tail);
    put_regs(o, p, 4, false);
    fputs(", [y];\n}\n", o);
}

static void put_kernel(FILE *o, const struct passed *p, u32 id)
{
    put_function(o, p, id);
    fprintf(o,
            ".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n"
            ".reg .b16 %%h<8>; .reg .b32 %%w<12>; .reg .b64 %%d<12>; .reg .pred %%p<2>;\n"
            "ld.param.u64 %%d8, [in]; ld.param.u64 %%d9, [out]; mov.u32 %%w8, %%tid.x; "
            "mad.wide.u32 %%d8, %%w8, 16, %%d8;\n"
            "mad.wide.u32 %%d9, %%w8, 32, %%d9; and.b32 %%w9, %%w8, 5; setp.eq.u32 %%p1, %%w9, 4; "
            "ld.global.%s ",
            id, p->tail);
    put_regs(o, p, 0, false);
    fputs(", [%d8];\n", o);
    for (u32 v = 0; v < 2; v++) {
        if (v) {
            fprintf(o, "ld.global.%s ", p->tail);
            put_regs(o, p, 4, false);
            fputs(", [%d8];\n", o);
        }
        put_call(o, p, id, v ? "@%p1 " : "");
        fprintf(o, "st.global.%s [%%d9+%u], ", p->tail, SLOT * v);
        put_regs(o, p, 4, false);
        fputs(";\n", o);
    }
    fputs("ret;\n}\n", o);
}

static void expect(const struct passed *p, const u8 *in, u8 *want)
{
    memset(want, 0xee, 2 * SLOT * N);
    for (u32 t = 0; t < N; t++)
        for (u32 v = 0; v < 2; v++)
            for (u32 e = 0; e < p->vec; e++) {
                u32 from = v && (t & 5) != 4 ? e : p->vec - 1 - e;

                memcpy(want + SLOT * (2 * t + v) + e * p->bytes, in + SLOT * t + from * p->bytes,
                       p->bytes);
            }
}

static const char *const forms[] = {
#define PARAM(form) form,
#include "tests/props/forms_call.inc"
#undef PARAM
};

static void st_param_and_ld_param_pass_every_type(void **state)
{
    static u8 in[SLOT * N], want[LEN(forms)][2 * SLOT * N];
    static struct op_job job[LEN(forms)];
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);
    u64 seed = 5;

    (void)state;
    for (u32 i = 0; i < sizeof in; i++)
        in[i] = (u8)op_random(&seed);
    fputs(OP_HEAD, o);
    for (u32 i = 0; i < LEN(forms); i++) {
        struct passed p = parse(forms[i]);

        put_kernel(o, &p, i);
        expect(&p, in, want[i]);
        job[i] = (struct op_job){.what = forms[i],
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = want[i],
                                 .n_want = sizeof want[i],
                                 .grid = 1,
                                 .block = N};
        snprintf(job[i].kernel, sizeof job[i].kernel, "k%u", i);
    }
    fclose(o);
    u32 bad = op_jobs_bad(&(struct op_jobs){text, job, LEN(forms), NULL, NULL});

    free(text);
    assert_int_equal(bad, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(st_param_and_ld_param_pass_every_type),
};

TEST_MAIN(tests)
