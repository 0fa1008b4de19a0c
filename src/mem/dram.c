/* dram.c -- see dram.h */
#include "mem/dram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHEET dram
#define SHEET_DEF "mem/dram.def"
#define SHEET_DOC "one DRAM channel: banks, timing, scheduler"
#include "base/sheet_table.inc"

/* Times that follow from others unless they are given. */
static void derive(struct dram_conf *c)
{
    u64 turn = c->cl + c->burst_cycles + 2;

    if (!c->t_rtw)
        c->t_rtw = turn > c->wl ? turn - c->wl : 1;
    if (!c->t_wtr)
        c->t_wtr = c->wl + c->burst_cycles + c->t_cdlr;
    if (!c->t_wtp)
        c->t_wtp = c->wl + c->burst_cycles + c->t_wr;
}

/*
 * Between two refreshes there must be time for a column command, or nothing ever moves.  After a
 * refresh the worst is to open a row and read or write, or to wait for what the bus still forbids;
 * the next refresh, which is due at a fixed time, may itself have waited until the rows could be
 * closed.
 */
static u64 refresh_needs(const struct dram_conf *conf)
{
    struct dram_conf c = *conf;

    derive(&c);
    u64 act = max_u64(c.t_rp + c.t_rfc, max_u64(c.t_rc, c.t_rrd));
    u64 column = act + max_u64(c.t_rcd, c.t_rcdwr);
    u64 bus = max_u64(max_u64(c.t_ccd, c.t_ccdl), max_u64(c.t_rtw, c.t_wtr));
    u64 close = max_u64(max_u64(c.t_ras, c.t_wtp), max_u64(c.t_rtp, c.t_rtpl));

    return max_u64(column, bus) + close + 1;
}

bool dram_conf_check(const struct dram_conf *c, struct err *e)
{
    if (!dram_policy_find(c->scheduler, e))
        return err_at(e, "dram.scheduler");
    if (c->banks & (c->banks - 1))
        return err_set(e, "dram.banks: %" PRIu64 " is not a power of two", c->banks);
    if (c->bank_groups > c->banks)
        return err_set(e, "dram.bank_groups: %" PRIu64 " are more than dram.banks, %" PRIu64,
                       c->bank_groups, c->banks);
    if (c->burst_bytes & (c->burst_bytes - 1))
        return err_set(e, "dram.burst_bytes: %" PRIu64 " is not a power of two", c->burst_bytes);
    if (c->t_ccd < c->burst_cycles)
        return err_set(e,
                       "dram.t_ccd: %" PRIu64
                       " clocks are less than a burst takes (dram.burst_cycles, %" PRIu64 ")",
                       c->t_ccd, c->burst_cycles);
    if (c->t_refi && c->t_refi <= refresh_needs(c))
        return err_set(e,
                       "dram.t_refi: %" PRIu64
                       " clocks are no more than a refresh, a row and its closing take, %" PRIu64,
                       c->t_refi, refresh_needs(c));
    return true;
}

static u64 group_of(const struct dram_conf *c, u32 bank)
{
    return c->group_bits ? bank * c->bank_groups / c->banks : bank % c->bank_groups;
}

void dram_init(struct dram *d, const struct dram_conf *conf)
{
    struct err e;

    memset(d, 0, sizeof *d);
    d->conf = *conf;
    derive(&d->conf);
    d->n_bank = (u32)conf->banks;
    d->policy = dram_policy_find(conf->scheduler, &e);
    d->ended = DRAM_NONE;
    d->next = UINT64_MAX;
    d->refresh_at = conf->t_refi ? conf->t_refi : UINT64_MAX;
    for (u32 b = 0; b < d->n_bank; b++)
        d->bank[b].group = (u8)group_of(conf, b);
    ring_init(&d->pipe, (conf->cl > conf->wl ? conf->cl : conf->wl) + 1);
    ring_init(&d->done, conf->return_queue);
    d->slot = xcalloc(conf->queue, sizeof d->slot[0]);
    for (u32 i = 0; i < conf->queue; i++)
        d->slot[i].next = (u16)(i + 1 < conf->queue ? i + 2 : 0);
    d->free_slot = 1;
}

void dram_free(struct dram *d)
{
    ring_free(&d->pipe);
    ring_free(&d->done);
    free(d->slot);
    d->slot = NULL;
}

void dram_account(struct dram *d, u64 t)
{
    if (d->held)
        d->st.cycles += t - d->counted;
    if (dram_full(d))
        d->st.queue_full += t - d->counted;
    d->counted = t;
}

/* The refreshes of a time without requests, up to tick t; what they leave is closed rows. */
static void make_up_refreshes(struct dram *d, u64 t)
{
    if (d->refresh_at > t)
        return;
    u64 n = (t - d->refresh_at) / d->conf.t_refi + 1, last;

    last = d->refresh_at + (n - 1) * d->conf.t_refi;
    for (u32 b = 0; b < d->n_bank; b++) {
        d->st.pre += d->bank[b].open;
        d->bank[b].open = false;
        d->bank[b].act_at = max_u64(d->bank[b].act_at, last + d->conf.t_rp + d->conf.t_rfc);
    }
    d->st.refresh += n;
    d->refresh_at = last + d->conf.t_refi;
}

