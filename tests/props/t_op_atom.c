/*
 * t_op_atom.c -- atom and red: every operation, type, space, order and scope
 *
 * 128 threads work on four regions of a cell each: a cell of their own; the same under a
 * guard; with an immediate operand; and 4 cells for a warp, in which lanes take turns,
 * lowest first.  Cells and returned values are compared.  Of a generic address the odd
 * threads mean shared memory.
 */
#include "tests/props/op_job.h"
#include "tests/props/op_ref.h"
#include "tests/props/half_ref.h"

enum { N = 128, REGIONS = 4, OWN = 0, GUARDED = 1, IMMEDIATE = 2, CONTENDED = 3, JOBS = 26 };
enum { CELLS = REGIONS * N };

struct data { /* the input, as the kernels index it */
    u64 cell[CELLS];
    struct {
        u64 b, c, old, guard;
    } thread[N];
};

struct result {
    u64 cell[CELLS];
    u64 old[REGIONS][N];
};

struct atom {
    const char *form;
    char op[8], type[8];
    char space; /* g s * */
    bool has_result;
    u64 imm_b, imm_c;
    struct data in;
    struct result want;
};

static bool is_half(const struct atom *a)
{
    return strstr(a->type, "f16");
}

static u32 bits_of(const struct atom *a)
{
    return strstr(a->type, "16x2") ? 32 : (u32)strtoul(a->type + strcspn(a->type, "136"), NULL, 10);
}

/* Its registers, as op_reg. */
static char reg_of(const struct atom *a)
{
    return bits_of(a) == 64 ? 'd' : bits_of(a) == 32 ? 'w' : 'h';
}

/* ---- the reference */

static u64 add_f32(u64 x, u64 y, bool ftz)
{
    return ref_ftz(ref_out32(ref_f32(ref_ftz(x, ftz)) + ref_f32(ref_ftz(y, ftz))), ftz);
}

static u64 add_16(const struct ref_format *f, u64 x, u64 y)
{
    bool ix = ref_half_inf(f, x), iy = ref_half_inf(f, y);

    if (ref_half_nan(f, x) || ref_half_nan(f, y) || (ix && iy && x != y))
        return 0x7fff;
    if (ix || iy)
        return ix ? x : y;
    return ref_round_to(f, ref_plus(ref_number(f, (u32)x), ref_number(f, (u32)y)), 0);
}

static u64 add_half(const struct atom *a, u64 x, u64 y)
{
    const struct ref_format *f = a->type[0] == 'b' ? &ref_bf16 : &ref_f16;
    u64 low = add_16(f, x & 0xffff, y & 0xffff);

    return bits_of(a) == 16 ? low : low | add_16(f, x >> 16, y >> 16) << 16;
}

static u64 add_f64(u64 x, u64 y)
{
    double r = ref_f64(x) + ref_f64(y);

    return isnan(r) ? ref_first_nan((const u64[]){x, y}, 2) : ref_bits64(r);
}

static bool less(const struct atom *a, u64 x, u64 y)
{
    if (a->type[0] == 's')
        return bits_of(a) == 64 ? (s64)x < (s64)y : (s32)x < (s32)y;
    return x < y;
}

static u64 apply(const struct atom *a, bool shared, u64 old, u64 b, u64 c)
{
    if (is_half(a))
        return add_half(a, old, b);
    if (!strcmp(a->op, "add"))
        return a->type[0] != 'f'  ? old + b
               : bits_of(a) == 64 ? add_f64(old, b)
                                  : add_f32(old, b, !shared);
    if (!strcmp(a->op, "min") || !strcmp(a->op, "max"))
        return less(a, old, b) == (a->op[1] == 'i') ? old : b;
    if (!strcmp(a->op, "inc"))
        return old >= b ? 0 : old + 1;
    if (!strcmp(a->op, "dec"))
        return old == 0 || old > b ? b : old - 1;
    if (!strcmp(a->op, "cas"))
        return old == b ? c : old;
    return a->op[0] == 'a' ? old & b : a->op[0] == 'o' ? old | b : a->op[0] == 'x' ? old ^ b : b;
}

static u32 cell_of(u32 region, u32 t)
{
    return region * N + (region == CONTENDED ? t / 32 * 32 + t % 4 : t);
}

static void expect(struct atom *a)
{
    u64 mask = op_mask(bits_of(a));

    memset(&a->want, 0xee, sizeof a->want);
    memcpy(a->want.cell, a->in.cell, sizeof a->want.cell);
    for (u32 r = 0; r < REGIONS; r++)
        for (u32 t = 0; t < N; t++) {
            u64 *cell = &a->want.cell[cell_of(r, t)], old = *cell & mask, see = old;
            bool imm = r == IMMEDIATE && !is_half(a); /* there are none of 16 bits */
            u64 b = (imm ? a->imm_b : a->in.thread[t].b) & mask,
                c = (imm ? a->imm_c : a->in.thread[t].c) & mask;

            if (r == GUARDED && !a->in.thread[t].guard)
                see = a->in.thread[t].old & mask;
            else
                *cell = (*cell & ~mask) |
                        (apply(a, a->space == 's' || (a->space == '*' && t & 1), old, b, c) & mask);
            if (a->has_result)
                memcpy(&a->want.old[r][t], &see, bits_of(a) / 8);
        }
}

