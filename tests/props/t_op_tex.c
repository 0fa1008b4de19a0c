/*
 * t_op_tex.c -- texture fetches against the formulas of the CUDA programming guide
 *
 * Textures of 16 x 8 x 4 texels in several formats, addressing modes and filters.
 * Coordinates are multiples of 1/256 texel, so that the weights of linear filtering, which
 * have 8 fraction bits, and all its sums are exact.
 */
#include "tests/props/op_job.h"
#include "tests/props/op_ref.h"

enum { VARIANTS = 3, N = 256, WIDTH = 16, HEIGHT = 8, DEPTH = 4, MAX_CASES = 400, BATCH = 40 };

static const u32 size_of_dim[3] = {WIDTH, HEIGHT, DEPTH};

struct fetch {
    const char *form;
    u32 dims;
    bool array, int_coord;
    char result; /* f s u */
    struct texture t;
};

static u8 texels[DEPTH * HEIGHT * 512]; /* any bytes; rows of up to 512 */
static u32 coords[N][4];

/* ---- the reference */

static s64 wrapped(s64 i, u32 n, u32 mode)
{
    s64 period = mode == WRAP_MIRROR ? 2 * (s64)n : n;

    if (mode == WRAP_CLAMP)
        return i < 0 ? 0 : i > (s64)n - 1 ? (s64)n - 1 : i;
    if (mode == WRAP_BORDER)
        return i < 0 || i >= (s64)n ? -1 : i;
    while (i < 0)
        i += period;
    i %= period;
    return i < (s64)n ? i : period - 1 - i;
}

static bool gives_float(const struct texture *t)
{
    return t->is_float || t->to_float;
}

static u32 texel_channel(const struct texture *t, const u8 *p, u32 c)
{
    s64 v = 0;

    if (c >= t->channels)
        return c < 3 ? 0 : gives_float(t) ? 0x3f800000 : 1;
    memcpy(&v, p + c * t->bits / 8, t->bits / 8);
    if (t->is_signed && t->bits < 32 && v >> (t->bits - 1))
        v -= 1ll << t->bits;
    if (!t->to_float)
        return (u32)v;
    long double max = (long double)((1ll << (t->bits - t->is_signed)) - 1),
                x = (long double)v / max;

    return (u32)ref_bits32((float)(x < -1 ? -1 : x));
}

/* Where the layers of an array are: the dimension behind those of the geometry. */
static void texel(const struct fetch *f, const s64 at[3], u32 out[4])
{
    u64 i[3];

    for (u32 d = 0; d < 3; d++) {
        s64 w = d < f->dims + f->array ? wrapped(at[d], size_of_dim[d], f->t.wrap[d]) : 0;

        if (w < 0) {
            memset(out, 0, 4 * sizeof out[0]);
            return;
        }
        i[d] = (u64)w;
    }
    const u8 *p =
        texels + (i[2] * HEIGHT + i[1]) * f->t.pitch + i[0] * f->t.channels * f->t.bits / 8;

    for (u32 c = 0; c < 4; c++)
        out[c] = texel_channel(&f->t, p, c);
}

static void linear(const struct fetch *f, const double pos[3], u32 out[4])
{
    double sum[4] = {0};

    for (u32 corner = 0; corner < 1u << f->dims; corner++) {
        s64 at[3] = {(s64)floor(pos[0]), (s64)floor(pos[1]), (s64)floor(pos[2])};
        double weight = 1;
        u32 one[4];

        for (u32 d = 0; d < f->dims && d < 3; d++) {
            double x = pos[d] - 0.5, low = floor(x);

            at[d] = (s64)low + (corner >> d & 1);
            weight *= corner >> d & 1 ? x - low : 1 - (x - low);
        }
        texel(f, at, one);
        for (u32 c = 0; c < 4; c++)
            sum[c] += weight * ref_f32(one[c]);
    }
    for (u32 c = 0; c < 4; c++)
        out[c] = (u32)ref_bits32((float)sum[c]);
}

/* The coordinates of thread t in texels; an array's layer comes first and is an integer. */
static void position(const struct fetch *f, u32 t, double pos[3])
{
    memset(pos, 0, 3 * sizeof pos[0]);
    for (u32 d = 0; d < f->dims; d++) {
        u32 raw = coords[t][d + f->array];

        pos[d] = f->int_coord ? (double)(s32)raw
                              : (double)ref_f32(raw) * (f->t.normalized ? size_of_dim[d] : 1);
    }
    if (f->array)
        pos[f->dims] = (double)(s32)coords[t][0];
}

