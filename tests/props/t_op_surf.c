/*
 * t_op_surf.c -- surface loads, stores and reductions against a table of bytes
 *
 * A surface of 16 x 6 x 3 texels of 8 bytes, rows 160 bytes apart, that a kernel has by its handle
 * or by the name of a variable.  One warp, so that of lanes at one place the highest is the last.
 */
#include "tests/props/op_job.h"

enum { N = 32, WIDTH = 16, HEIGHT = 6, DEPTH = 3, TEXEL = 8, PITCH = 160, MAX_FORM = 400 };

struct access {
    const char *form;
    u32 dims, vec, bytes; /* bytes: of an element */
    bool array;
    char edge;     /* t c z */
    char kind;     /* l s r */
    char type;     /* of a reduction: u s b */
    char op[4];    /* likewise */
    u32 texels[3]; /* of the surface, 0 where the geometry has none */
};

static u8 memory[PITCH * HEIGHT * DEPTH], before[sizeof memory];
static u32 coord[N][4];
static u64 value[N][4];

/* ---- what a form means */

static struct access parse(const char *form)
{
    struct access a = {.form = form, .vec = 1, .kind = form[2]};
    const char *at = form + strlen("suld.b.");

    if (a.kind == 'r') {
        at = form + strlen("sured.b.");
        snprintf(a.op, sizeof a.op, "%.*s", (int)strcspn(at, "."), at);
        at += strcspn(at, ".") + 1;
    }
    a.array = *at == 'a', at += a.array;
    a.dims = (u32)(*at - '0'), at += strlen("1d.");
    if (*at == 'v')
        a.vec = (u32)(at[1] - '0'), at += strlen("v2.");
    a.type = *at;
    a.bytes = (u32)strtoul(at + 1, NULL, 10) / 8;
    a.edge = strchr(at, '.')[1];
    a.texels[0] = WIDTH, a.texels[1] = a.dims + a.array > 1 ? HEIGHT : 0;
    a.texels[2] = a.dims + a.array > 2 ? DEPTH : 0;
    return a;
}

/* Where thread t's bytes are; NULL: it is beyond the edge and nothing happens. */
static u8 *place(const struct access *a, u32 t)
{
    s64 at[3] = {0, 0, 0}, n = a->vec * a->bytes;

    for (u32 d = 0; d < a->dims; d++)
        at[d] = (s32)coord[t][d + a->array];
    if (a->array)
        at[a->dims] = (s32)coord[t][0];
    for (u32 d = 0; d < 3; d++) {
        s64 last = d == 0 ? WIDTH * TEXEL - n : a->texels[d] ? a->texels[d] - 1 : 0;

        if (at[d] >= 0 && at[d] <= last)
            continue;
        if (a->edge == 'z')
            return NULL;
        at[d] = at[d] < 0 ? 0 : last;
    }
    return memory + at[2] * HEIGHT * PITCH + at[1] * PITCH + at[0];
}

static u64 reduced(const struct access *a, u64 old, u64 b)
{
    bool less = a->type == 's' ? (s32)old < (s32)b : old < b;

    if (!strcmp(a->op, "add"))
        return old + b;
    if (!strcmp(a->op, "min"))
        return less ? old : b;
    if (!strcmp(a->op, "max"))
        return less ? b : old;
    return !strcmp(a->op, "and") ? old & b : old | b;
}

/* Threads whose guard holds; results of a load that nobody makes stay as they were. */
static bool is_on(u32 t, bool guarded)
{
    return !guarded || (t & 6) == 4;
}

static void expect(const struct access *a, bool guarded, u64 out[N][4])
{
    for (u32 t = 0; t < N; t++) {
        u8 *p = place(a, t);

        for (u32 k = 0; k < 4; k++)
            out[t][k] = k + 1;
        for (u32 k = 0; k < a->vec && is_on(t, guarded); k++) {
            u64 v = 0;

            if (p)
                memcpy(&v, p + k * a->bytes, a->bytes);
            if (a->kind == 'l')
                out[t][k] = v;
            v = a->kind == 'r' ? reduced(a, v, value[t][0]) : value[t][k];
            if (p && a->kind != 'l')
                memcpy(p + k * a->bytes, &v, a->bytes);
        }
    }
}

/* ---- kernels */

static char reg_of(const struct access *a)
{
    return a->bytes == 8 ? 'd' : a->bytes == 4 ? 'w' : 'h';
}

static void put_data(FILE *o, const struct access *a)
{
    char r = reg_of(a);

    for (u32 k = 0; k < a->vec; k++)
        fprintf(o, "%s%%%c%u%s",
                k            ? ", "
                : a->vec > 1 ? "{"
                             : "",
                r, 10 + k, k + 1 == a->vec && a->vec > 1 ? "}" : "");
}

