/*
 * op_test.h -- every form of an opcode against a reference, in every way smelt can run it.
 *
 * A row says what an instruction is and what it should compute:
 *
 *     {"add.sat.s32", "WWW", ref_add_sat}
 *
 * The signature has a letter for the result and one for each operand: the register it
 * is in and how the reference sees its bits.
 *
 *     h H   16-bit register, zero- or sign-extended     f  f32 in a 32-bit register
 *     w W   32-bit                                      g  f64 in a 64-bit register
 *     d D   64-bit                                      p  predicate, 0 or 1
 *     n     32-bit, a shift count or a field's place    P  predicate, passed as !p
 *     q     two predicates p|q as a result: bit 0, bit 1
 *     e b   f16, bf16 in a 16-bit register              E B  pairs of them in a 32-bit one
 *
 * From the row op_check makes a kernel that loads operands, executes the form and
 * stores the result, in these variants: all lanes; under a guard; in a diverged
 * branch; result on top of an operand; an immediate for each operand; immediates
 * only.  Lanes that are off must keep what the register held.  It runs them on edge
 * values and random ones, lowered and not, with each instruction set of this host,
 * and compares with the reference: the same bits everywhere.
 *
 * `text` replaces "form $d, $a, $b, $c, $e" where an instruction is written otherwise or
 * several make up a case; statements are separated by ';', $0..$3 are 32-bit and
 * $4..$7 64-bit temporaries, $x $y predicates, $q the second predicate of a result.
 */
#ifndef TESTS_PROPS_OP_TEST_H
#define TESTS_PROPS_OP_TEST_H

#include <inttypes.h>

#include "tests/kit.h"
#include "tests/props/op_value.h"

enum { OP_OPNDS = 4, OP_TUPLES = 2048, OP_BATCH = 24, OP_SLOTS = 8, OP_BLOCK = 128 };
enum { OP_OLD = 4, OP_GUARD = 5 }; /* slots of a tuple behind its operands */
enum { OP_NO_IMM = 1 };            /* flag: registers only */

/* The words of a form, read once per row. */
struct op_mod {
    u32 rnd; /* rn rz rm rp, also of rni.. */
    bool rni, ftz, sat, nan, approx, full, has_bool, relu, satfinite, xorsign, rna;
    char cmp[8], bool_op[8];
    char type[2][8];
    const struct op_row *form;
};

struct op_row {
    const char *form;
    const char *sig;
    u64 (*ref)(const struct op_mod *m, const u64 *v);
    const char *text;
    u32 flags;
    bool (*near)(const struct op_mod *m, const u64 *v,
                 u64 got); /* instead of ref, for approximations */
};

/* ---- words of a form */

static inline bool op_among(const char *word, size_t len, const char *list)
{
    for (const char *p = list; *p; p += strcspn(p, " ") + (p[strcspn(p, " ")] != 0))
        if (strcspn(p, " ") == len && !strncmp(p, word, len))
            return true;
    return false;
}

static inline void op_word(struct op_mod *m, const char *w, size_t len, u32 *n_type)
{
    static const char *const rnd[] = {"rn rni", "rz rzi", "rm rmi", "rp rpi"};

    for (u32 i = 0; i < 4; i++)
        if (op_among(w, len, rnd[i]))
            m->rnd = i, m->rni = len == 3;
    m->ftz |= op_among(w, len, "ftz");
    m->sat |= op_among(w, len, "sat");
    m->nan |= op_among(w, len, "NaN");
    m->approx |= op_among(w, len, "approx");
    m->full |= op_among(w, len, "full");
    m->relu |= op_among(w, len, "relu");
    m->satfinite |= op_among(w, len, "satfinite");
    m->xorsign |= op_among(w, len, "xorsign");
    m->rna |= op_among(w, len, "rna");
    if (op_among(w, len, "eq ne lt le gt ge equ neu ltu leu gtu geu num nan lo ls hi hs") &&
        !m->cmp[0])
        snprintf(m->cmp, sizeof m->cmp, "%.*s", (int)len, w);
    if (op_among(w, len, "and or xor"))
        snprintf(m->bool_op, sizeof m->bool_op, "%.*s", (int)len, w);
    if (op_among(w, len,
                 "u8 s8 b8 u16 s16 b16 u32 s32 b32 u64 s64 b64 f32 f64 pred f16 bf16 f16x2 bf16x2 "
                 "tf32 e4m3x2 e5m2x2") &&
        *n_type < 2)
        snprintf(m->type[(*n_type)++], sizeof m->type[0], "%.*s", (int)len, w);
}