static void fetch_one(const struct fetch *f, u32 t, u32 out[4])
{
    double pos[3];

    position(f, t, pos);
    s64 at[3] = {(s64)floor(pos[0]), (s64)floor(pos[1]), (s64)floor(pos[2])};

    if (f->t.linear && !f->int_coord)
        linear(f, pos, out);
    else
        texel(f, at, out);
}

/* ---- cases: every form with the textures that suit it */

static u32 n_case;
static struct fetch cases[MAX_CASES];
static u32 coord_of[MAX_CASES][N][4];

static struct fetch parse(const char *form)
{
    const char *geometry = form + strlen("tex."), *result = strstr(form, ".v4.") + 4;
    struct fetch f = {.form = form,
                      .array = geometry[0] == 'a',
                      .result = result[0],
                      .int_coord = result[4] == 's'};

    f.dims = (u32)(geometry[f.array] - '0');
    return f;
}

static void add_case(struct fetch f, u32 channels, u32 bits, bool is_float, bool to_float,
                     bool is_linear, bool normalized, u32 wrap)
{
    u32 n = f.dims + f.array;

    f.t = (struct texture){.width = WIDTH,
                           .height = n > 1 ? HEIGHT : 0,
                           .depth = n > 2 ? DEPTH : 0,
                           .channels = channels,
                           .bits = bits};
    f.t.pitch = WIDTH * channels * bits / 8 + 32;
    f.t.is_float = is_float, f.t.is_signed = f.result == 's' || (to_float && channels == 2),
    f.t.to_float = to_float;
    f.t.linear = is_linear, f.t.normalized = normalized;
    for (u32 d = 0; d < f.dims; d++)
        f.t.wrap[d] = (u8)wrap;
    assert_true(n_case < MAX_CASES);
    cases[n_case++] = f;
}

static void add_filters(struct fetch f, u32 channels, u32 bits, bool is_float, bool to_float)
{
    add_case(f, channels, bits, is_float, to_float, false, false, WRAP_CLAMP);
    add_case(f, channels, bits, is_float, to_float, false, false, WRAP_BORDER);
    if (f.int_coord)
        return;
    add_case(f, channels, bits, is_float, to_float, false, true, WRAP_REPEAT);
    add_case(f, channels, bits, is_float, to_float, false, true, WRAP_MIRROR);
    if (f.result != 'f')
        return;
    add_case(f, channels, bits, is_float, to_float, true, false, WRAP_CLAMP);
    add_case(f, channels, bits, is_float, to_float, true, true, WRAP_REPEAT);
    add_case(f, channels, bits, is_float, to_float, true, true, WRAP_MIRROR);
    add_case(f, channels, bits, is_float, to_float, true, true, WRAP_BORDER);
}

static void add_formats(const char *form)
{
    struct fetch f = parse(form);

    if (f.result == 'f') {
        add_filters(f, 1, 32, true, false);
        add_filters(f, 4, 32, true, false);
        add_filters(f, 4, 8, false, true);
        add_filters(f, 2, 16, false, true);
    } else {
        add_filters(f, 1, 8, false, false);
        add_filters(f, 2, 16, false, false);
        add_filters(f, 4, 32, false, false);
    }
}

/* From two sizes before to two sizes behind the texture, layers inside it. */
static void fill_coords(const struct fetch *f, u32 c[N][4], u64 *seed)
{
    for (u32 t = 0; t < N; t++)
        for (u32 k = 0; k < 4; k++) {
            u32 d = k - f->array;
            s64 n = k < f->array || d > 2 ? 4 : size_of_dim[d],
                pos = (s64)(op_random(seed) % (u64)(5 * n * 256)) - 2 * n * 256;
            float x = (float)pos / 256 / (float)(f->t.normalized ? n : 1);

            if (f->array && k == 0)
                c[t][k] = (u32)(op_random(seed) % DEPTH);
            else
                c[t][k] = f->int_coord ? (u32)(pos / 256) : (u32)ref_bits32(x);
        }
}