static void put_access(FILE *o, const struct access *a, const char *guard, const char *surface)
{
    static const char *const at[] = {"", "{%w4}", "{%w4, %w5}", "{%w4, %w5, %w6, %w7}"};

    fprintf(o, "%s%s ", guard, a->form);
    if (a->kind == 'l')
        put_data(o, a), fputs(", ", o);
    fprintf(o, "[%s, %s]", surface, at[a->dims + a->array]);
    if (a->kind != 'l')
        fputs(", ", o), put_data(o, a);
    fputs(";\n", o);
}

/* Kernel k<id>: v 0 through a handle, 1 guarded, 2 by name. */
static void put_kernel(FILE *o, const struct access *a, u32 id)
{
    static const char *const guard[] = {"", "@%p1 ", ""}, *const surface[] = {"%d1", "%d1", "sf"};
    const char *t = a->bytes == 8 ? "u64" : a->bytes == 4 ? "u32" : "u16";

    for (u32 v = 0; v < 3; v++) {
        fprintf(
            o,
            ".visible .entry k%u_%u(.param .u64 h, .param .u64 in, .param .u64 val, .param .u64 "
            "out)\n{\n.reg .b16 %%h<16>; .reg .b32 %%w<16>; .reg .b64 %%d<16>; .reg .pred "
            "%%p<2>;\n"
            "ld.param.u64 %%d1, [h]; ld.param.u64 %%d2, [in]; ld.param.u64 %%d3, [val]; "
            "ld.param.u64 %%d4, [out]; mov.u32 %%w1, %%tid.x;\n"
            "mad.wide.u32 %%d2, %%w1, 16, %%d2; mad.wide.u32 %%d3, %%w1, 32, %%d3; "
            "mad.wide.u32 %%d4, %%w1, 32, %%d4; and.b32 %%w2, %%w1, 6; setp.eq.u32 %%p1, "
            "%%w2, 4;\nld.global.v4.u32 {%%w4, %%w5, %%w6, %%w7}, [%%d2];\n",
            id, v);
        for (u32 k = 0; k < a->vec; k++)
            fprintf(o, "ld.global.%s %%%c%u, [%%d%u+%u];\n", t, reg_of(a), 10 + k,
                    a->kind == 'l' ? 4 : 3, 8 * k);
        put_access(o, a, guard[v], surface[v]);
        for (u32 k = 0; k < a->vec && a->kind == 'l'; k++)
            fprintf(o, "st.global.%s [%%d4+%u], %%%c%u;\n", t, 8 * k, reg_of(a), 10 + k);
        fputs("ret;\n}\n", o);
    }
}

/* ---- running them */

/* Three in four inside; multiples of the access in x. */
static void fill(const struct access *a, u64 *seed)
{
    u32 n = a->vec * a->bytes;

    for (u32 t = 0; t < N; t++) {
        bool inside = a->edge == 't' || op_random(seed) % 4;

        for (u32 d = 0; d < 3; d++) {
            u32 k = a->array ? d == a->dims ? 0 : d + 1 : d;
            s64 most = d == 0         ? WIDTH * TEXEL / n
                       : a->texels[d] ? a->texels[d]
                                      : 1,
                i = inside ? (s64)(op_random(seed) % (u64)most)
                           : (s64)(op_random(seed) % (u64)(3 * most)) - most;

            coord[t][k] = (u32)(d == 0 ? i * n : i);
        }
        for (u32 k = 0; k < 4; k++)
            value[t][k] = op_random(seed);
        if (a->bytes == 4)
            value[t][0] = (u32)value[t][0];
    }
    for (u32 i = 0; i < sizeof before; i++)
        before[i] = (u8)op_random(seed);
}

/* Results are 8 bytes apart and as wide as their register. */
static bool same_results(const struct access *a, u64 got[N][4], u64 want[N][4])
{
    u64 mask = a->bytes == 8 ? ~0ull : a->bytes == 4 ? 0xffffffff : 0xffff;

    for (u32 t = 0; t < N; t++)
        for (u32 k = 0; k < a->vec && a->kind == 'l'; k++)
            if ((got[t][k] & mask) != (want[t][k] & mask))
                return false;
    return true;
}

static bool runs(struct kit *k, const struct access *a, u32 id, u32 v, u64 buf[4])
{
    u64 out[N][4], want[N][4];
    u8 now[sizeof memory];
    char name[32];
    struct texture t = {.addr = buf[0],
                        .width = WIDTH,
                        .height = a->texels[1],
                        .depth = a->texels[2],
                        .pitch = PITCH,
                        .channels = 2,
                        .bits = 32};
    u64 handle = device_texture_new(k->d, &t);

    for (u32 i = 0; i < N * 4; i++)
        out[i / 4][i % 4] = i % 4 + 1;
    assert_true(device_bind_texture(k->d, k->p, "sf", &t, &k->e));
    assert_true(device_write(k->d, buf[0], before, sizeof before, &k->e) &&
                device_write(k->d, buf[1], coord, sizeof coord, &k->e) &&
                device_write(k->d, buf[2], value, sizeof value, &k->e) &&
                device_write(k->d, buf[3], out, sizeof out, &k->e));
    snprintf(name, sizeof name, "k%u_%u", id, v);
    kit_run(k, name, 1, N, KIT_ARGS(handle, buf[1], buf[2], buf[3]));
    kit_get(k, buf[0], now, sizeof now);
    kit_get(k, buf[3], out, sizeof out);
    assert_true(device_texture_free(k->d, handle, &k->e));
    memcpy(memory, before, sizeof memory);
    expect(a, v == 1, want);
    return same_results(a, out, want) && !memcmp(now, memory, sizeof memory);
}

