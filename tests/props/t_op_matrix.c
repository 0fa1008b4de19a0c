/*
 * t_op_matrix.c -- ldmatrix, stmatrix and movmatrix
 *
 * Two warps, each with 48 rows of 16 bytes in shared memory; lane l names row `row[l]` of its warp, any
 * one for loads, a row of its own for stores.  What is in the lanes' registers, or in the rows, afterwards
 * is what the PTX ISA says of thread and row: thread 4 r + c has elements 2 c and 2 c + 1 of row r.
 */
#include "tests/props/op_job.h"

enum { WARPS = 2, ROWS = 48, LANES_OF = 32 * WARPS };

struct form {
    const char *text;
    u32 n;
};

static const struct form forms[] = {
#define MATRIX(form, n) {form, n},
#include "tests/props/forms_matrix.inc"
#undef MATRIX
};

struct input {
    u32 row[LANES_OF];
    u32 reg[LANES_OF][4];
    u16 at[WARPS][ROWS][8];
};

union output {
    u32 reg[LANES_OF][4];
    u16 at[WARPS][ROWS][8];
};

static bool has(const struct form *f, const char *word)
{
    return strstr(f->text, word) != NULL;
}

/* ---- references */

static void ref_load(const struct form *f, const struct input *in, union output *out)
{
    for (u32 l = 0; l < LANES_OF; l++)
        for (u32 k = 0; k < f->n; k++) {
            u32 w = l / 32, r = l % 32 / 4, c = 2 * (l % 4), v[2];

            for (u32 e = 0; e < 2; e++) {
                u32 row = has(f, "trans") ? c + e : r, col = has(f, "trans") ? r : c + e;

                v[e] = in->at[w][in->row[32 * w + 8 * k + row]][col];
            }
            out->reg[l][k] = v[0] | v[1] << 16;
        }
}

static void ref_store(const struct form *f, const struct input *in, union output *out)
{
    memcpy(out->at, in->at, sizeof out->at);
    for (u32 l = 0; l < LANES_OF; l++)
        for (u32 k = 0; k < f->n; k++)
            for (u32 e = 0; e < 2; e++) {
                u32 w = l / 32, r = l % 32 / 4, c = 2 * (l % 4) + e;
                u32 row = has(f, "trans") ? c : r, col = has(f, "trans") ? r : c;

                out->at[w][in->row[32 * w + 8 * k + row]][col] = (u16)(in->reg[l][k] >> 16 * e);
            }
}

static void ref_move(const struct input *in, union output *out)
{
    u16 m[8][8];

    for (u32 w = 0; w < WARPS; w++) {
        for (u32 l = 0; l < 32; l++)
            for (u32 e = 0; e < 2; e++)
                m[l / 4][2 * (l % 4) + e] = (u16)(in->reg[32 * w + l][0] >> 16 * e);
        for (u32 l = 0; l < 32; l++)
            out->reg[32 * w + l][0] = m[2 * (l % 4)][l / 4] | (u32)m[2 * (l % 4) + 1][l / 4] << 16;
    }
}

/* ---- the kernel */

static void put_list(FILE *o, u32 n)
{
    fputs("{", o);
    for (u32 i = 0; i < n; i++)
        fprintf(o, "%s%%r%u", i ? ", " : "", i);
    fputs("}", o);
}

static void put_copy(FILE *o, const char *from, const char *to, const char *a, const char *b)
{
    for (u32 i = 0; i < WARPS * ROWS * 16 / 4 / LANES_OF; i++)
        fprintf(o, "ld.%s.u32 %%r9, [%s+%u]; st.%s.u32 [%s+%u], %%r9;\n", from, a, 4 * LANES_OF * i,
                to, b, 4 * LANES_OF * i);
}