/* Small integers as floats: no sum of them is inexact. */
static void fill_texels(u64 *seed)
{
    for (u32 i = 0; i < sizeof texels; i += 4) {
        float x = (float)(s32)(op_random(seed) % 2001) - 1000;

        memcpy(texels + i, &x, 4);
    }
}

/* ---- running them */

static void put_kernel(FILE *o, const struct fetch *f, u32 id)
{
    static const char *const at[] = {"", "{%w8}", "{%w8, %w9}", "{%w8, %w9, %w10, %w10}"};

    fprintf(o,
            ".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %%w<16>; .reg .b64 "
            "%%d<4>; .reg .pred %%p<2>;\n"
            "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; mov.u32 %%w1, %%tid.x; "
            "mad.wide.u32 %%d1, %%w1, 16, %%d1;\n"
            "mad.wide.u32 %%d2, %%w1, 48, %%d2; and.b32 %%w2, %%w1, 6; setp.eq.u32 %%p1, %%w2, 4; "
            "ld.global.v4.u32 {%%w8, %%w9, %%w10, %%w11}, [%%d1];\n",
            id);
    fprintf(o, "mov.u64 %%d3, tx%u; add.u64 %%d3, %%d3, 0;\n", id);
    for (u32 v = 0; v < VARIANTS; v++) {
        char name[16] = "%d3"; /* a register with its handle */

        if (v < 2)
            snprintf(name, sizeof name, "tx%u", id);
        fputs("mov.u32 %w4, 1; mov.u32 %w5, 2; mov.u32 %w6, 3; mov.u32 %w7, 4;\n", o);
        fprintf(o,
                "%s%s {%%w4, %%w5, %%w6, %%w7}, [%s, %s];\nst.global.v4.u32 [%%d2+%u], {%%w4, "
                "%%w5, %%w6, %%w7};\n",
                v == 1 ? "@%p1 " : "", f->form, name, at[f->dims + f->array], 16 * v);
    }
    fputs("ret;\n}\n", o);
}

struct batch {
    struct fetch *f;
    u32 n;
};

static void bind(struct kit *k, void *arg)
{
    struct batch *b = arg;
    u64 mem = kit_buf(k, texels, sizeof texels);

    for (u32 i = 0; i < b->n; i++) {
        char name[16];

        b->f[i].t.addr = mem;
        snprintf(name, sizeof name, "tx%u", i);
        assert_true(device_bind_texture(k->d, k->p, name, &b->f[i].t, &k->e));
    }
}

static void expect(const struct fetch *f, u32 c[N][4], u32 want[N][VARIANTS][4])
{
    memcpy(coords, c, sizeof coords);
    for (u32 t = 0; t < N; t++) {
        fetch_one(f, t, want[t][0]);
        memcpy(want[t][1], (t & 6) == 4 ? want[t][0] : (u32[]){1, 2, 3, 4}, sizeof want[t][1]);
        memcpy(want[t][2], want[t][0], sizeof want[t][2]);
    }
}

static u32 run_batch(struct fetch *f, u32 n, u64 *seed)
{
    static u32 want[BATCH][N][VARIANTS][4];
    struct op_job job[BATCH];
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);
    struct batch b = {f, n};

    fputs(OP_HEAD, o);
    for (u32 i = 0; i < n; i++)
        fprintf(o, ".global .texref tx%u;\n", i);
    for (u32 i = 0; i < n; i++) {
        put_kernel(o, &f[i], i);
        fill_coords(&f[i], coord_of[i], seed);
        expect(&f[i], coord_of[i], want[i]);
        job[i] = (struct op_job){.what = f[i].form,
                                 .in = coord_of[i],
                                 .n_in = sizeof coord_of[i],
                                 .want = want[i],
                                 .n_want = sizeof want[i]};
        job[i].grid = 1, job[i].block = N;
        snprintf(job[i].kernel, sizeof job[i].kernel, "k%u", i);
    }
    fclose(o);
    u32 bad = op_jobs_bad(&(struct op_jobs){text, job, n, bind, &b});

    free(text);
    return bad;
}

static const char *const forms[] = {
#define TEX(form) form,
#define TXQ(form)
#include "tests/props/forms_tex.inc"
#undef TEX
#undef TXQ
};