void dram_push(struct dram *d, struct dram_req r, u64 t)
{
    struct dram_bank *b = &d->bank[r.bank];
    u16 s = d->free_slot;

    if (!d->held)
        make_up_refreshes(d, t);
    ensure_here(s && r.bank < d->n_bank);
    check_here(r.bursts);
    d->free_slot = d->slot[s - 1].next;
    d->slot[s - 1] = (struct dram_slot){r, d->n_pushed++, 0};
    if (b->last)
        d->slot[b->last - 1].next = s;
    else
        b->first = s;
    b->last = s;
    d->waiting |= 1ull << r.bank;
    d->n_queue++;
    d->held++;
    d->next = min_u64(d->next, t + 1);
}

struct dram_req dram_pop(struct dram *d)
{
    struct dram_req r = ring_head(&d->done);

    ring_pop(&d->done);
    check_here(d->held);
    d->held--;
    return r;
}

static void finish_data(struct dram *d, u64 t)
{
    if (!d->pipe.n || ring_head(&d->pipe).ready > t || ring_full(&d->done))
        return;
    struct dram_req r = ring_head(&d->pipe).req;

    ring_pop(&d->pipe);
    if (r.bursts)
        return;
    if (r.kind == DRAM_READ) {
        ring_push(&d->done, r);
    } else {
        d->ended = r.slice;
        d->held--;
    }
}

/* Files a busy bank under the command that it needs next. */
static void file(struct dram *d, struct dram_bank *b)
{
    u64 bit = 1ull << b->now.bank;

    d->want[b->want] &= ~bit;
    if (!b->open)
        b->want = WANT_ACT, b->want_at = b->act_at;
    else if (b->row != b->now.row)
        b->want = WANT_PRE, b->want_at = b->pre_at;
    else if (b->now.kind == DRAM_READ)
        b->want = WANT_READ, b->want_at = b->read_at;
    else
        b->want = WANT_WRITE, b->want_at = b->write_at;
    d->want[b->want] |= bit;
}

/* Request s is its bank's current one from now on. */
static void assign(struct dram *d, u16 s)
{
    const struct dram_req *r = &d->slot[s - 1].req;
    struct dram_bank *b = &d->bank[r->bank];
    bool hit = b->open && b->row == r->row;

    b->now = *r;
    d->busy |= 1ull << r->bank;
    file(d, b);
    d->st.request++;
    d->st.row_hit += hit;
    d->st.row_miss += !hit;
    d->prio = dram_bank_after(d, d->prio, 1);
}

/* Takes the request after `before` (0: the first) out of a bank's list: it is its current one. */
static void serve(struct dram *d, u32 bank, u16 before)
{
    struct dram_bank *l = &d->bank[bank];
    u16 s = before ? d->slot[before - 1].next : l->first, next = d->slot[s - 1].next;

    if (before)
        d->slot[before - 1].next = next;
    else
        l->first = next;
    if (l->last == s)
        l->last = before;
    if (!l->first)
        d->waiting &= ~(1ull << bank);
    d->slot[s - 1].next = d->free_slot;
    d->free_slot = s;
    d->n_queue--;
    assign(d, s);
}

/* Banks that could be given a request. */
static inline u64 can_serve(const struct dram *d)
{
    return d->waiting & ~d->busy;
}

static void schedule_requests(struct dram *d)
{
    u64 m = can_serve(d);
    u16 before = 0;

    if (!m)
        return;
    u32 b = d->policy->pick(d, m, &before);

    if (b != DRAM_NONE)
        serve(d, b, before);
}

/* From which tick on the channel as a whole allows such a command. */
static inline u64 channel_at(const struct dram *d, enum dram_want want)
{
    switch (want) {
    case WANT_READ:
        return max_u64(d->col_at, d->read_at);
    case WANT_WRITE:
        return max_u64(d->col_at, d->write_at);
    case WANT_ACT:
        return d->act_at;
    default:
        return 0;
    }
}

/* From which tick on the bank and its group allow the bank's next command. */
static inline u64 bank_at(const struct dram *d, const struct dram_bank *b)
{
    if (b->want == WANT_ACT)
        return b->want_at;
    return max_u64(b->want_at,
                   b->want == WANT_PRE ? d->group_pre[b->group] : d->group_col[b->group]);
}

static void read_column(struct dram *d, struct dram_bank *b, u64 t)
{
    const struct dram_conf *c = &d->conf;

    d->write_at = t + c->t_rtw;
    b->pre_at = max_u64(b->pre_at, t + c->t_rtp);
    d->group_pre[b->group] = t + c->t_rtpl;
    d->pipe_end = max_u64(d->pipe_end + 1, t + c->cl);
    d->st.read++;
}

