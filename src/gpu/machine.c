/* machine.c -- see machine.h */
#include "gpu/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/log.h"
#include "base/text.h"

enum { LOCAL_BASE_GAP = 1 << 20 };

/* The slice that performs an atomic knows the request; its operands are with the SM that sent it. */
static void atomic(void *arg, u32 req, u32 sector)
{
    struct machine *m = arg;
    const struct req *r = req_get(&m->pools, req);

    (void)sector;
    ensure_here(r->port < m->n_sm);
    struct memunit *mu = m->sm[r->port].mu;

    atom_perform(r->beside ? mu->home : mu, r->owner);
}

static void init_network(struct machine *m)
{
    const struct conf *c = m->conf;
    u32 n_slice = (u32)(c->mem.channels * c->mem.slices);

    addr_init(&m->map, &c->mem);
    req_pools_init(&m->pools, m->n_sm);
    m->request_conf = c->noc;
    if (c->noc.request_latency)
        m->request_conf.latency = c->noc.request_latency;
    noc_init(&m->request, &m->request_conf, c->gpu.core_mhz, m->n_sm, n_slice, false);
    noc_init(&m->reply, &c->noc, c->gpu.core_mhz, n_slice, m->n_sm, true);
    m->window = min_u32((u32)c->sim.window, min_u32(m->request.lookahead, m->reply.lookahead));
}

static void init_memory(struct machine *m)
{
    const struct conf *c = m->conf;

    m->env = (struct partition_env){
        .mem = &c->mem,
        .l2 = &c->l2,
        .dram = &c->dram,
        .core_mhz = c->gpu.core_mhz,
        .l2_mhz = c->gpu.l2_mhz ? c->gpu.l2_mhz : c->gpu.core_mhz,
        .dram_mhz = c->gpu.mem_mhz,
        .map = &m->map,
        .request = &m->request,
        .reply = &m->reply,
        .pools = &m->pools,
        .noc = &c->noc,
        .atomic = atomic,
        .atomic_arg = m,
    };
    m->n_part = (u32)c->mem.channels;
    m->part = xcalloc(m->n_part, sizeof m->part[0]);
    for (u32 i = 0; i < m->n_part; i++)
        m->part[i] = partition_new(&m->env, i);
}

/* Local memory lies above everything that programs can address in global memory. */
static u64 local_base(const struct conf *c)
{
    return align_up(c->mem.base + c->mem.size + c->mem.heap + LOCAL_BASE_GAP, 1 << 20);
}

static void init_sms(struct machine *m)
{
    const struct conf *c = m->conf;

    m->sm_env = (struct sm_env){
        .sm = &c->sm,
        .op = &c->op,
        .l1i = &c->l1i,
        .l1d = &c->l1d,
        .l1c = &c->l1c,
        .l1t = &c->l1t,
        .noc = &c->noc,
        .request = &m->request,
        .reply = &m->reply,
        .pools = &m->pools,
        .map = &m->map,
        .local_base = local_base(c),
        .one_reply = c->mem.l2_requests != 0,
    };
    m->sm = xcalloc(m->n_sm, sizeof m->sm[0]);
    for (u32 i = 0; i < m->n_sm; i++)
        sm_init(&m->sm[i], i, &m->sm_env);
}

/* ---- groups */

static void free_groups(struct machine *m)
{
    for (u32 i = 0; i < m->n_group; i++)
        group_free(&m->group[i]);
    m->n_group = 0;
}

/* A group has the executor, the log and the requests of its first SM. */
static void form_groups(struct machine *m, const u16 *first)
{
    free_groups(m);
    for (u32 i = 0, n; i < m->n_sm; i += n) {
        struct sm *sm[MAX_GROUP];

        for (n = 0; i + n < m->n_sm && first[i + n] == i; n++) {
            ensure_here(n < MAX_GROUP);
            sm[n] = &m->sm[i + n];
        }
        check_here(n); /* each is of a group that begins before it */
        m->logs[m->n_group] = &m->log[i];
        group_init(&m->group[m->n_group++], sm, n, &m->x[i], &m->pools.pool[i]);
    }
    memcpy(m->first, first, m->n_sm * sizeof first[0]);
}

static void init_groups(struct machine *m)
{
    m->group = xcalloc(m->n_sm, sizeof m->group[0]);
    m->x = xcalloc_lines(machine_n_exec(m), sizeof m->x[0]);
    m->log = xcalloc(m->n_sm, sizeof m->log[0]);
    m->logs = xcalloc(m->n_sm, sizeof m->logs[0]);
    m->first = xcalloc(m->n_sm, sizeof m->first[0]);
    for (u32 i = 0; i < m->n_sm; i++)
        store_log_init(&m->log[i]);
    shape_of_keys(&m->keys, &m->conf->sm, &m->conf->l1d);
    plan_init(&m->plan, m->n_sm);
    plan_begin(&m->plan, NULL, &m->keys);
    form_groups(m, m->plan.first);
}

/* Local memory: each SM has places for its threads. */
static void place_threads(struct machine *m)
{
    u64 first = 0;

    for (u32 i = 0; i < m->n_sm; i++) {
        m->sm[i].mu->first_thread = first;
        first += shape_threads(&m->plan.shape[i]);
    }
    for (u32 i = 0; i < m->n_sm; i++)
        m->sm[i].mu->local_stride = 4 * first;
}

