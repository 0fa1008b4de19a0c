/* t_issue_memory.c -- global stores and atomics that take effect later: the log and captures */
#include "tests/unit/issue.h"

#define HEAD ".version 6.0 .target sm_35 .address_size 64\n"

/* ---- who sees a store */

/* Warp 0 stores 100 + lane; then both warps load, by global and by generic address. */
static const char peeking[] = HEAD
    ".visible .entry k(.param .u64 buf, .param .u64 out) {\n"
    ".reg .b32 %r<6>; .reg .b64 %d<8>; .reg .pred %p;\n"
    "ld.param.u64 %d1, [buf]; ld.param.u64 %d2, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;\n"
    "mul.wide.u32 %d3, %r2, 4; add.u64 %d3, %d1, %d3; mul.wide.u32 %d4, %r1, 8;\n"
    "add.u64 %d4, %d2, %d4; setp.lt.u32 %p, %r1, 32; add.u32 %r3, %r2, 100;\n"
    "@%p st.global.u32 [%d3], %r3; ld.global.u32 %r4, [%d3]; ld.u32 %r5, [%d3];\n"
    "st.global.v2.u32 [%d4], {%r4, %r5}; ret; }\n";

static void a_logged_store_is_seen_by_its_own_group_only(void **state)
{
    u32 buf[32], out[64][2];
    struct store_log *log[2];
    struct exec other;
    struct rig r;

    (void)state;
    rig_open(&r, peeking, KIT_LOWER, 1);
    u64 b = kit_buf(&r.k, NULL, sizeof buf), o = kit_buf(&r.k, NULL, sizeof out);

    rig_launch(&r, "k", 64, KIT_ARGS(b, o));
    rig_exec(&r, &other);
    for (u32 i = 0; i < 2; i++)
        store_log_init(log[i] = xmalloc(sizeof *log[i]));
    r.x.log = log[0], other.log = log[1];
    rig_finish_on(&r, &r.x, &r.c->warp[0]);
    rig_finish_on(&r, &other, &r.c->warp[1]);
    kit_get(&r.k, b, buf, sizeof buf);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(buf[i], 0);
    store_logs_apply(log, 2);
    assert_int_equal(log[0]->n + log[1]->n, 0);
    kit_get(&r.k, b, buf, sizeof buf);
    kit_get(&r.k, o, out, sizeof out);
    for (u32 i = 0; i < 64; i++) {
        assert_int_equal(buf[i % 32], 100 + i % 32);
        assert_int_equal(out[i][0], i < 32 ? 100 + i : 0);
        assert_int_equal(out[i][1], out[i][0]);
    }
    for (u32 i = 0; i < 2; i++)
        store_log_free(log[i]), free(log[i]);
    exec_release(&other);
    rig_close(&r);
}

static void a_row_is_one_record(void **state)
{
    struct store_log log;
    struct rig r;

    (void)state;
    rig_open(&r, peeking, KIT_LOWER, 1);
    u64 b = kit_buf(&r.k, NULL, 4 * 32), o = kit_buf(&r.k, NULL, 8 * 32);

    rig_launch(&r, "k", 32, KIT_ARGS(b, o));
    store_log_init(&log);
    r.x.log = &log;
    rig_until(&r, &r.c->warp[0], "st.global");
    assert_int_equal(log.n, 1);
    rig_until(&r, &r.c->warp[0], "st.global"); /* pairs: neighbours, in two blocks */
    assert_int_equal(log.n, 3);
    store_logs_apply(&(struct store_log *){&log}, 1);
    assert_int_equal(log.n, 0);
    store_log_free(&log);
    rig_close(&r);
}

/* ---- random programs of overlapping stores and loads give what they give without a log */

enum { REGION = 2048, N_OPS = 60, N_VALUE = 8 };

struct program_text {
    char text[16384];
    size_t n;
    u32 n_load;
};