/* ---- operands: edges, and for cas often what is there */

static void fill(struct atom *a, u64 *seed)
{
    char letter = is_half(a)          ? bits_of(a) == 16    ? a->type[0] == 'b' ? 'b' : 'e'
                                        : a->type[0] == 'b' ? 'B'
                                                            : 'E'
                  : a->type[0] == 'f' ? bits_of(a) == 64 ? 'g' : 'f'
                                      : reg_of(a);

    for (u32 i = 0; i < CELLS; i++)
        a->in.cell[i] = op_edge(letter, op_random(seed)) |
                        (bits_of(a) < 64 ? op_random(seed) << bits_of(a) : 0);
    for (u32 t = 0; t < N; t++) {
        a->in.thread[t].b =
            op_random(seed) & 1 ? op_edge(letter, op_random(seed)) : op_any(letter, seed);
        a->in.thread[t].c = op_any(letter, seed);
        a->in.thread[t].old = op_random(seed);
        a->in.thread[t].guard = op_random(seed) & 1;
        if (a->op[0] == 'c' && op_random(seed) & 1)
            a->in.cell[OWN * N + t] = a->in.cell[GUARDED * N + t] = a->in.thread[t].b;
    }
    a->imm_b = op_edge(letter, op_random(seed));
    a->imm_c = op_any(letter, seed);
}

static void parse(struct atom *a, const char *form)
{
    const char *type = strrchr(form, '.'),
               *op = strstr(form, ".noftz") ? strstr(form, ".noftz") : type;
    const char *end = op--;

    while (*op != '.')
        op--;
    memset(a, 0, sizeof *a);
    a->form = form;
    snprintf(a->type, sizeof a->type, "%s", type + 1);
    snprintf(a->op, sizeof a->op, "%.*s", (int)(end - op - 1), op + 1);
    a->space = strstr(form, ".global") ? 'g' : strstr(form, ".shared") ? 's' : '*';
    a->has_result = form[0] == 'a';
}

/* ---- the kernel */

static void put_operand(FILE *o, const struct atom *a, u32 region, bool second)
{
    char letter = a->type[0] == 'f' ? bits_of(a) == 64 ? 'g' : 'f' : 'd';

    if (region == IMMEDIATE && !is_half(a))
        op_put_imm(o, letter, (second ? a->imm_c : a->imm_b) & op_mask(bits_of(a)));
    else
        fprintf(o, "%%%c%u", reg_of(a), second ? 3 : 2);
}

static void put_step(FILE *o, const struct atom *a, u32 region)
{
    char reg = reg_of(a);

    fprintf(o, "add.s64 %%d9, %%d%u, %u;\n", region == CONTENDED ? 8 : 7, 8 * region * N);
    if (a->has_result)
        fprintf(o, "ld.global.b%u %%%c1, [%%d6+16];\n", bits_of(a), reg);
    fprintf(o, "%s%s ", region == GUARDED ? "@%p1 " : "", a->form);
    if (a->has_result)
        fprintf(o, "%%%c1, ", reg);
    fputs("[%d9], ", o);
    put_operand(o, a, region, false);
    if (a->op[0] == 'c') {
        fputs(", ", o);
        put_operand(o, a, region, true);
    }
    fputs(";\n", o);
    if (a->has_result)
        fprintf(o, "st.global.b%u [%%d5+%zu], %%%c1;\n", bits_of(a),
                offsetof(struct result, old) + 8 * region * N, reg);
}

/* The cells of a thread between input, shared memory and output. */
static void put_cells(FILE *o, bool to_shared, const char *guard)
{
    fputs("mov.u32 %w9, sh; mad.lo.u32 %w9, %w8, 8, %w9;\n", o);
    for (u32 r = 0; r < REGIONS; r++) {
        if (to_shared)
            fprintf(o, "ld.global.u64 %%d10, [%%d4+%u]; st.shared.u64 [%%w9+%u], %%d10;\n",
                    8 * r * N, 8 * r * N);
        else
            fprintf(o, "ld.shared.u64 %%d10, [%%w9+%u]; %sst.global.u64 [%%d5+%u], %%d10;\n",
                    8 * r * N, guard, 8 * r * N);
    }
    fputs("bar.sync 0;\n", o);
}

