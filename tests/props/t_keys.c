/*
 * t_keys.c -- each key does something: with another value than the GPU's, results, counters, energy or
 * area move where a program uses what the key is about, or the value is refused with a reason.
 *
 * The values that are tried follow from the key's kind and range.  A key that needs more than the
 * kernels of keys.ptx on a small GPU has a row in `rows`; one that moves nothing that is seen here has one
 * in `unseen`, which says why.  So a new key that moves nothing fails here.
 */
#include <math.h>
#include <inttypes.h>

#include "base/hash.h"
#include "conf/settings.h"
#include "mech/mech.h"
#include "places.h"
#include "report/report_parts.h"
#include "tests/kit.h"

struct stage {                    /* where a key is tried */
    const char *gpu, *set, *mech; /* set: separated by blanks; NULL: none */
    const char *kernel;           /* of keys.ptx; NULL: classes and traffic */
    u32 grid, block;              /* 0: 4, 64 */
    bool functional;
};

#define TINY .gpu = "tiny"
#define FERMI .gpu = "gtx480", .set = "gpu.n_sm=2"
#define VOLTA .gpu = "v100", .set = "gpu.n_sm=2"

#define SPLITTING                                                                                  \
    .gpu = "amoeba", .set = "gpu.n_sm=4",                                                          \
    .mech = "amoeba:predictor=always,period=10,threshold=1,fuse_cycles=2", .kernel = "hits",       \
    .grid = 32, .block = 256
#define GATING                                                                                     \
    .gpu = "gates", .set = "gpu.n_sm=1", .mech = "gates:epoch=40,threshold=0,quiet_epochs=2",      \
    .kernel = "classes", .grid = 8, .block = 256

static const struct stage usual[] = {
    {TINY},
    {FERMI},
    {VOLTA},
};

struct row {
    const char *key;
    struct stage stage;
    const char *values; /* separated by blanks; NULL: those that follow from its kind */
    bool limit;         /* it is one: that a value is refused is what it does */
};