static PRINTF(2, 3) void say(struct program_text *t, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    int n = vsnprintf(t->text + t->n, sizeof t->text - t->n, format, ap);

    va_end(ap);
    assert_true(n >= 0 && t->n + (size_t)n < sizeof t->text);
    t->n += (size_t)n;
}

/* One access: b8 .. v4.b32, v2.b64 at a lane stride of 0 (all the same place) or 1 .. 16 bytes. */
static void say_access(struct program_text *t, u64 *seed)
{
    static const u32 width[] = {1, 2, 4, 8}, guard[] = {0, 0, 1, 2};
    u32 pick = (u32)rig_random(seed), w = width[pick & 3], vec = 1u << (pick >> 2) % 3;
    u32 bytes = w * vec > 16 ? (vec = 1, w) : w * vec;
    u32 least = (u32)__builtin_ctz(bytes) + 1, stride = (pick >> 5) % (6 - least + 1);
    u32 off = (pick >> 8) % 256 / bytes * bytes, g = guard[pick >> 16 & 3];
    bool store = pick >> 18 & 1, generic = pick >> 19 & 1;
    const char *reg = w == 8 ? "%q" : "%v";

    stride = stride ? stride + least - 1 : 0;
    stride = stride > 5 ? 5 : stride;
    if (g)
        say(t, "@%%p%u ", g);
    say(t, "%s%s%s.u%u ", store ? "st" : "ld", generic ? "" : ".global",
        vec == 4   ? ".v4"
        : vec == 2 ? ".v2"
                   : "",
        8 * w);
    if (store)
        say(t, "[%%a%u+%u], ", stride, off);
    say(t, "%s", vec > 1 ? "{" : "");
    for (u32 i = 0; i < vec; i++)
        say(t, "%s%s%u", i ? ", " : "", reg, ((pick >> 20) + i) % N_VALUE);
    say(t, "%s", vec > 1 ? "}" : "");
    if (!store)
        say(t, ", [%%a%u+%u]", stride, off);
    say(t, ";\n");
}

static void say_head(struct program_text *t)
{
    say(t, HEAD ".visible .entry k(.param .u64 buf, .param .u64 out) {\n"
                ".reg .b32 %%v<9>; .reg .b64 %%q<9>; .reg .b64 %%a<7>; .reg .b64 %%d<3>;\n"
                ".reg .b32 %%r<4>; .reg .pred %%p<4>; ld.param.u64 %%a0, [buf];\n"
                "ld.param.u64 %%d1, [out]; mov.u32 %%r1, %%tid.x; and.b32 %%r2, %%r1, 1;\n"
                "setp.eq.u32 %%p1, %%r2, 0; setp.lt.u32 %%p2, %%r1, 13; cvt.u64.u32 %%d2, %%r1;\n");
    for (u32 i = 1; i <= 5; i++)
        say(t, "shl.b64 %%a%u, %%d2, %u; add.u64 %%a%u, %%a%u, %%a0;\n", i, i - 1, i, i);
    for (u32 i = 0; i < N_VALUE; i++)
        say(t,
            "mad.lo.u32 %%v%u, %%r1, %u, %u; mul.wide.u32 %%q%u, %%v%u, 0x9e3779b1;\n"
            "mad.lo.u64 %%q%u, %%q%u, 0x2545f4914f6cdd1d, 77;\n",
            i, 2654435761u + 2 * i, 77777 * i + 1, i, i, i, i);
}

static void say_program(struct program_text *t, u64 *seed)
{
    t->n = 0;
    say_head(t);
    for (u32 i = 0; i < N_OPS; i++)
        say_access(t, seed);
    say(t, "shl.b64 %%d2, %%d2, 7; add.u64 %%d1, %%d1, %%d2;\n");
    for (u32 i = 0; i < N_VALUE; i++)
        say(t, "st.global.u32 [%%d1+%u], %%v%u; st.global.u64 [%%d1+%u], %%q%u;\n", 4 * i, i,
            64 + 8 * i, i);
    say(t, "ret; }\n");
}

struct outcome {
    u8 buf[REGION], out[64 * 128];
};