static inline struct op_mod op_mod_of(const struct op_row *f)
{
    struct op_mod m = {.form = f};
    u32 n_type = 0;

    for (const char *w = f->form + strcspn(f->form, "."); *w == '.';) {
        size_t len = strcspn(++w, ".");

        op_word(&m, w, len, &n_type);
        w += len;
    }
    return m;
}

/* ---- variants of a row */

enum op_variant_kind { OPV_PLAIN, OPV_GUARD, OPV_BRANCH, OPV_ALIAS, OPV_IMM, OPV_ALL };

struct op_variant {
    enum op_variant_kind kind;
    u32 k;             /* OPV_ALIAS, OPV_IMM: which operand */
    u64 imm[OP_OPNDS]; /* bits */
};

enum { OP_VARIANTS = 4 + OP_OPNDS + 4 };

struct op_case {
    const struct op_row *f;
    struct op_mod m;
    u32 n_opnd, n_var;
    struct op_variant var[OP_VARIANTS];
};

static inline void op_add_variant(struct op_case *c, enum op_variant_kind kind, u32 k, u64 *seed)
{
    struct op_variant *v = &c->var[c->n_var++];

    v->kind = kind;
    v->k = k;
    for (u32 i = 0; i < c->n_opnd; i++)
        v->imm[i] = op_random(seed) & 1 ? op_any(c->f->sig[i + 1], seed)
                                        : op_edge(c->f->sig[i + 1], op_random(seed));
}

static inline bool op_has_preds(const char *sig)
{
    return strpbrk(sig + 1, "pP") != NULL;
}

static inline void op_plan(struct op_case *c, const struct op_row *f, u64 *seed)
{
    memset(c, 0, sizeof *c);
    c->f = f;
    c->m = op_mod_of(f);
    c->n_opnd = (u32)strlen(f->sig) - 1;
    op_add_variant(c, OPV_PLAIN, 0, seed);
    op_add_variant(c, OPV_GUARD, 0, seed);
    op_add_variant(c, OPV_BRANCH, 0, seed);
    for (u32 k = 0; k < c->n_opnd; k++)
        if (op_reg(f->sig[k + 1]) == op_reg(f->sig[0]) && !strchr("qpP", f->sig[0]) && !f->text) {
            op_add_variant(c, OPV_ALIAS, k, seed);
            break;
        }
    for (u32 k = 0; k < c->n_opnd && !(f->flags & OP_NO_IMM); k++)
        if (op_reg(f->sig[k + 1]) != 'p')
            op_add_variant(c, OPV_IMM, k, seed);
    for (u32 i = 0; i < 4 && !(f->flags & OP_NO_IMM) && !op_has_preds(f->sig); i++)
        op_add_variant(c, OPV_ALL, 0, seed);
}

/* ---- PTX text */

static inline void op_put_imm(FILE *o, char c, u64 v)
{
    switch (c) {
    case 'f':
        fprintf(o, "0f%08" PRIx32, (u32)v);
        return;
    case 'g':
        fprintf(o, "0d%016" PRIx64, v);
        return;
    case 'H':
    case 'W':
    case 'D':
        fprintf(o, "%" PRId64, (s64)op_see(c, v));
        return;
    default:
        fprintf(o, "0x%" PRIx64, v);
        return;
    }
}

static inline void op_put_opnd(FILE *o, const struct op_case *c, const struct op_variant *v, u32 k)
{
    char letter = c->f->sig[k + 1];

    if (v->kind == OPV_ALL || (v->kind == OPV_IMM && v->k == k))
        op_put_imm(o, letter, v->imm[k]);
    else if (v->kind == OPV_ALIAS && v->k == k)
        fprintf(o, "%%%c8", op_reg(letter));
    else
        fprintf(o, "%s%%%c%u", letter == 'P' ? "!" : "", op_reg(letter), k);
}

