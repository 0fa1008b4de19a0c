/* memunit.c -- a memory unit's beginning, shapes and end, and when it has something to do. */
#include "sm/memunit/memunit.h"

#include <stdlib.h>

#include "base/text.h"
#include "mem/cache_watch.h"
#include "sm/sm.h"

static void init_pools(struct memunit *mu, u32 n_op)
{
    mu->n_op = n_op;
    mu->op = xcalloc(n_op, sizeof mu->op[0]);
    for (u32 i = 0; i < n_op; i++)
        mu->op[i].next = i + 1 < n_op ? i + 1 : REQ_NONE;
    mu->list = xcalloc(N_LIST, sizeof mu->list[0]);
    for (u32 i = 0; i < N_LIST; i++)
        mu->list[i].next_free = (u8)(i + 1);
    atom_init(mu, MAX_WARPS, MAX_WARPS * mu->warp_threads);
}

static void init_keys(struct memunit *mu, const struct sm_env *env)
{
    const struct sm_conf *c = env->sm;

    for (u32 i = 0; i < LEN(mu->flits); i++)
        mu->flits[i] = (u8)noc_flits(env->noc, i * SECTOR);
    mu->one_reply = env->one_reply;
    mu->one_ack = env->noc->line_replies || env->one_reply;
    mu->smem_latency = (u32)c->smem_latency, mu->smem_banks = (u32)c->smem_banks;
    mu->l1_latency = (u32)env->l1d->latency, mu->l1t_latency = (u32)env->l1t->latency;
    mu->l1c_latency = (u32)env->l1c->latency;
    mu->sector = c->coalesce != 0, mu->global_l1 = c->global_l1 != 0;
    mu->atom_blocks = c->atom_blocks != 0, mu->perfect_const = c->perfect_const != 0;
    mu->words_apart = c->wide_memory != 0;
    mu->map = env->map;
    mu->warp_threads = (u32)(32 * c->warp_words);
    mu->local_base = env->local_base;
}

void memunit_init(struct memunit *mu, const struct sm_env *env)
{
    mu->latch = mu->wb = mu->next_global = REQ_NONE;
    mu->request = env->request, mu->reply = env->reply, mu->pools = env->pools;
    mu->l1q_banks = (u32)env->l1d->banks;
    for (u32 i = 0; i < mu->l1q_banks; i++)
        ring_init(&mu->l1q[i], mu_queue_slots(env->l1d->latency));
    ring_init(&mu->texq, mu_queue_slots(env->l1t->latency));
    ring_init(&mu->constq, mu_queue_slots(env->l1c->latency));
    ring_init(&mu->smem, env->sm->smem_latency);
    ring_init(&mu->queue, env->sm->reply_queue);
    ring_init(&mu->fifo, env->sm->reply_fifo);
    cache_init(&mu->l1d, env->l1d);
    cache_init(&mu->l1c, env->l1c);
    cache_init(&mu->l1t, env->l1t);
    mu->l1d_conf = env->l1d, mu->l1c_conf = env->l1c, mu->l1t_conf = env->l1t;
    init_keys(mu, env);
    init_pools(mu, (u32)env->sm->mem_ops);
}

static void reshape_read_queues(struct memunit *mu, const struct shape *from,
                                const struct shape *to)
{
    if (to->late_l1_read == from->late_l1_read)
        return;
    mu->l1c_latency += to->late_l1_read - from->late_l1_read;
    mu->l1t_latency += to->late_l1_read - from->late_l1_read;
    ring_free(&mu->constq), ring_free(&mu->texq);
    ring_init(&mu->constq, mu_queue_slots(mu->l1c_latency));
    ring_init(&mu->texq, mu_queue_slots(mu->l1t_latency));
}

/* The queue in front of a memory is as long as its latency. */
static void reshape_queues(struct memunit *mu, const struct shape *from, const struct shape *to)
{
    reshape_read_queues(mu, from, to);
    mu->l1_latency += to->late_l1 - from->late_l1;
    mu->smem_latency += to->late_shared - from->late_shared;
    for (u32 i = 0; i < mu->l1q_banks && to->late_l1 != from->late_l1; i++) {
        ring_free(&mu->l1q[i]);
        ring_init(&mu->l1q[i], mu_queue_slots(mu->l1_latency));
    }
    if (to->late_shared == from->late_shared)
        return;
    ring_free(&mu->smem);
    ring_init(&mu->smem, mu->smem_latency);
}

void memunit_reshape(struct memunit *mu, const struct shape *from, const struct shape *to)
{
    check(mu, !mu->used_op && !mu->n_l1q && !mu->smem.n);
    check(mu, !mu->constq.n && !mu->texq.n);
    check(mu, mu->latch == REQ_NONE && mu->wb == REQ_NONE && mu->next_global == REQ_NONE);
    reshape_queues(mu, from, to);
    mu->smem_banks = to->smem_banks;
    cache_resize(&mu->l1d, to->l1d_sets, to->l1d_ways, to->l1d_mshrs);
    cache_multiply(&mu->l1c, mu->l1c_conf, to->l1c_by, to->l1_queues);
    cache_multiply(&mu->l1t, mu->l1t_conf, to->l1t_by, to->l1_queues);
    cache_lengthen(&mu->l1d, mu->l1d_conf, to->l1_queues);
    if (mu->warp_threads == 32 * to->warp_words)
        return;
    mu->warp_threads = 32 * to->warp_words;
    atom_free(mu);
    atom_init(mu, MAX_WARPS, MAX_WARPS * mu->warp_threads);
}

void memunit_free(struct memunit *mu)
{
    for (u32 i = 0; i < mu->l1q_banks; i++)
        ring_free(&mu->l1q[i]);
    ring_free(&mu->texq);
    ring_free(&mu->constq);
    ring_free(&mu->smem);
    ring_free(&mu->queue);
    ring_free(&mu->fifo);
    cache_free(&mu->l1d), cache_free(&mu->l1c), cache_free(&mu->l1t);
    free(mu->op), free(mu->list);
    atom_free(mu);
}

u64 memunit_next(const struct memunit *mu, u64 now)
{
    u64 next = UINT64_MAX;

    if (mu->latch != REQ_NONE || mu->wb != REQ_NONE || mu->next_global != REQ_NONE || mu->fifo.n ||
        mu->queue.n || mu->l1d.send.n || mu->l1c.send.n || mu->l1t.send.n || mu->l1d.ready.n ||
        mu->l1c.ready.n || mu->l1t.ready.n || mu->l1d.armed & ARMED_ASKED)
        return now + 1;
    if (mu->smem.n)
        next = ring_head(&mu->smem).ready;
    for (u32 b = 0; mu->n_l1q && b < mu->l1q_banks; b++)
        if (mu->l1q[b].n && ring_head(&mu->l1q[b]).ready < next)
            next = ring_head(&mu->l1q[b]).ready;
    if (mu->texq.n && ring_head(&mu->texq).ready < next)
        next = ring_head(&mu->texq).ready;
    if (mu->constq.n && ring_head(&mu->constq).ready < next)
        next = ring_head(&mu->constq).ready;
    const struct noc_out *o = &mu->reply->out[mu->port];

    if (o->arrived.n && ring_head(&o->arrived).at < next)
        next = ring_head(&o->arrived).at;
    return next > now ? next : now + 1;
}

bool memunit_is_idle(const struct memunit *mu)
{
    return !mu->used_op && !mu->n_l1q && !mu->queue.n && !mu->fifo.n && !mu->l1d.send.n &&
           !mu->l1c.send.n && !mu->l1t.send.n && !(mu->l1d.armed & ARMED_ASKED);
}