static void write_column(struct dram *d, struct dram_bank *b, u64 t)
{
    const struct dram_conf *c = &d->conf;

    d->read_at = t + c->t_wtr;
    b->pre_at = max_u64(b->pre_at, t + c->t_wtp);
    d->pipe_end = max_u64(d->pipe_end + 1, t + c->wl);
    d->st.write++;
    d->st.write_back += b->now.kind == DRAM_BACK;
}

static void column(struct dram *d, struct dram_bank *b, u64 t)
{
    d->col_at = t + d->conf.t_ccd;
    d->group_col[b->group] = t + d->conf.t_ccdl;
    d->st.busy_cycles += d->conf.burst_cycles;
    if (b->now.kind == DRAM_READ)
        read_column(d, b, t);
    else
        write_column(d, b, t);
    if (--b->now.bursts == 0) {
        d->busy &= ~(1ull << b->now.bank);
        d->want[b->want] &= ~(1ull << b->now.bank);
    }
    ring_push(&d->pipe, ((struct dram_burst){d->pipe_end, b->now}));
}

/* Opens the row of the bank's request, or closes the one that is in the way. */
static void turn_row(struct dram *d, struct dram_bank *b, u64 t)
{
    const struct dram_conf *c = &d->conf;

    if (b->open) {
        b->open = false;
        b->act_at = max_u64(b->act_at, t + c->t_rp);
        d->st.pre++;
    } else {
        b->open = true;
        b->row = b->now.row;
        b->read_at = t + c->t_rcd, b->write_at = t + c->t_rcdwr;
        b->pre_at = t + c->t_ras, b->act_at = t + c->t_rc;
        d->act_at = t + c->t_rrd;
        d->st.act++;
    }
    file(d, b);
    d->prio = dram_bank_after(d, b->now.bank, 1);
}

/* Banks whose next command the channel as a whole allows. */
static u64 allowed(const struct dram *d, u64 t)
{
    u64 m = d->want[WANT_PRE];

    for (enum dram_want w = WANT_READ; w <= WANT_ACT; w++)
        if (channel_at(d, w) <= t)
            m |= d->want[w];
    return m;
}

static void issue(struct dram *d, u64 t)
{
    u64 m = allowed(d, t), rows = d->want[WANT_ACT] | d->want[WANT_PRE];
    u32 from = d->prio;

    if (ring_full(&d->pipe))
        m &= rows;
    m = dram_banks_from(d, m, from), rows = dram_banks_from(d, rows, from);
    while (m) {
        u64 first = m & -m;
        struct dram_bank *b = &d->bank[dram_bank_after(d, from, (u32)__builtin_ctzll(m))];

        m ^= first;
        if (bank_at(d, b) > t)
            continue;
        if (!(rows & first)) {
            column(d, b, t);
            return;
        }
        turn_row(d, b, t);
        m = d->conf.one_command ? 0 : m & ~rows;
    }
}

/* The tick from which on all open rows may be closed. */
static u64 close_at(const struct dram *d)
{
    u64 at = 0;

    for (u32 i = 0; i < d->n_bank; i++) {
        const struct dram_bank *b = &d->bank[i];

        if (b->open)
            at = max_u64(at, max_u64(b->pre_at, d->group_pre[b->group]));
    }
    return at;
}

static void refresh(struct dram *d, u64 t)
{
    if (close_at(d) > t)
        return;
    for (u32 b = 0; b < d->n_bank; b++) {
        d->st.pre += d->bank[b].open;
        d->bank[b].open = false;
        d->bank[b].act_at = max_u64(d->bank[b].act_at, t + d->conf.t_rp + d->conf.t_rfc);
        if (d->busy >> b & 1)
            file(d, &d->bank[b]);
    }
    d->st.refresh++;
    d->refresh_at += d->conf.t_refi;
}

/* A bound for the first command that goes to one of these banks. */
static u64 first_command(const struct dram *d, enum dram_want want, u64 t)
{
    u64 at = UINT64_MAX, least = channel_at(d, want);

    if (least > t + 1)
        return least; /* early enough: a tick for nothing does no harm */
    for (u64 m = d->want[want]; m && at > t + 1; m &= m - 1)
        at = min_u64(at, bank_at(d, &d->bank[__builtin_ctzll(m)]));
    return at;
}

static u64 find_next(const struct dram *d, u64 t)
{
    if (d->done.n || can_serve(d))
        return t + 1;
    u64 at = d->pipe.n ? ring_head(&d->pipe).ready : UINT64_MAX;

    if (UNLIKELY(d->refresh_at <= t))
        return max_u64(min_u64(at, close_at(d)), t + 1);
    at = min_u64(at, d->refresh_at);
    for (enum dram_want w = 0; w < N_WANT; w++)
        if (d->want[w] && at > t + 1)
            at = min_u64(at, first_command(d, w, t));
    return max_u64(at, t + 1);
}

void dram_tick(struct dram *d, u64 t)
{
    d->ended = DRAM_NONE;
    if (d->held) {
        finish_data(d, t);
        schedule_requests(d);
        if (UNLIKELY(d->refresh_at <= t))
            refresh(d, t);
        else
            issue(d, t);
    }
    d->next = d->held ? find_next(d, t) : UINT64_MAX;
}