static void finish_with_log(struct rig *r, u64 *seed)
{
    struct store_log *log = xmalloc(sizeof *log);
    struct warp *w = &r->c->warp[0];

    store_log_init(log);
    r->x.log = log;
    while (!w->done) {
        assert_int_not_equal(rig_step(r, &r->x, w), STEP_FAULT);
        if (rig_random(seed) % 40 == 0)
            store_logs_apply(&log, 1);
    }
    store_logs_apply(&log, 1);
    store_log_free(log);
    free(log);
}

static void get_outcome(struct rig *r, u64 buf, u64 out, struct outcome *to)
{
    kit_get(&r->k, buf, to->buf, sizeof to->buf);
    kit_get(&r->k, out, to->out, sizeof to->out);
}

static void one_random_program(u64 seed, u32 words)
{
    static struct outcome zero, want, have;
    struct program_text *t = xcalloc(1, sizeof *t);
    struct rig r;

    say_program(t, &seed);
    rig_open(&r, t->text, seed & 1 ? KIT_LOWER : KIT_OFF, words);
    u64 buf = kit_buf(&r.k, zero.buf, sizeof zero.buf), out = kit_buf(&r.k, NULL, sizeof zero.out);

    kit_run(&r.k, "k", 1, 32 * words, KIT_ARGS(buf, out));
    get_outcome(&r, buf, out, &want);
    assert_true(device_write(r.k.d, buf, zero.buf, sizeof zero.buf, &r.k.e));
    assert_true(device_write(r.k.d, out, zero.out, sizeof zero.out, &r.k.e));
    rig_launch(&r, "k", 32 * words, KIT_ARGS(buf, out));
    finish_with_log(&r, &seed);
    get_outcome(&r, buf, out, &have);
    if (memcmp(&have, &want, sizeof want))
        fail_msg("the log changes what this program does:\n%s", t->text);
    rig_close(&r);
    free(t);
}

static void loads_see_every_overlap_of_their_own_log(void **state)
{
    (void)state;
    for (u64 seed = 1; seed <= 120; seed++)
        one_random_program(seed, 1 + seed % 2);
}

/* ---- the order of several logs */

enum { N_LOG = 3, N_STORE = 400, N_BYTE = 500 };

struct store {
    u64 cycle;
    u32 log, seq, at, n;
    u8 value;
};

static int by_order(const void *pa, const void *pb)
{
    const struct store *a = pa, *b = pb;

    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    return a->log != b->log ? a->log < b->log ? -1 : 1 : a->seq < b->seq ? -1 : 1;
}

static u32 random_stores(struct store *s, u64 *seed)
{
    u64 cycle[N_LOG] = {0};

    for (u32 i = 0; i < N_STORE; i++) {
        u64 v = rig_random(seed);
        u32 log = v % N_LOG, n = 1 + (v >> 8) % 40;

        cycle[log] += (v >> 20) % 4 == 0;
        s[i] = (struct store){cycle[log], log, i, (u32)(v >> 32) % (N_BYTE - n), n, (u8)i};
    }
    return N_STORE;
}

static void conflicts_are_decided_by_cycle_then_log_then_sequence(void **state)
{
    static struct store_log logs[N_LOG];
    struct store_log *log[N_LOG] = {&logs[0], &logs[1], &logs[2]};
    struct store s[N_STORE];
    u8 have[N_BYTE] = {0}, want[N_BYTE] = {0}, data[64];
    u64 seed = 9;

    (void)state;
    for (u32 i = 0; i < N_LOG; i++)
        store_log_init(log[i]);
    for (u32 round = 0; round < 50; round++) {
        u32 n = random_stores(s, &seed);

        for (u32 i = 0; i < n; i++) {
            memset(data, s[i].value, sizeof data);
            store_log_add(log[s[i].log], s[i].cycle, 0x1000 + s[i].at, have + s[i].at, data,
                          s[i].n);
        }
        qsort(s, n, sizeof s[0], by_order);
        for (u32 i = 0; i < n; i++)
            memset(want + s[i].at, s[i].value, s[i].n);
        store_logs_apply(log, N_LOG);
        assert_memory_equal(have, want, sizeof want);
    }
    for (u32 i = 0; i < N_LOG; i++)
        store_log_free(log[i]);
}