static const struct row rows[] = {
    {.key = "sm.max_regs_thread", .stage = {VOLTA, .kernel = "products"}},
    {.key = "sm.scheduler", .stage = {FERMI}, .values = "lrr two_level"},
    {.key = "sm.active_warps",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 sm.scheduler=two_level"}},
    {.key = "sm.dual_issue", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 sm.issue_width=2"}},
    {.key = "sm.war_readers", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 sm.war=read"}},
    {.key = "sm.thread_scheduling", .stage = {VOLTA, .kernel = "lock", .grid = 1}},
    {.key = "sm.yield_after", .stage = {VOLTA, .kernel = "lock", .grid = 1}},
    {.key = "sm.yield_loops", .stage = {VOLTA, .kernel = "lock", .grid = 1}},
    {.key = "sm.cu_tensor",
     .stage =
         {.gpu = "v100",
          .set =
              "gpu.n_sm=1 sm.cu_any=0 sm.cu_sp=4 sm.cu_sfu=4 sm.cu_dp=4 sm.cu_mem=4 sm.cu_tensor=4",
          .kernel = "products",
          .grid = 8,
          .block = 256}},
    {.key = "sm.width_tensor", .stage = {VOLTA, .kernel = "products", .grid = 8, .block = 256}},
    {.key = "sm.tensor_units", .stage = {VOLTA, .kernel = "products", .grid = 8, .block = 256}},
    {.key = "sm.const_wait",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 sm.scheduler=two_level sm.active_warps=1",
               .kernel = "constants",
               .block = 256}},
    {.key = "sm.wide_issue", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 sm.warp_words=2"}},
    {.key = "sm.wide_memory", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 sm.warp_words=2"}},
    {.key = "sm.sp_ports", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 sm.sp_split=on"}},
    {.key = "sm.reply_fifo",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 sm.banks=1 noc.kind=ideal noc.latency=1 mem.rop_latency=0"}},
    {.key = "sm.reply_queue",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 sm.reply_fifo=1 sm.smem_latency=1 noc.kind=ideal noc.latency=1 "
                      "mem.rop_latency=0 sm.banks=1"}},

    {.key = "op.mma_lat", .stage = {VOLTA, .kernel = "products"}},
    {.key = "op.mma_step_lat", .stage = {VOLTA, .kernel = "steps"}},
    {.key = "op.mma_f16", .stage = {VOLTA, .kernel = "products"}},
    {.key = "op.mma_tf32", .stage = {VOLTA, .kernel = "products"}},
    {.key = "op.mma_f64", .stage = {VOLTA, .kernel = "products"}},
    {.key = "op.mma_x8", .stage = {VOLTA, .kernel = "products"}},
    {.key = "op.mma_x4", .stage = {VOLTA, .kernel = "products"}},
    {.key = "op.mma_b1", .stage = {VOLTA, .kernel = "products"}},

    {.key = "l1i.size", .stage = {TINY}, .values = "4K 8K"},
    {.key = "l1i.index",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 l1i.line=32 l1i.sets=8 l1i.ways=1 sm.inst_bytes=16"}},
    {.key = "l1i.alloc", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 l1i.sets=2 l1i.ways=1"}},
    {.key = "l1i.mshrs",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 l1i.sets=1 l1i.ways=2 l1i.line=32 sm.fetch_width=4",
               .kernel = "classes",
               .grid = 8,
               .block = 256}},
    {.key = "l1d.size", .stage = {TINY}, .values = "4K 8K"},
    {.key = "l1d.alloc", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 l1d.write=through"}},
    {.key = "l1d.write", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "hits"}},
    {.key = "l1c.size", .stage = {TINY, .kernel = "constants"}, .values = "2K 4K"},
    {.key = "l1c.index", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "constants"}},
    {.key = "l1c.alloc",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 l1c.sets=1 l1c.ways=2 l1c.mshrs=8 l1c.line=32",
               .kernel = "constants"}},
    {.key = "l1c.mshrs", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "constants"}},
    {.key = "l1c.miss_queue",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 l1c.mshrs=32 noc.inject_flits=1 noc.mhz=100",
               .kernel = "constants"}},
    {.key = "l1t.sets", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"}},
    {.key = "l1t.size", .stage = {TINY, .kernel = "texels"}, .values = "2K 4K"},
    {.key = "l1t.ways", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"}},
    {.key = "l1t.line",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"},
     .values = "32 64"},
    {.key = "l1t.sector",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"},
     .values = "0 32"},
    {.key = "l1t.index",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 l1t.sets=32 l1t.ways=1", .kernel = "texels"}},
    {.key = "l1t.alloc",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 l1t.ways=1 l1t.sets=4", .kernel = "texels"}},
    {.key = "l1t.mshrs", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"}},
    {.key = "l1t.merges", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"}},
    {.key = "l1t.miss_queue",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=1 l1t.mshrs=32 noc.inject_flits=1 noc.mhz=100",
               .kernel = "texels"}},
    {.key = "l1t.latency", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"}},
    {.key = "l1t.banks", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "texels"}},
    {.key = "l2.size", .stage = {TINY}, .values = "8K 16K"},
    {.key = "l2.alloc",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1 l2.write=through l2.sets=1 l2.ways=2"}},
    {.key = "noc.mhz", .stage = {FERMI}, .values = "350"},
    {.key = "noc.router_stages", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh"}},
    {.key = "noc.link_latency", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh"}},
    {.key = "noc.vcs",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh noc.buffer_flits=2"}},
    {.key = "noc.vc",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh noc.buffer_flits=2"}},
    {.key = "noc.input_speedup",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh noc.buffer_flits=2"}},
    {.key = "noc.map",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh mem.channels=4"}},
    {.key = "noc.mesh_width", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh"}},

    {.key = "mem.l2_requests", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 l2.sector=0"}},
    {.key = "mem.dram_credits",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 dram.queue=1 dram.return_queue=1"}},
    {.key = "mem.size", .stage = {TINY}, .values = "1M", .limit = true},
    {.key = "mem.heap", .stage = {VOLTA, .kernel = "heap"}, .values = "64K"},
    {.key = "mem.bounds", .stage = {TINY, .kernel = "stray"}},
    {.key = "mem.slack", .stage = {.gpu = "tiny", .set = "mem.bounds=slack", .kernel = "stray"}},
    {.key = "mem.channel_hash", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 mem.channels=4"}},
    {.key = "mem.bank_bits", .stage = {FERMI}, .values = "8,9,10,11"},

    {.key = "dram.scheduler", .stage = {FERMI}, .values = "fcfs"},
    {.key = "power.table", .stage = {FERMI}, .values = "pascal16"},
    {.key = "power.lane_off_sfu", .stage = {FERMI, .kernel = "classes", .block = 40}},
    {.key = "power.e_tensor", .stage = {VOLTA, .kernel = "products"}},
    {.key = "power.e_l1_write_hit",
     .stage = {.gpu = "gtx480", .set = "gpu.n_sm=1", .kernel = "hits"}},
    {.key = "power.e_tex_hit", .stage = {FERMI, .kernel = "texels"}},
    {.key = "power.e_tex_miss", .stage = {FERMI, .kernel = "texels"}},
    {.key = "power.e_noc_hop", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 noc.kind=mesh"}},
    {.key = "power.e_dram_write", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 l2.write=through"}},
    {.key = "power.ref_tex_cache", .stage = {FERMI, .kernel = "texels"}},
    {.key = "power.ref_tex_cache_ways", .stage = {FERMI, .kernel = "texels"}},
    {.key = "power.ref_tex_cache_banks", .stage = {FERMI, .kernel = "texels"}},

    {.key = "dram.banks", .stage = {FERMI}, .limit = true}, /* mem.bank_bits says how many */
    {.key = "front.count", .stage = {.gpu = "gtx480", .set = "gpu.n_sm=2 front.lower=off"}},
    {.key = "front.regs", .stage = {FERMI}, .values = "60"},
    {.key = "front.max_regs", .stage = {FERMI}, .values = "16"},
    {.key = "front.call_depth", .stage = {VOLTA, .kernel = "calls"}},
    {.key = "sim.slice", .stage = {FERMI, .kernel = "lock", .grid = 1, .functional = true}},
    {.key = "sim.watchdog", .stage = {TINY, .kernel = "loop", .grid = 1}, .values = "1000 100000"},
    /* of mechanisms: those of all their keys that have none of their own */
    {.key = "amoeba.",
     .stage = {.gpu = "amoeba",
               .set = "gpu.n_sm=4",
               .mech = "amoeba:predictor=always,period=100",
               .grid = 16,
               .block = 128,
               .kernel = "traffic"}},
    {.key = "amoeba.predictor",
     .stage = {.gpu = "amoeba",
               .set = "gpu.n_sm=4",
               .mech = "amoeba:predictor=always",
               .grid = 16,
               .block = 128,
               .kernel = "traffic"},
     .values = "never"},
    {.key = "amoeba.period", .stage = {SPLITTING}},
    {.key = "amoeba.divergence", .stage = {SPLITTING}},
    {.key = "amoeba.group", .stage = {SPLITTING}},
    {.key = "amoeba.switch_cycles", .stage = {SPLITTING}},
    {.key = "amoeba.move", .stage = {SPLITTING}},
    {.key = "amoeba.uncut", .stage = {SPLITTING}},
    {.key = "amoeba.stalling", .stage = {SPLITTING}},
    {.key = "buddy.patience",
     .stage = {.gpu = "buddy",
               .set = "gpu.n_sm=4",
               .mech = "buddy:regroup=halfway",
               .grid = 14,
               .block = 96,
               .kernel = "classes"}},
    {.key = "gates.epoch", .stage = {GATING}},
    {.key = "gates.quiet_epochs", .stage = {GATING}},
    {.key = "gates.detect_max", .stage = {GATING}},
    {.key = "gates.max_switch", .stage = {GATING}, .values = "3 10 100"},
    {.key = "noop.off_parts", .stage = {FERMI, .mech = "noop:off=regfile"}},
    {.key = "socgpu.oldest",
     .stage = {.gpu = "socgpu",
               .set = "gpu.n_sm=2",
               .mech = "socgpu",
               .kernel = "lock",
               .grid = 4,
               .block = 128}},
    {.key = "bind.",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=4",
               .mech = "bind:kind=lock_step,part=500",
               .grid = 8,
               .block = 64,
               .kernel = "traffic"}},
    {.key = "bind.l1d",
     .stage = {.gpu = "gtx480",
               .set = "gpu.n_sm=4",
               .mech = "bind:kind=wide",
               .grid = 8,
               .block = 64,
               .kernel = "traffic"}},
    {.key = "buddy.",
     .stage = {.gpu = "buddy",
               .set = "gpu.n_sm=4",
               .mech = "buddy",
               .grid = 14,
               .block = 96,
               .kernel = "classes"}},
    {.key = "dws.", .stage = {FERMI, .mech = "dws"}},
    {.key = "gates.", .stage = {.gpu = "gates", .set = "gpu.n_sm=2", .mech = "gates:epoch=100"}},
    {.key = "noop.", .stage = {FERMI, .mech = "noop:off=sfu"}},
    {.key = "noop.off", .stage = {FERMI, .mech = "noop"}, .values = "sfu"},
    {.key = "noop.issue_to", .stage = {FERMI, .mech = "noop:issue_pj=1"}, .values = "sfu"},
    {.key = "share.",
     .stage = {.gpu = "share",
               .set = "gpu.n_sm=4",
               .mech = "share:scheme=occ",
               .grid = 32,
               .block = 256,
               .kernel = "classes"}},
    {.key = "share.place", /* 10 warps of 48 registers fit an SM: CTAs of six leave room in both */
     .stage = {.gpu = "share",
               .set = "gpu.n_sm=2 front.regs=48",
               .mech = "share:scheme=occ",
               .grid = 16,
               .block = 192}},
    {.key = "share.scheme",
     .stage = {.gpu = "share",
               .set = "gpu.n_sm=4",
               .mech = "share",
               .grid = 32,
               .block = 256,
               .kernel = "classes"},
     .values = "occ"},
    {.key = "socgpu.", .stage = {.gpu = "socgpu", .set = "gpu.n_sm=2", .mech = "socgpu"}},
    {.key = "socgpu.seed",
     .stage = {.gpu = "socgpu", .set = "gpu.n_sm=2", .mech = "socgpu:policy=random"}},
};

static const struct unseen {
    const char *key, *why;
} unseen[] = {
    {"gpu.spread", "CTAs go round equal SMs anyway; where SMs are not equal: tests/micro/t_lend.c"},
    {"noop.model", "the file is read and not used"},
    {"amoeba.remember", "it is about a second launch: tests/micro/t_amoeba_control.c"},
    {"amoeba.group",
     "which lanes go together matters when they differ for long: tests/micro/t_amoeba.c"},
    {"buddy.icache", "it is about a second launch: tests/micro/t_buddy.c"},
    {"amoeba.fast", "halves are moved when no whole warp is left: tests/micro/t_amoeba.c"},
    {"socgpu.oldest", "matters where paths meet with much under way: tests/micro/t_socgpu.c"},
    {"mem.const_size", "the runtime refuses modules: src/rt/rt_module.c"},
    {"gpu.name", "only programs are told: rt_props.c"},
    {"gpu.cc_major", "likewise"},
    {"gpu.cc_minor", "likewise"},
    {"gpu.bus_bits", "likewise"},
    {"gpu.copy_engines", "copies of streams are the runtime's: tests/rt/t_overlap.c"},
    {"gpu.copy_gbs", "likewise"},
    {"gpu.copy_latency", "likewise"},
    {"gpu.concurrent_kernels", "launches of several streams: likewise, and tests/rt/t_kernels.c"},
    {"gpu.sm_kernels", "likewise"},
};

/* ---- a run, as text of all that is to be seen of it */

enum { BYTES = 2 << 20 };

struct run { /* of the kernels */
    bool made;
    struct conf conf;
    struct device *d;
    struct program *p;
    struct json j;
    struct err e;
    u64 a;
};

static bool keys_file(char **text, size_t *len)
{
    struct err e = {0};

    *text = text_read_file(SMELT_SOURCE_DIR "/tests/props/keys.ptx", len, &e);
    return *text != NULL;
}

enum { N_WORD = 24 };

/* The words of `text`, which is cut up. */
static u32 words_of(char *text, const char *word[N_WORD])
{
    u32 n = 0;

    for (char *rest = text, *w; (w = strtok_r(rest, " ", &rest));) {
        assert_true(n < N_WORD);
        word[n++] = w;
    }
    return n;
}

static bool make_conf(struct conf *c, const struct stage *s, const char *extra, struct err *e)
{
    char *all = text_printf("%s %s", s->set ? s->set : "", extra);
    const char *set[N_WORD];
    bool ok = conf_make(c, s->gpu, set, words_of(all, set), e);

    free(all);
    return ok;
}

static bool open_run(struct run *r, const struct stage *s, const char *extra, const char *mech)
{
    static char *ptx;
    static size_t len;
    struct run_opts opts = {
        .threads = 1, .functional = s->functional, .mech = &mech, .n_mech = mech != NULL};

    assert_true(ptx || keys_file(&ptx, &len));
    r->made = make_conf(&r->conf, s, extra, &r->e);
    if (!r->made)
        return false;
    r->d = device_new(&r->conf, &opts, &r->e);
    r->p = r->d ? device_load(r->d, "keys.ptx", ptx, len, &r->e) : NULL;
    return r->p != NULL;
}

static void close_run(struct run *r)
{
    if (r->d)
        device_free(r->d);
    if (r->made)
        conf_free(&r->conf);
}

/* False: there is not so much memory. */
static bool fill(struct run *r)
{
    struct texture x = {.width = BYTES / 4, .channels = 1, .bits = 32, .is_signed = true};

    static u32 data[BYTES / 4];

    for (u32 i = 0; i < LEN(data); i++)
        data[i] = i * 2654435761u >> 7;
    data[BYTES / 8] = 0; /* the lock of `lock`, and what `loop` waits for */
    r->a = device_alloc(r->d, BYTES, &r->e);
    if (!r->a)
        return false;
    assert_true(device_write(r->d, r->a, data, BYTES, &r->e));
    x.addr = r->a;
    assert_true(device_bind_texture(r->d, r->p, "tex", &x, &r->e));
    return true;
}

static void launch(struct run *r, const char *kernel, u32 grid, u32 block)
{
    const u32 g[] = {grid, 1, 1}, b[] = {block, 1, 1};
    bool ok = device_run(r->d, r->p, kernel, g, b, 0, (const u8 *)&r->a, &r->e);

    json_str(&r->j, ok ? "" : r->e.msg);
    json_u64(&r->j, r->d->time_ps);
    if (ok)
        report_put_kernel(&r->j, r->d, &r->d->last, 1, false);
}

static void show_memory(struct run *r)
{
    static u8 data[BYTES];
    char hex[HASH_HEX];

    json_u64(&r->j, r->a);
    json_u64(&r->j, device_alloc(r->d, 100, &r->e));
    assert_true(device_read(r->d, r->a, data, BYTES, &r->e));
    hash_bytes(data, BYTES, hex);
    json_str(&r->j, hex);
}

static void cut(char *from, const char *to)
{
    assert_true(from && to);
    memmove(from, to, strlen(to) + 1);
}

/* What the host did meanwhile is left out. */
static void drop_host(char *text)
{
    char *host = strstr(text, "\"host\": {");

    cut(host, strstr(host, "\"total\": {"));
    for (char *at; (at = strstr(host, "seconds\":")) || (at = strstr(host, "per_second\":"));)
        cut(at, strchr(at, '\n'));
}

static char *look(struct run *r)
{
    struct settings s;
    struct report report = {.dev = r->d, .settings = &s, .program = "keys.ptx", .kind = "ptx"};
    char *text;

    settings_init(&s);
    report_put_tail(&r->j, &report, NULL, true);
    settings_free(&s);
    text = json_close_buf(&r->j, NULL);
    drop_host(text);
    return text;
}

/* To be freed; NULL and r->e: the settings are refused. */
static char *see(struct run *r, const struct stage *s, const char *extra, const char *mech)
{
    char *text = NULL;

    memset(r, 0, sizeof *r);
    if (open_run(r, s, extra, mech) && fill(r)) {
        json_open_buf(&r->j);
        json_obj(&r->j);
        json_key(&r->j, "kernels");
        json_arr(&r->j);
        if (s->kernel) {
            launch(r, s->kernel, s->grid ? s->grid : 4, s->block ? s->block : 64);
        } else {
            launch(r, "classes", 3, 96);
            launch(r, "traffic", 4, 128);
        }
        show_memory(r);
        text = look(r);
    }
    close_run(r);
    return text;
}

/* ---- other values */

enum { N_VALUE = 12 };

struct values {
    u32 n;
    char text[N_VALUE][64];
};

static void add_number(struct values *v, const struct key *k, double now, double x)
{
    bool real = k->kind == KEY_IS_REAL;

    x = real ? x : floor(x);
    if (x >= k->min && x <= k->max && x != now && v->n < N_VALUE)
        snprintf(v->text[v->n++], sizeof v->text[0], real ? "%.17g" : "%.0f", x);
}

/* Of a list like "a|b|c". */
static void add_words(struct values *v, const char *words, const char *between, const char *now)
{
    char *all = text_dup(words);

    for (char *rest = all, *w; (w = strtok_r(rest, between, &rest)) && v->n < N_VALUE;)
        if (strcmp(w, now) != 0)
            snprintf(v->text[v->n++], sizeof v->text[0], "%s", w);
    free(all);
}

static double number(const struct key *k, const char *text)
{
    u64 size = 0;

    if (k->kind != KEY_IS_SIZE)
        return strtod(text, NULL);
    assert_true(text_parse_size(text, &size));
    return (double)size;
}

/* Of numbers twice and half, one more and one less, the ends of the range; of words the others. */
static void other_values(struct values *v, const struct key *k, const char *now)
{
    if (k->kind == KEY_IS_ENUM)
        add_words(v, k->words, "|", now);
    if (k->kind > KEY_IS_REAL)
        return;
    double x = number(k, now);
    const double other[] = {2 * x, x / 2, x + 1, x - 1, k->min, 10 * x + 1, k->max};

    for (u32 i = 0; i < LEN(other); i++)
        add_number(v, k, x, other[i]);
}

/* ---- a key */

struct trial {
    const char *module;
    const struct key *key;
    char name[64], now[64];
    bool of_mech;
    u32 n_tried, n_refused;
};

static char *see_with(struct run *r, const struct trial *t, const struct stage *s,
                      const char *value)
{
    char *set, *text;

    if (!t->of_mech)
        set = text_printf("%s=%s", t->name, value);
    else
        set = text_printf("%s%c%s=%s", s->mech, strchr(s->mech, ':') ? ',' : ':', t->key->name,
                          value);
    text = see(r, s, t->of_mech ? "" : set, t->of_mech ? set : s->mech);
    free(set);
    return text;
}

/* What is seen with the value that the key has, on this stage. */
static char *base_of(const struct stage *s)
{
    static struct {
        const struct stage *s;
        char *text;
    } kept[LEN(usual)];
    struct run r;
    u32 i = (u32)(s - usual);

    if (i >= LEN(usual))
        return see(&r, s, "", s->mech);
    if (!kept[i].text)
        kept[i].text = see(&r, s, "", s->mech);
    return text_dup(kept[i].text);
}

/* The value as the stage has it. */
static void show_now(struct trial *t, const struct stage *s)
{
    struct conf c;
    struct mech_set m = {0};
    struct err e;

    if (!make_conf(&c, s, "", &e) || (s->mech && !mech_add(&m, s->mech, &e)))
        fail_msg("%s: its stage: %s", t->name, e.msg);
    const void *conf =
        t->of_mech ? m.at[0].conf : (const char *)&c + conf_find_module(t->module)->off;

    sheet_show(t->key, conf, t->now, sizeof t->now);
    mech_free(&m);
    conf_free(&c);
}

static bool moves_on(struct trial *t, const struct stage *s, const char *values)
{
    struct values v = {0};
    bool moved = false;

    show_now(t, s);
    char *base = base_of(s);

    if (!base)
        fail_msg("%s: nothing runs on its stage", t->name);
    if (values)
        add_words(&v, values, " ", t->now);
    else
        other_values(&v, t->key, t->now);
    for (u32 i = 0; i < v.n && !moved; i++) {
        struct run r;
        char *text = see_with(&r, t, s, v.text[i]);

        moved = text && strcmp(text, base) != 0;
        t->n_tried++, t->n_refused += !text;
        free(text);
    }
    free(base);
    return moved;
}

static bool is_unseen(const char *name)
{
    for (u32 i = 0; i < LEN(unseen); i++)
        if (strcmp(unseen[i].key, name) == 0)
            return true;
    return false;
}

/* Rows of this name; false: there is none. */
static bool moves_in_rows(struct trial *t, const char *name, bool *moved)
{
    bool any = false;

    for (u32 i = 0; i < LEN(rows) && !*moved; i++) {
        if (strcmp(rows[i].key, name) != 0)
            continue;
        any = true;
        *moved = moves_on(t, &rows[i].stage, rows[i].values) || (rows[i].limit && t->n_refused);
    }
    return any;
}

/* On rows of its own, or of its mechanism, or else on the usual stages. */
static bool moves(struct trial *t)
{
    bool moved = false;
    char all[64];

    snprintf(all, sizeof all, "%s.", t->module);
    if (moves_in_rows(t, t->name, &moved) || moves_in_rows(t, all, &moved))
        return moved;
    for (u32 i = 0; i < LEN(usual) && !moved; i++)
        moved = moves_on(t, &usual[i], NULL);
    return moved;
}

static u32 try_key(const char *module, const struct key *k, bool of_mech)
{
    struct trial t = {.module = module, .key = k, .of_mech = of_mech};

    snprintf(t.name, sizeof t.name, "%s.%s", module, k->name);
    if (is_unseen(t.name) || moves(&t))
        return 0;
    printf("%s: nothing moves (%u values, %u of them refused)\n", t.name, t.n_tried, t.n_refused);
    return 1;
}

static u32 try_sheet(const struct sheet *s, bool of_mech)
{
    u32 n = 0;

    for (u32 i = 0; i < s->n_key; i++)
        n += try_key(s->module, &s->key[i], of_mech);
    return n;
}

static void try_module(const char *name)
{
    assert_int_equal(try_sheet(conf_find_module(name)->sheet, false), 0);
}

#define MODULES(M)                                                                                 \
    M(gpu)                                                                                         \
    M(sm) M(op) M(l1i) M(l1d) M(l1c) M(l1t) M(noc) M(l2) M(mem) M(dram) M(power) M(front) M(sim)
#define CASE(name)                                                                                 \
    static void keys_of_##name(void **state)                                                       \
    {                                                                                              \
        (void)state;                                                                               \
        try_module(#name);                                                                         \
    }
MODULES(CASE)

static void keys_of_mechanisms(void **state)
{
    u32 n, bad = 0;
    const struct mech *const *m = mech_list(&n);

    (void)state;
    for (u32 i = 0; i < n; i++)
        bad += try_sheet(m[i]->sheet, true);
    assert_int_equal(bad, 0);
}

#define ENTRY(name) cmocka_unit_test(keys_of_##name),
static const struct CMUnitTest tests[] = {MODULES(ENTRY) ENTRY(mechanisms)};

TEST_MAIN(tests)