static const char *const all[] = {
#define SULD(form) form,
#define SUST(form) form,
#define SURED(form) form,
#define SUQ(form)
#include "tests/props/forms_surf.inc"
#undef SULD
#undef SUST
#undef SURED
#undef SUQ
};

static u32 run_forms(const struct access *a, u32 n, const char *text, bool off)
{
    struct kit k;
    u64 buf[4], seed = 99;
    u32 bad = 0;

    kit_open(&k, text, off ? KIT_OFF : KIT_LOWER, NULL);
    buf[0] = kit_buf(&k, before, sizeof before), buf[1] = kit_buf(&k, coord, sizeof coord);
    buf[2] = kit_buf(&k, value, sizeof value), buf[3] = kit_buf(&k, NULL, sizeof(u64[N][4]));
    for (u32 i = 0; i < n; i++)
        for (u32 v = 0; v < 3; v++) {
            fill(&a[i], &seed);
            if (runs(&k, &a[i], i, v, buf))
                continue;
            printf("%s, variant %u, %s differs\n", a[i].form, v, off ? "not lowered" : "lowered");
            bad++;
        }
    kit_close(&k);
    return bad;
}

static void check(const char *family)
{
    static struct access a[MAX_FORM];
    u32 n = 0, bad = 0;
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);

    fputs(OP_HEAD ".global .surfref sf;\n", o);
    for (u32 i = 0; i < LEN(all); i++)
        if (!strncmp(all[i], family, strlen(family))) {
            assert_true(n < MAX_FORM);
            a[n] = parse(all[i]);
            put_kernel(o, &a[n], n), n++;
        }
    fclose(o);
    assert_true(n > 0);
    for (u32 off = 0; off < 2; off++)
        bad += run_forms(a, n, text, off);
    free(text);
    if (bad)
        fail_msg("%u runs differ from the reference", bad);
}

static void suld_reads_bytes_at_coordinates(void **state)
{
    (void)state;
    check("suld");
}

static void sust_writes_bytes_at_coordinates(void **state)
{
    (void)state;
    check("sust");
}

static void sured_reduces_at_coordinates(void **state)
{
    (void)state;
    check("sured");
}

/* ---- queries, and what is beyond the edge with .trap */

static const char queries[] =
    OP_HEAD ".visible .entry k(.param .u64 h, .param .u64 out, .param .u32 x)\n{\n.reg .b32 %w<8>; "
            ".reg .b64 %d<4>;\nld.param.u64 %d1, [h]; ld.param.u64 %d2, [out]; ld.param.u32 %w6, "
            "[x];\nsuq.width.b32 %w1, [%d1]; suq.height.b32 %w2, [%d1]; suq.depth.b32 %w3, [%d1]; "
            "suq.array_size.b32 %w4, [%d1];\nst.global.v4.u32 [%d2], {%w1, %w2, %w3, %w4};\n"
            "suld.b.1d.b32.trap %w5, [%d1, {%w6}]; st.global.u32 [%d2+16], %w5; ret;\n}\n";

static void suq_tells_the_size_and_trap_stops(void **state)
{
    struct kit k;
    struct texture t = {
        .width = 5, .height = 4, .depth = 3, .pitch = 64, .channels = 1, .bits = 32};
    u32 got[5];

    (void)state;
    kit_open(&k, queries, KIT_LOWER, NULL);
    u64 out = kit_buf(&k, NULL, sizeof got);

    t.addr = kit_buf(&k, before, sizeof before);
    u64 handle = device_texture_new(k.d, &t);

    assert_false(kit_try(&k, "k", 1, 1, KIT_ARGS(handle, out, 20)));
    assert_non_null(strstr(k.e.msg, "byte 20 of row 0 is outside of the surface"));
    assert_false(kit_try(&k, "k", 1, 1, KIT_ARGS(handle, out, (u32)-4)));
    kit_run(&k, "k", 1, 1, KIT_ARGS(handle, out, 16));
    kit_get(&k, out, got, sizeof got);
    assert_memory_equal(got, ((u32[]){5, 4, 3, 3}), 16);
    assert_memory_equal(&got[4], &before[16], 4);
    kit_close(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(suld_reads_bytes_at_coordinates),
    cmocka_unit_test(sust_writes_bytes_at_coordinates),
    cmocka_unit_test(sured_reduces_at_coordinates),
    cmocka_unit_test(suq_tells_the_size_and_trap_stops),
};

TEST_MAIN(tests)