static inline void op_put_word(FILE *o, const struct op_case *c, const struct op_variant *v,
                               char what)
{
    const char *at;

    if (what == 'd')
        fprintf(o, "%%%c8", op_reg(c->f->sig[0]));
    else if (what == 'q')
        fputs("%p7", o);
    else if (what == 'x' || what == 'y')
        fprintf(o, "%%p%u", what == 'x' ? 10 : 11);
    else if (what >= '0' && what <= '7')
        fprintf(o, "%%%c%u", what < '4' ? 'w' : 'd', 14 + (what - '0') % 4);
    else if ((at = strchr("abce", what)))
        op_put_opnd(o, c, v, (u32)(at - "abce"));
}

static inline const char *op_default_text(const struct op_case *c, char *buf, size_t size)
{
    static const char *const tail[] = {"", ", $a", ", $a, $b", ", $a, $b, $c", ", $a, $b, $c, $e"};

    snprintf(buf, size, "%s %s%s", c->f->form, c->f->sig[0] == 'q' ? "$d|$q" : "$d",
             tail[c->n_opnd]);
    return buf;
}

/* The statements of a variant, each under the guard if there is one. */
static inline void op_put_text(FILE *o, const struct op_case *c, const struct op_variant *v)
{
    const char *guard = v->kind == OPV_GUARD ? "@%p9 " : "";
    char buf[200];
    const char *t = c->f->text ? c->f->text : op_default_text(c, buf, sizeof buf);

    fputs(guard, o);
    for (; *t; t++) {
        if (*t == '$')
            op_put_word(o, c, v, *++t);
        else if (*t == ';' && t[1])
            fprintf(o, ";\n%s", guard);
        else
            fputc(*t, o);
    }
    fputs(";\n", o);
}

static inline void op_put_pred_load(FILE *o, const char *reg, u32 slot, u32 bit)
{
    fprintf(
        o, "ld.global.u32 %%w10, [%%d20+%u]; and.b32 %%w10, %%w10, %u; setp.ne.u32 %s, %%w10, 0;\n",
        8 * slot, 1u << bit, reg);
}

static inline void op_put_load(FILE *o, char letter, u32 reg, u32 slot)
{
    char c = op_reg(letter), name[16];

    snprintf(name, sizeof name, "%%%c%u", c, reg);
    if (c == 'p')
        op_put_pred_load(o, name, slot, 0);
    else
        fprintf(o, "ld.global.%s %s, [%%d20+%u];\n",
                c == 'h'   ? "u16"
                : c == 'w' ? "u32"
                           : "u64",
                name, 8 * slot);
    if (letter == 'q')
        op_put_pred_load(o, "%p7", slot, 1);
}

static inline void op_put_store(FILE *o, char letter, u32 slot)
{
    char c = op_reg(letter);

    if (c == 'p')
        fputs("selp.u32 %w8, 1, 0, %p8;\n", o);
    if (letter == 'q')
        fputs("selp.u32 %w10, 2, 0, %p7; or.b32 %w8, %w8, %w10;\n", o);
    c = c == 'p' ? 'w' : c;
    fprintf(o, "st.global.%s [%%d21+%u], %%%c8;\n",
            c == 'h'   ? "u16"
            : c == 'w' ? "u32"
                       : "u64",
            8 * slot, c);
}

static inline void op_put_variant(FILE *o, const struct op_case *c, u32 i)
{
    const struct op_variant *v = &c->var[i];
    char d = op_reg(c->f->sig[0]);

    if (v->kind == OPV_GUARD || v->kind == OPV_BRANCH)
        op_put_load(o, c->f->sig[0], 8, OP_OLD);
    if (v->kind == OPV_ALIAS)
        fprintf(o, "mov.b%u %%%c8, %%%c%u;\n", d == 'h' ? 16 : d == 'w' ? 32 : 64, d, d, v->k);
    if (v->kind == OPV_BRANCH)
        fprintf(o, "@!%%p9 bra L%u;\n", i);
    op_put_text(o, c, v);
    if (v->kind == OPV_BRANCH)
        fprintf(o, "L%u:\n", i);
    op_put_store(o, c->f->sig[0], i);
}