static void put_kernel(FILE *o, const struct form *f)
{
    bool generic = !has(f, "shared");

    fprintf(o,
            ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
            ".reg .b32 %%r<20>; .reg .b64 %%d<10>; .shared .align 16 .b8 s[%u];\n"
            "ld.param.u64 %%d0, [in]; ld.param.u64 %%d1, [out]; mov.u32 %%r10, %%tid.x;\n"
            "mad.wide.u32 %%d2, %%r10, 4, %%d0; ld.global.u32 %%r11, [%%d2]; mad.wide.u32 %%d3, "
            "%%r10, 16, %%d0;\n"
            "ld.global.v4.u32 {%%r0, %%r1, %%r2, %%r3}, [%%d3+%zu]; add.u64 %%d4, %%d2, %zu;\n"
            "mov.u32 %%r12, s; mad.lo.u32 %%r13, %%r10, 4, %%r12;\n",
            WARPS * ROWS * 16, offsetof(struct input, reg), offsetof(struct input, at));
    put_copy(o, "global", "shared", "%d4", "%r13");
    fprintf(o,
            "bar.sync 0; mad.lo.u32 %%r14, %%r11, 16, %%r12; shr.u32 %%r15, %%r10, 5;\n"
            "mad.lo.u32 %%r14, %%r15, %u, %%r14; cvt.u64.u32 %%d5, %%r14; cvta.shared.u64 %%d5, "
            "%%d5;\n",
            ROWS * 16);
    if (has(f, "movmatrix")) {
        fprintf(o, "%s %%r0, %%r0;\n", f->text);
    } else if (has(f, "ldmatrix")) {
        fprintf(o, "%s ", f->text), put_list(o, f->n);
        fprintf(o, ", [%s];\n", generic ? "%d5" : "%r14");
    } else {
        fprintf(o, "%s [%s], ", f->text, generic ? "%d5" : "%r14"), put_list(o, f->n);
        fputs(";\nbar.sync 0;\nmad.wide.u32 %d6, %r10, 4, %d1;\n", o);
        put_copy(o, "shared", "global", "%r13", "%d6");
    }
    fputs("mad.wide.u32 %d7, %r10, 16, %d1;\n", o);
    for (u32 i = 0; i < f->n && !has(f, "stmatrix"); i++)
        fprintf(o, "st.global.u32 [%%d7+%u], %%r%u;\n", 4 * i, i);
    fputs("ret;\n}\n", o);
}

/* Rows in an order of their own; of loads also the same one twice. */
static void fill(const struct form *f, struct input *in, u64 *seed)
{
    u8 *bytes = (u8 *)in;

    for (size_t i = 0; i < sizeof *in; i++)
        bytes[i] = (u8)op_random(seed);
    for (u32 l = 0; l < LANES_OF; l++)
        in->row[l] = has(f, "stmatrix") ? (l % 32 * 11 + 3) % 37 /* all different: a prime */
                                        : (u32)op_random(seed) % ROWS;
}

static void check(const struct form *f)
{
    struct input in;
    union output want;
    char *ptx = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&ptx, &size);
    u64 seed = strlen(f->text);

    fill(f, &in, &seed);
    memset(&want, 0xee, sizeof want);
    if (has(f, "movmatrix"))
        ref_move(&in, &want);
    else if (has(f, "ldmatrix"))
        ref_load(f, &in, &want);
    else
        ref_store(f, &in, &want);
    fputs(OP_HEAD, o);
    put_kernel(o, f);
    fclose(o);
    op_job_check(f->text, ptx,
                 (struct op_job){.kernel = "k",
                                 .in = &in,
                                 .n_in = sizeof in,
                                 .want = &want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = LANES_OF});
    free(ptx);
}

#define FAMILY(name, word)                                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        for (u32 i = 0; i < LEN(forms); i++)                                                       \
            if (has(&forms[i], word))                                                              \
                check(&forms[i]);                                                                  \
    }

FAMILY(ldmatrix_gives_lanes_their_pairs_of_each_row, "ldmatrix")
FAMILY(stmatrix_is_its_reverse, "stmatrix")
FAMILY(movmatrix_transposes, "movmatrix")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ldmatrix_gives_lanes_their_pairs_of_each_row),
    cmocka_unit_test(stmatrix_is_its_reverse),
    cmocka_unit_test(movmatrix_transposes),
};

TEST_MAIN(tests)