static void a_log_grows_and_can_be_used_again(void **state)
{
    static struct store_log l;
    static u64 have[20000];
    struct store_log *log = &l;

    (void)state;
    store_log_init(&l);
    for (u64 i = 0; i < LEN(have); i++) {
        u64 at = i * 7919 % LEN(have);

        store_log_add(&l, i, 8 * at, (u8 *)&have[at], &i, 8);
    }
    store_logs_apply(&log, 1);
    for (u64 i = 0; i < LEN(have); i++)
        assert_int_equal(have[i * 7919 % LEN(have)], i);
    for (u64 i = 0; i < LEN(have); i++)
        store_log_add(&l, i, 8 * i, (u8 *)&have[i], &i, 8);
    store_logs_apply(&log, 1);
    for (u64 i = 0; i < LEN(have); i++)
        assert_int_equal(have[i], i);
    store_log_free(&l);
}

/* ---- atomics */

/* Half of the lanes of the generic ones go to shared memory. */
#define ATOM_KERNEL(form, args)                                                                    \
    HEAD ".visible .entry k(.param .u64 buf, .param .u64 in, .param .u64 out) {\n"                 \
         ".shared .align 8 .b8 s[64]; .reg .b32 %%r<6>; .reg .b64 %%d<16>; .reg .b32 %%v<4>;\n"    \
         ".reg .pred %%p<3>; ld.param.u64 %%d1, [buf]; ld.param.u64 %%d2, [in];\n"                 \
         "ld.param.u64 %%d3, [out]; mov.u32 %%r1, %%tid.x; and.b32 %%r2, %%r1, 7;\n"               \
         "mul.wide.u32 %%d4, %%r2, 8; add.u64 %%d5, %%d1, %%d4; mov.u64 %%d6, s;\n"                \
         "add.u64 %%d7, %%d6, %%d4; cvta.shared.u64 %%d8, %%d7; ld.global.u64 %%d9, [%%d5];\n"     \
         "setp.lt.u32 %%p1, %%r1, 8; @%%p1 st.shared.u64 [%%d7], %%d9; bar.sync 0;\n"              \
         "mul.wide.u32 %%d10, %%r1, 16; add.u64 %%d2, %%d2, %%d10; add.u64 %%d3, %%d3, %%d10;\n"   \
         "ld.global.v2.u64 {%%d11, %%d12}, [%%d2]; cvt.u32.u64 %%v1, %%d11; cvt.u32.u64 %%v2, "    \
         "%%d12;\n"                                                                                \
         "and.b32 %%r3, %%r1, 4; setp.ne.u32 %%p2, %%r3, 0; mov.u64 %%d13, %%d5;\n"                \
         "%s mov.u64 %%d13, %%d8; mov.u64 %%d14, 1; mov.u32 %%v3, 1;\n"                            \
         "setp.ne.u32 %%p1, %%r1, 21; @%%p1 " form " " args ";\n"                                  \
         "st.global.u64 [%%d3], %%d14; st.global.u32 [%%d3+8], %%v3; bar.sync 0;\n"                \
         "ld.shared.u64 %%d9, [%%d7]; setp.lt.u32 %%p1, %%r1, 8; add.u64 %%d1, %%d1, %%d4;\n"      \
         "@%%p1 st.global.u64 [%%d1+64], %%d9; ret; }\n"

static const char *const forms[] = {
    "add.u32", "add.s32",  "add.u64",  "add.s64", "add.f32", "add.f64", "min.u32",
    "min.s32", "min.u64",  "min.s64",  "max.u32", "max.s32", "max.u64", "max.s64",
    "inc.u32", "dec.u32",  "and.b32",  "and.b64", "or.b32",  "or.b64",  "xor.b32",
    "xor.b64", "exch.b32", "exch.b64", "cas.b32", "cas.b64",
};