static void check(const char *geometry)
{
    u64 seed = 31;
    u32 bad = 0;

    n_case = 0;
    fill_texels(&seed);
    for (u32 i = 0; i < LEN(forms); i++)
        if (!strncmp(forms[i] + strlen("tex."), geometry, strlen(geometry)))
            add_formats(forms[i]);
    assert_true(n_case > 0);
    for (u32 i = 0; i < n_case; i += BATCH)
        bad += run_batch(cases + i, min_u32(BATCH, n_case - i), &seed);
    if (bad)
        fail_msg("%u runs differ from the reference", bad);
}

#define FAMILY(name, geometry)                                                                     \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check(geometry);                                                                           \
    }

FAMILY(tex_1d_in_all_formats_filters_and_edges, "1d")
FAMILY(tex_2d_in_all_formats_filters_and_edges, "2d")
FAMILY(tex_3d_in_all_formats_filters_and_edges, "3d")
FAMILY(tex_a1d_takes_a_layer, "a1d")
FAMILY(tex_a2d_takes_a_layer, "a2d")

/* ---- queries, and a texture that nobody bound */

static const char queries[] =
    OP_HEAD ".global .texref tx0;\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg "
            ".b32 %w<8>; .reg .b64 %d<4>; .reg .pred %p<2>;\n"
            "ld.param.u64 %d2, [out]; mov.u32 %w1, %tid.x; mad.wide.u32 %d2, %w1, 16, %d2; and.b32 "
            "%w2, %w1, 1; setp.eq.u32 %p1, %w2, 0;\n"
            "txq.width.b32 %w4, [tx0]; txq.height.b32 %w5, [tx0]; txq.depth.b32 %w6, [tx0]; "
            "mov.u32 %w7, 9; @%p1 txq.width.b32 %w7, [tx0];\n"
            "st.global.v4.u32 [%d2], {%w4, %w5, %w6, %w7}; ret;\n}\n";

static void txq_tells_the_size(void **state)
{
    static u32 want[64][4], in[1];
    struct fetch f = parse("tex.3d.v4.f32.s32");
    struct op_job job = {.what = "txq",
                         .kernel = "k",
                         .in = in,
                         .n_in = 4,
                         .want = want,
                         .n_want = sizeof want,
                         .grid = 1,
                         .block = 64};

    (void)state;
    n_case = 0;
    add_case(f, 1, 32, true, false, false, false, WRAP_CLAMP);
    for (u32 t = 0; t < 64; t++)
        memcpy(want[t], (u32[]){WIDTH, HEIGHT, DEPTH, t & 1 ? 9 : WIDTH}, sizeof want[t]);
    struct batch b = {cases, 1};

    assert_int_equal(op_jobs_bad(&(struct op_jobs){queries, &job, 1, bind, &b}), 0);
}

static void tex_of_an_unbound_texture_is_an_error(void **state)
{
    static const char text[] = OP_HEAD
        ".global .texref tx0;\n.visible .entry k()\n{\n.reg .b32 %w<8>;\nmov.u32 %w1, 0;\n"
        "tex.1d.v4.f32.s32 {%w2, %w3, %w4, %w5}, [tx0, {%w1}]; st.global.u32 [0], %w2; ret;\n}\n";
    struct kit k;

    (void)state;
    kit_open(&k, text, KIT_LOWER, NULL);
    assert_false(kit_try(&k, "k", 1, 32, NULL, 0));
    assert_non_null(strstr(k.e.msg, "is not bound"));
    kit_close(&k);
}

/* ---- objects: what a kernel gets is a handle */