static inline void op_put_kernel(FILE *o, const struct op_case *c, u32 id)
{
    fprintf(o, ".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n", id);
    fputs(".reg .b16 %h<24>; .reg .b32 %w<24>; .reg .b64 %d<24>; .reg .pred %p<12>;\n"
          "ld.param.u64 %d20, [in]; ld.param.u64 %d21, [out];\n"
          "mov.u32 %w20, %ctaid.x; mov.u32 %w21, %ntid.x; mov.u32 %w22, %tid.x;\n"
          "mad.lo.u32 %w20, %w20, %w21, %w22;\n",
          o);
    fprintf(o, "mad.wide.u32 %%d20, %%w20, %u, %%d20; mad.wide.u32 %%d21, %%w20, %u, %%d21;\n",
            8 * OP_SLOTS, 8 * c->n_var);
    for (u32 k = 0; k < c->n_opnd; k++)
        op_put_load(o, c->f->sig[k + 1], k, k);
    op_put_pred_load(o, "%p9", OP_GUARD, 0);
    for (u32 i = 0; i < c->n_var; i++)
        op_put_variant(o, c, i);
    fputs("ret;\n}\n", o);
}

static inline char *op_module(const struct op_case *c, u32 n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);

    assert_non_null(o);
    fputs(".version 7.0\n.target sm_70\n.address_size 64\n", o);
    for (u32 i = 0; i < n; i++)
        op_put_kernel(o, &c[i], i);
    fclose(o);
    return text;
}

/* ---- expectation and comparison */

struct op_bench {
    struct kit kit[2]; /* lowered, not lowered */
    u64 dev_in[2], dev_out[2];
    u64 in[OP_TUPLES * OP_SLOTS];
    u64 want[OP_TUPLES * OP_VARIANTS];
    u64 got[OP_TUPLES * OP_VARIANTS];
    u32 n_bad;
};

static const char *const op_isas[] = {"base", "avx2", "avx512"};

static inline bool op_isa_here(const char *isa)
{
    struct err e = {0};
    bool here = exec_table(isa, &e) != NULL;

    return here;
}

/* The operands of a tuple as the reference sees them in a variant. */
static inline void op_values(const struct op_case *c, const struct op_variant *v, const u64 *in,
                             u64 *out)
{
    for (u32 k = 0; k < c->n_opnd; k++)
        out[k] =
            op_see(c->f->sig[k + 1],
                   v->kind == OPV_ALL || (v->kind == OPV_IMM && v->k == k) ? v->imm[k] : in[k]);
}

static inline bool op_lane_off(const struct op_variant *v, const u64 *in)
{
    return (v->kind == OPV_GUARD || v->kind == OPV_BRANCH) && !in[OP_GUARD];
}

static inline void op_prepare(struct op_bench *b, const struct op_case *c, u64 *seed)
{
    u64 v[OP_OPNDS] = {0}, mask = op_mask(op_bits(c->f->sig[0]));

    for (u32 i = 0; i < OP_TUPLES; i++) {
        u64 *in = &b->in[i * OP_SLOTS], plain = 0;

        op_tuple(c->f->sig, i, seed, in);
        in[OP_OLD] = op_random(seed);
        in[OP_GUARD] = op_guard_bit(i, op_random(seed));
        for (u32 k = 0; k < c->n_var; k++) {
            op_values(c, &c->var[k], in, v);
            if (c->f->ref && (k == 0 || c->var[k].kind >= OPV_IMM))
                plain = c->f->ref(&c->m, v) & mask;
            if (c->var[k].kind < OPV_IMM && k)
                plain = b->want[i * c->n_var];
            b->want[i * c->n_var + k] = op_lane_off(&c->var[k], in) ? in[OP_OLD] & mask : plain;
        }
    }
}

static inline void op_report(struct op_bench *b, const struct op_case *c, u32 i, u32 k,
                             const char *how, const char *isa)
{
    static const char *const kind[] = {"all lanes",       "guarded",           "in a branch",
                                       "onto an operand", "with an immediate", "of immediates"};
    u64 v[OP_OPNDS] = {0}, got = b->got[i * c->n_var + k] & op_mask(op_bits(c->f->sig[0]));

    if (b->n_bad++ > 20)
        return;
    op_values(c, &c->var[k], &b->in[i * OP_SLOTS], v);
    printf("%s %s (%s, %s), lane %s:", c->f->form, kind[c->var[k].kind], how, isa,
           op_lane_off(&c->var[k], &b->in[i * OP_SLOTS]) ? "off" : "on");
    for (u32 n = 0; n < c->n_opnd; n++)
        printf(" %#" PRIx64, v[n]);
    printf(": got %#" PRIx64 ", want %#" PRIx64 "\n", got, b->want[i * c->n_var + k]);
}