struct atoms {
    u64 buf[16], in[64][2], out[64][2];
};

/* Few different values, so that cas finds what it looks for; some are NaN or subnormal. */
static void fill(struct atoms *a, bool is_cas, u64 *seed)
{
    static const u64 odd[] = {0, 1, 0x7f800001, 0x7ff0000000000001, 0x8000000000000001, 0x007fffff};

    memset(a, 0, sizeof *a);
    for (u32 i = 0; i < 8; i++)
        a->buf[i] = is_cas ? rig_random(seed) % 3 : rig_random(seed);
    for (u32 i = 0; i < 128; i++) {
        u64 v = rig_random(seed);

        a->in[i / 2][i % 2] = is_cas ? v % 3 : v % 7 < LEN(odd) ? odd[v % 7] : rig_random(seed);
    }
}

static void write_atoms(struct rig *r, const u64 *at, const struct atoms *a)
{
    assert_true(device_write(r->k.d, at[0], a->buf, sizeof a->buf, &r->k.e));
    assert_true(device_write(r->k.d, at[1], a->in, sizeof a->in, &r->k.e));
    assert_true(device_write(r->k.d, at[2], a->out, sizeof a->out, &r->k.e));
}

static void read_atoms(struct rig *r, const u64 *at, struct atoms *a)
{
    kit_get(&r->k, at[0], a->buf, sizeof a->buf);
    kit_get(&r->k, at[1], a->in, sizeof a->in);
    kit_get(&r->k, at[2], a->out, sizeof a->out);
}

/* Warps in the order of a run: each to its end or a barrier. */
static void finish_in_order(struct rig *r)
{
    while (!cta_done(r->c))
        for (u32 i = 0; i < r->c->n_warp; i++) {
            struct warp *w = &r->c->warp[i];

            while (!w->done && w->waiting < 0)
                assert_int_not_equal(rig_step(r, &r->x, w), STEP_FAULT);
        }
}

static void deferred_is_direct(const char *text, u32 words, bool is_cas, u32 n_deferred)
{
    struct atoms start, want, have;
    u64 seed = words;
    struct rig r;

    rig_open(&r, text, KIT_LOWER, words);
    r.k.d->conf.sim.slice = 1000; /* to its end or a barrier, as finish_in_order does */
    const u64 at[] = {kit_buf(&r.k, NULL, sizeof start.buf), kit_buf(&r.k, NULL, sizeof start.in),
                      kit_buf(&r.k, NULL, sizeof start.out)};

    for (u32 round = 0; round < 4; round++) {
        fill(&start, is_cas, &seed);
        write_atoms(&r, at, &start);
        kit_run(&r.k, "k", 1, 64, at, 3);
        read_atoms(&r, at, &want);
        write_atoms(&r, at, &start);
        rig_launch(&r, "k", 64, at, 3);
        r.x.defer_atoms = true;
        r.n_atoms = 0;
        finish_in_order(&r);
        read_atoms(&r, at, &have);
        if (memcmp(&have, &want, sizeof want))
            fail_msg("deferred and direct differ (%u words):\n%s", words, text);
        assert_int_equal(r.n_atoms, n_deferred);
    }
    rig_close(&r);
}

static void each_form(const char *op, const char *address, u32 per_word)
{
    for (u32 i = 0; i < LEN(forms) * 2; i++) {
        const char *form = forms[i / 2];
        bool is64 = strstr(form, "64"), is_cas = !strncmp(form, "cas", 3);
        u32 words = 1 + i % 2;
        char *name, *text;

        if (!strcmp(op, "red") && (is_cas || !strncmp(form, "exch", 4)))
            continue;
        name = text_printf("%s%s.%s %s[%s], %s%s%s", op, strcmp(address, "%d13") ? ".global" : "",
                           form,
                           !strcmp(op, "red") ? ""
                           : is64             ? "%d14, "
                                              : "%v3, ",
                           address, is64 ? "%d11" : "%v1", is_cas ? ", " : "",
                           !is_cas ? ""
                           : is64  ? "%d12"
                                   : "%v2");
        text = text_printf(ATOM_KERNEL("%s", "%s"), "@%p2", name, "");
        deferred_is_direct(text, words, is_cas, per_word / words);
        free(name), free(text);
    }
}