void machine_form(struct machine *m)
{
    if (memcmp(m->first, m->plan.first, m->n_sm * sizeof m->first[0]) != 0)
        form_groups(m, m->plan.first);
    for (u32 i = 0; i < m->n_sm; i++) {
        sm_reshape(&m->sm[i], &m->plan.shape[i]);
        bind_own(&m->sm[i]);
    }
    place_threads(m);
}

/* Tables are made when a kernel's warps first need so many passes. */
const struct uop *machine_decode(struct machine *m, const struct launch *l, u32 passes)
{
    ensure_here(passes && passes < LEN(m->uop));
    if (m->prog != l->prog || m->func != l->func)
        for (u32 i = 0; i < LEN(m->uop); i++)
            free(m->uop[i]), m->uop[i] = NULL;
    m->prog = l->prog, m->func = l->func;
    if (m->uop[passes])
        return m->uop[passes];
    m->uop[passes] = uop_decode(l->prog, l->func, &m->conf->sm, &m->conf->op, passes);
    if (m->reorders)
        uop_find_waits(m->uop[passes], l->prog->n_inst);
    return m->uop[passes];
}

struct machine *machine_new(const struct conf *conf, u32 threads, bool no_skip)
{
    struct machine *m = xcalloc(1, sizeof *m);

    m->conf = conf;
    m->n_sm = (u32)conf->gpu.n_sm;
    m->threads = threads, m->no_skip = no_skip;
    init_network(m);
    init_memory(m);
    init_sms(m);
    init_groups(m);
    dispatch_init(&m->dispatch, m->sm, m->n_sm);
    m->team = team_new(min_u32(threads, m->n_sm));
    return m;
}

void machine_attach(struct machine *m, struct mech_set *mechs)
{
    m->reorders = mech_reorders(mechs);
    mech_attach(mechs, m->sm, m->n_sm, m->part, m->n_part);
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    team_free(m->team);
    free_groups(m);
    plan_free(&m->plan);
    for (u32 i = 0; i < m->n_sm; i++) {
        sm_free(&m->sm[i]);
        store_log_free(&m->log[i]);
    }
    for (u32 i = 0; i < m->n_part; i++)
        partition_free(m->part[i]);
    noc_free(&m->request);
    noc_free(&m->reply);
    req_pools_free(&m->pools);
    for (u32 i = 0; i < LEN(m->uop); i++)
        free(m->uop[i]);
    free(m->sm), free(m->group), free(m->first), free(m->x), free(m->log), free(m->logs),
        free(m->part);
    free(m);
}

u64 machine_insts(const struct machine *m)
{
    u64 n = 0;

    for (u32 i = 0; i < machine_n_exec(m); i++)
        n += m->x[i].n.warp_insts;
    return n;
}

void machine_count_sm(struct machine *m, u32 i, u64 now, struct counters *c)
{
    struct sm *sm = &m->sm[i];

    sm_settle(sm, now);
    front_count_warps(sm->front, now, 0);
    sheet_add(&sm_sheet, &c->sm, &sm->st);
    residency_add(&sm->residency, &c->sm);
    sheet_add(&ops_sheet, &c->ops, &sm->ops);
    for (u32 k = 0; k < sm->front->n_sched; k++)
        stall_add(&c->stall, &sm->front->sched[k].st);
    sheet_add(&l1i_sheet, &c->l1i, &sm->front->own_l1i.st);
    sheet_add(&l1d_sheet, &c->l1d, &sm->mu->l1d.st);
    sheet_add(&l1c_sheet, &c->l1c, &sm->mu->l1c.st);
    sheet_add(&l1t_sheet, &c->l1t, &sm->mu->l1t.st);
    hist_merge(&c->mem_latency, &sm->mu->latency);
}

void machine_count_memory(struct machine *m, u64 now, struct counters *c)
{
    struct l2_count l2;

    memset(&l2, 0, sizeof l2);
    for (u32 i = 0; i < m->n_part; i++) {
        partition_count(m->part[i], &l2, &c->dram);
        c->dram.clocks += partition_dram_clocks(m->part[i], now);
        hist_merge(&c->dram_latency, partition_latency(m->part[i]));
    }
    c->l2 = l2.cache, c->slice = l2.slice;
    noc_count(&m->request, &c->request);
    noc_count(&m->reply, &c->reply);
    c->request_latency = m->request.latency;
    c->reply_latency = m->reply.latency;
}

void machine_warm(struct machine *m, u64 addr, u64 bytes)
{
    if (!m->conf->mem.copy_warms_l2)
        return;
    for (u64 a = addr / SECTOR * SECTOR; a < addr + bytes; a += SECTOR)
        partition_warm(m->part[addr_node(&m->map, a) / m->map.slices], a);
}

void machine_describe(const struct machine *m)
{
    char buf[2000];

    for (u32 i = 0; i < m->n_sm; i++)
        sm_describe(&m->sm[i], stderr);
    noc_describe(&m->request, buf, sizeof buf);
    if (buf[0])
        log_note("request network: %s", buf);
    noc_describe(&m->reply, buf, sizeof buf);
    if (buf[0])
        log_note("reply network: %s", buf);
    for (u32 i = 0; i < m->n_part; i++) {
        partition_describe(m->part[i], buf, sizeof buf);
        if (buf[0])
            log_note("partition %u: %s", i, buf);
    }
}