/* d7: the thread's cell of region 0 in the access's space; d8: the cell it shares. */
static void put_kernel(FILE *o, const struct atom *a, u32 id)
{
    fprintf(
        o,
        ".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n.shared .align 16 .b8 sh[%u];\n",
        id, 8 * CELLS);
    fputs(".reg .b16 %h<4>; .reg .b32 %w<12>; .reg .b64 %d<12>; .reg .pred %p<4>;\n"
          "ld.param.u64 %d4, [in]; ld.param.u64 %d5, [out]; mov.u32 %w8, %tid.x; and.b32 %w10, "
          "%w8, 1; setp.eq.u32 %p2, %w10, 1;\n",
          o);
    fprintf(o, "mad.wide.u32 %%d6, %%w8, 32, %%d4; add.s64 %%d6, %%d6, %zu;\n",
            offsetof(struct data, thread));
    fputs("mad.wide.u32 %d4, %w8, 8, %d4; mad.wide.u32 %d5, %w8, 8, %d5;\n", o);
    put_cells(o, true, "");
    fprintf(o, "ld.global.b%u %%%c2, [%%d6]; ld.global.b%u %%%c3, [%%d6+8];\n", bits_of(a),
            reg_of(a), bits_of(a), reg_of(a));
    fputs("ld.global.u32 %w10, [%d6+24]; setp.ne.u32 %p1, %w10, 0;\n", o);
    fputs(a->space == 's' ? "cvt.u64.u32 %d7, %w9;\n" : "mov.u64 %d7, %d5;\n", o);
    if (a->space == '*')
        fputs("cvt.u64.u32 %d10, %w9; cvta.shared.u64 %d10, %d10; selp.b64 %d7, %d10, %d7, %p2;\n",
              o);
    fputs("and.b32 %w10, %w8, 31; and.b32 %w11, %w8, 3; sub.u32 %w10, %w11, %w10; mad.wide.s32 "
          "%d8, %w10, 8, %d7;\n",
          o);
    for (u32 r = 0; r < REGIONS; r++)
        put_step(o, a, r);
    fputs("bar.sync 0;\n", o);
    if (a->space != 'g')
        put_cells(o, false, a->space == '*' ? "@%p2 " : "");
    fputs("ret;\n}\n", o);
}

static u32 run_batch(struct atom *a, u32 n, u64 *seed)
{
    struct op_job job[JOBS];
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);

    fputs(OP_HEAD, o);
    for (u32 i = 0; i < n; i++) {
        fill(&a[i], seed);
        expect(&a[i]);
        put_kernel(o, &a[i], i);
        job[i] = (struct op_job){.what = a[i].form,
                                 .in = &a[i].in,
                                 .n_in = sizeof a[i].in,
                                 .want = &a[i].want,
                                 .n_want = sizeof a[i].want};
        job[i].grid = 1, job[i].block = N, job[i].overlay = sizeof a[i].in.cell;
        snprintf(job[i].kernel, sizeof job[i].kernel, "k%u", i);
    }
    fclose(o);
    u32 bad = op_jobs_bad(&(struct op_jobs){text, job, n, NULL, NULL});

    free(text);
    return bad;
}

static const char *const forms[] = {
#define ATOM(form) form,
#include "tests/props/forms_atom.inc"
#undef ATOM
};

static void check(bool has_result, char space)
{
    struct atom *a = calloc(JOBS, sizeof *a);
    u32 n = 0, bad = 0;
    u64 seed = 4711;

    assert_non_null(a);
    for (u32 round = 0; round < 3; round++)
        for (u32 i = 0; i < LEN(forms); i++) {
            parse(&a[n], forms[i]);
            if (a[n].has_result != has_result || a[n].space != space)
                continue;
            if (++n == JOBS)
                bad += run_batch(a, n, &seed), n = 0;
        }
    bad += n ? run_batch(a, n, &seed) : 0;
    free(a);
    if (bad)
        fail_msg("%u runs differ from the reference", bad);
}

#define FAMILY(name, has_result, space)                                                            \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check(has_result, space);                                                                  \
    }

FAMILY(atom_global_in_every_order_and_scope, true, 'g')
FAMILY(atom_shared, true, 's')
FAMILY(atom_generic_on_two_spaces_at_once, true, '*')
FAMILY(red_global_in_every_order_and_scope, false, 'g')
FAMILY(red_shared, false, 's')
FAMILY(red_generic_on_two_spaces_at_once, false, '*')

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(atom_global_in_every_order_and_scope),
    cmocka_unit_test(atom_shared),
    cmocka_unit_test(atom_generic_on_two_spaces_at_once),
    cmocka_unit_test(red_global_in_every_order_and_scope),
    cmocka_unit_test(red_shared),
    cmocka_unit_test(red_generic_on_two_spaces_at_once),
};

TEST_MAIN(tests)