static const char objects[] =
    OP_HEAD ".global .texref tx0;\n"
            ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 out)\n{\n"
            ".reg .b32 %w<16>; .reg .b64 %d<8>; .reg .pred %p<2>;\n"
            "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [out];\n"
            "mov.u32 %w1, %tid.x; mad.wide.u32 %d3, %w1, 8, %d3; and.b32 %w2, %w1, 1;\n"
            "setp.eq.u32 %p1, %w2, 0; selp.b64 %d4, %d1, %d2, %p1;\n"
            "tex.1d.v4.u32.s32 {%w4, %w5, %w6, %w7}, [%d4, {%w1}];\n"
            "txq.width.b32 %w8, [%d4]; st.global.v2.u32 [%d3], {%w4, %w8}; ret;\n}\n";

static struct texture texture_of(struct kit *k, u32 width, u32 factor)
{
    u32 v[64];

    for (u32 i = 0; i < 64; i++)
        v[i] = factor * i;
    return (struct texture){.addr = kit_buf(k, v, sizeof v),
                            .width = width,
                            .pitch = 4 * width,
                            .channels = 1,
                            .bits = 32};
}

static u64 object_of(struct kit *k, u32 width, u32 factor)
{
    struct texture t = texture_of(k, width, factor);

    return device_texture_new(k->d, &t);
}

/* Even lanes read one, odd lanes another, which has 40 texels and clamps. */
static void check_two(struct kit *k, u64 a, u64 b)
{
    u32 got[64][2];
    u64 out = kit_buf(k, NULL, sizeof got);

    assert_true(a && b && a != b);
    kit_run(k, "k", 1, 64, KIT_ARGS(a, b, out));
    kit_get(k, out, got, sizeof got);
    for (u32 i = 0; i < 64; i++) {
        assert_int_equal(got[i][0], i % 2 ? 5 * (i < 40 ? i : 39) : 3 * i);
        assert_int_equal(got[i][1], i % 2 ? 40 : 64);
    }
}

static void lanes_may_have_handles_of_different_objects(void **state)
{
    (void)state;
    for (u32 mode = 0; mode < 2; mode++) {
        struct kit k;

        kit_open(&k, objects, mode ? KIT_OFF : KIT_LOWER, NULL);
        check_two(&k, object_of(&k, 64, 3), object_of(&k, 40, 5));
        kit_close(&k);
    }
}

/* What is bound by name has a handle, too. */
static void lanes_may_have_handles_of_a_reference_and_an_object(void **state)
{
    struct kit k;

    (void)state;
    kit_open(&k, objects, KIT_LOWER, NULL);
    struct texture t = texture_of(&k, 64, 3);

    assert_true(device_bind_texture(k.d, k.p, "tx0", &t, &k.e));
    check_two(&k, HANDLE_REF, object_of(&k, 40, 5));
    kit_close(&k);
}

static void a_handle_of_nothing_is_an_error(void **state)
{
    static const u64 wrong[] = {0, 7, 0xc0000000, HANDLE_REF + 1};
    struct kit k;
    char what[80];

    (void)state;
    kit_open(&k, objects, KIT_LOWER, NULL);
    u64 a = object_of(&k, 64, 3), b = object_of(&k, 64, 5), out = kit_buf(&k, NULL, 512);

    for (u32 i = 0; i < LEN(wrong); i++) {
        snprintf(what, sizeof what, "0x%" PRIx64 " is no handle of a texture or surface", wrong[i]);
        assert_false(kit_try(&k, "k", 1, 64, KIT_ARGS(a, wrong[i], out)));
        assert_non_null(strstr(k.e.msg, what));
    }
    assert_false(kit_try(&k, "k", 1, 64, KIT_ARGS(a, HANDLE_REF, out)));
    assert_non_null(strstr(k.e.msg, "texture 'tx0' is not bound"));
    assert_true(device_texture_free(k.d, b, &k.e));
    assert_null(device_texture(k.d, b));
    assert_false(device_texture_free(k.d, b, &k.e));
    assert_false(kit_try(&k, "k", 1, 64, KIT_ARGS(a, b, out)));
    assert_true(device_texture(k.d, a)->width == 64);
    assert_true(object_of(&k, 64, 5) == b); /* its number is free again */
    kit_close(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tex_1d_in_all_formats_filters_and_edges),
    cmocka_unit_test(tex_2d_in_all_formats_filters_and_edges),
    cmocka_unit_test(tex_3d_in_all_formats_filters_and_edges),
    cmocka_unit_test(tex_a1d_takes_a_layer),
    cmocka_unit_test(tex_a2d_takes_a_layer),
    cmocka_unit_test(txq_tells_the_size),
    cmocka_unit_test(tex_of_an_unbound_texture_is_an_error),
    cmocka_unit_test(lanes_may_have_handles_of_different_objects),
    cmocka_unit_test(lanes_may_have_handles_of_a_reference_and_an_object),
    cmocka_unit_test(a_handle_of_nothing_is_an_error),
};

TEST_MAIN(tests)