static void deferred_atomics_are_direct_ones(void **state)
{
    (void)state;
    each_form("atom", "%d5", 2);
}

static void deferred_reductions_are_direct_ones(void **state)
{
    (void)state;
    each_form("red", "%d5", 2);
}

static void generic_atomics_do_shared_lanes_at_once_and_global_ones_later(void **state)
{
    (void)state;
    each_form("atom", "%d13", 2);
    each_form("red", "%d13", 2);
}

static const char capturing[] =
    HEAD ".visible .entry k(.param .u64 buf) { .reg .b32 %r<4>; .reg .b64 %d<5>; .reg .pred %p;\n"
         "ld.param.u64 %d1, [buf]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;\n"
         "add.u64 %d3, %d1, %d2; setp.gt.u32 %p, %r1, 39; mov.u32 %r2, 5;\n"
         "@%p atom.global.max.s32 %r2, [%d3], %r1; st.global.u32 [%d3], %r2;\n"
         "red.global.add.u32 [%d1+400], 1; ret; }\n";

static void a_capture_says_what_is_to_be_done(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, capturing, KIT_LOWER, 2);
    u64 buf = kit_buf(&r.k, NULL, 256);

    rig_launch(&r, "k", 64, KIT_ARGS(buf));
    r.x.defer_atoms = true;
    const struct atom_capture *a = &r.x.atom;

    do
        exec_issue(&r.x, &r.c->warp[0]);
    while (!rig_is(&r.x, "atom"));
    assert_int_equal(a->mask[0], 0);
    assert_int_equal(a->mask[1], 0xffffff00);
    assert_int_equal(a->op, ATOM_MAX);
    assert_int_equal(a->type, OT_s32);
    assert_int_equal(a->bytes, 4);
    assert_int_equal(a->n_word, 2);
    assert_true(a->has_dst);
    assert_int_equal(a->word[1].addr[9], buf + 4 * 41);
    assert_int_equal(a->word[1].b[9], 41);
    exec_issue(&r.x, &r.c->warp[0]);
    assert_int_equal(a->mask[0] | a->mask[1], 0); /* no atomic, no lanes */
    rig_close(&r);
}

static void a_deferred_atomic_is_checked_at_once(void **state)
{
    enum step s = STEP_GO;
    struct rig r;

    (void)state;
    rig_open(&r, capturing, KIT_LOWER, 2);
    u64 buf = kit_buf(&r.k, NULL, 256);

    rig_launch(&r, "k", 64, KIT_ARGS(buf));
    r.x.defer_atoms = true;
    while (s == STEP_GO)
        s = rig_step(&r, &r.x, &r.c->warp[0]);
    assert_int_equal(s, STEP_FAULT);
    assert_int_equal(r.x.fault, FAULT_BOUNDS);
    assert_int_equal(r.x.fault_addr, buf + 400);
    assert_true(rig_is(&r.x, "red"));
    rig_close(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_logged_store_is_seen_by_its_own_group_only),
    cmocka_unit_test(a_row_is_one_record),
    cmocka_unit_test(loads_see_every_overlap_of_their_own_log),
    cmocka_unit_test(conflicts_are_decided_by_cycle_then_log_then_sequence),
    cmocka_unit_test(a_log_grows_and_can_be_used_again),
    cmocka_unit_test(deferred_atomics_are_direct_ones),
    cmocka_unit_test(deferred_reductions_are_direct_ones),
    cmocka_unit_test(generic_atomics_do_shared_lanes_at_once_and_global_ones_later),
    cmocka_unit_test(a_capture_says_what_is_to_be_done),
    cmocka_unit_test(a_deferred_atomic_is_checked_at_once),
};

TEST_MAIN(tests)