/*
 * One result against the reference; the first run of an approximation is kept as what the others
 * must give.
 */
static inline bool op_right(struct op_bench *b, const struct op_case *c, u32 i, u32 k, bool first)
{
    u64 v[OP_OPNDS] = {0}, *want = &b->want[i * c->n_var + k],
        got = b->got[i * c->n_var + k] & op_mask(op_bits(c->f->sig[0]));

    if (!c->f->near || !first || op_lane_off(&c->var[k], &b->in[i * OP_SLOTS]))
        return got == *want;
    op_values(c, &c->var[k], &b->in[i * OP_SLOTS], v);
    *want = got;
    return c->f->near(&c->m, v, got);
}

static inline void op_compare(struct op_bench *b, const struct op_case *c, const char *how,
                              const char *isa, bool first)
{
    bool bad = false;

    for (u32 i = 0; i < OP_TUPLES; i++)
        for (u32 k = 0; k < c->n_var; k++)
            if (!op_right(b, c, i, k, first) && !bad) {
                op_report(b, c, i, k, how, isa);
                bad = true;
            }
}

static inline void op_run_case(struct op_bench *b, const struct op_case *c, u32 id, u64 *seed)
{
    char name[16];
    bool first = true;

    snprintf(name, sizeof name, "k%u", id);
    op_prepare(b, c, seed);
    for (u32 m = 0; m < 2; m++) {
        struct kit *k = &b->kit[m];

        assert_true(device_write(k->d, b->dev_in[m], b->in, sizeof b->in, &k->e));
        for (u32 i = 0; i < LEN(op_isas); i++) {
            if (!op_isa_here(op_isas[i]))
                continue;
            k->d->opts.isa = op_isas[i];
            memset(b->got, 0xee, sizeof b->got);
            assert_true(device_write(k->d, b->dev_out[m], b->got, sizeof b->got, &k->e));
            kit_run(k, name, OP_TUPLES / OP_BLOCK, OP_BLOCK, KIT_ARGS(b->dev_in[m], b->dev_out[m]));
            kit_get(k, b->dev_out[m], b->got, sizeof b->got);
            op_compare(b, c, m ? "not lowered" : "lowered", op_isas[i], first);
            first = false;
        }
    }
}

static inline void op_run_batch(struct op_bench *b, const struct op_row *f, u32 n, u64 *seed)
{
    struct op_case *c = calloc(n, sizeof *c);

    assert_non_null(c);
    for (u32 i = 0; i < n; i++)
        op_plan(&c[i], &f[i], seed);
    char *text = op_module(c, n);

    for (u32 m = 0; m < 2; m++) {
        kit_open(&b->kit[m], text, m ? KIT_OFF : KIT_LOWER, "base");
        b->dev_in[m] = kit_buf(&b->kit[m], NULL, sizeof b->in);
        b->dev_out[m] = kit_buf(&b->kit[m], NULL, sizeof b->got);
    }
    for (u32 i = 0; i < n; i++)
        op_run_case(b, &c[i], i, seed);
    for (u32 m = 0; m < 2; m++)
        kit_close(&b->kit[m]);
    free(text);
    free(c);
}

/*
 * Checks all rows whose form starts with one of the names in `family` ("add sub"), or all if NULL.
 */
static inline void op_check(const struct op_row *f, u32 n, const char *family)
{
    struct op_bench *b = calloc(1, sizeof *b);
    struct op_row *some = calloc(n, sizeof *some);
    u32 n_some = 0;
    u64 seed = 12345;

    assert_true(b && some);
    for (u32 i = 0; i < n; i++)
        if (!family || op_among(f[i].form, strcspn(f[i].form, "."), family))
            some[n_some++] = f[i];
    assert_true(n_some > 0);
    for (u32 i = 0; i < n_some; i += OP_BATCH)
        op_run_batch(b, some + i, min_u32(OP_BATCH, n_some - i), &seed);
    u32 bad = b->n_bad;

    free(some);
    free(b);
    if (bad)
        fail_msg("%u runs differ from the reference", bad);
}

/* A test case: those rows of the file's forms[] whose instruction is one of these words. */
#define OP_FAMILY(name, words)                                                                     \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        op_check(forms, LEN(forms), words);                                                        \
    }

#endif
