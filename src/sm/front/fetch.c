/*
 * fetch.c -- instruction fetch and decode.
 *
 * A cycle fetches for one warp (sm.fetch_width of them), round robin, among those whose buffer is
 * empty, that have no miss under way and are not about to be decoded.  The next cycle decodes: the
 * buffer is filled with the instructions that follow, across the end of a line too.  The address
 * after an issue is always the fall-through; a taken branch is noticed by the scheduler, which
 * flushes the buffer.
 *
 * What a miss has brought goes to the decoder in place of a fetch or, with sm.fetch_again, ends the
 * warp's wait behind the cycle's fetches: it looks the line up when the round comes to it.
 *
 * A warp of which nothing is under way any more is retired here, when the round comes to it.
 */
#include "sm/front/front.h"

#include "base/hostile.h"
#include "sm/binding/group.h"
#include "sm/front/depend.h"
#include "sm/memunit/memunit.h"

enum { CODE_ADDR = 0xF0000000u };

static u64 inst_addr(const struct front *fe, const struct wctx *c, u32 pc)
{
    return CODE_ADDR + (u64)(prog_of(fe, c)->first_inst + pc) * fe->conf->inst_bytes;
}

/* In the order of the round, starting after the warp that was fetched for last. */
static u64 rotate(u64 mask, u32 n)
{
    return mask >> (n & 63) | mask << (-n & 63);
}

static void take_fetch(struct front *fe, u32 slot, u64 now)
{
    ensure(fe, fe->n_fetched < LEN(fe->fetched));
    fe->fetched[fe->n_fetched++] =
        (struct fetched){now + 1 + fe->late_decode, fe->ctx[slot].fetch_pc, (u16)slot};
    fe->want_fetch &= ~((u64)1 << slot);
}

static void look_up(struct front *fe, u32 slot, u64 now)
{
    struct wctx *c = &fe->ctx[slot];
    enum cache_result r = CACHE_HIT;

    check(c, c->w && !c->ended && !(sched_of(fe, c)->imiss & pos_bit(c)));
    check(c, fe->depend || !c->ib_n);
    fe->last_fetched = slot;
    c->asked_pc = c->fetch_pc;
    fe->st->fetches++;
    if (hostile(&fe->chance))
        r = CACHE_FAIL;
    else if (!fe->conf->perfect_icache)
        r = cache_load(fe->l1i, inst_addr(fe, c, c->fetch_pc), warp_token(fe, slot));
    if (r == CACHE_HIT) {
        take_fetch(fe, slot, now);
    } else if (r != CACHE_FAIL) {
        sched_of(fe, c)->imiss |= (u64)1 << c->pos;
        fe->want_fetch &= ~((u64)1 << slot);
    }
}

/*
 * A miss of a warp that has others which it does not wait for.  Which of them has come is not known, so
 * one that is waited for is looked up again, and its own miss is then lost as well.
 */
static RARE void take_lost(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);

    if (s->imiss & pos_bit(c)) {
        s->imiss &= ~pos_bit(c);
        fe->want_fetch |= (u64)!c->ended << slot;
    } else {
        c->lost--;
    }
    if (c->ended)
        warp_waited(fe, slot);
}

/* A line has come that a warp waits for, or did before it was flushed. */
static void end_miss(struct front *fe, u64 now)
{
    u32 token = cache_ready(fe->l1i), slot = token_slot(token);
    struct front *to = token_front(fe->sm->group, token); /* where several share the cache */
    struct wctx *c = &to->ctx[slot];

    check(c, c->w && (c->lost || sched_of(to, c)->imiss & pos_bit(c)));
    if (UNLIKELY(c->lost)) {
        take_lost(to, slot);
        return;
    }
    sched_of(to, c)->imiss &= ~pos_bit(c);
    if (UNLIKELY(c->ended))
        warp_waited(to, slot);
    else if (UNLIKELY(fe->conf->fetch_again))
        to->want_fetch |= (u64)1 << slot;
    else
        take_fetch(to, slot, now);
}

/* One fetch: data that have come from L2 first. */
static bool fetch_one(struct front *fe, u64 now)
{
    if (!fe->conf->fetch_again && cache_has_ready(fe->l1i)) {
        end_miss(fe, now);
        return true;
    }
    u32 from = fe->last_fetched + 1;
    u64 order = rotate(fe->want_fetch, from);
    u64 before = order ? (order & -order) - 1 : ~0ull; /* the round ends at the first fetch */
    u64 gone = rotate(fe->may_retire, from) & before;

    for (; gone; gone &= gone - 1)
        warp_retire(fe, (from + (u32)__builtin_ctzll(gone)) & 63, now);
    if (!order)
        return false;
    look_up(fe, (from + (u32)__builtin_ctzll(order)) & 63, now);
    return true;
}

HOT void fetch_step(struct front *fe, u64 now)
{
    for (u32 i = 0; i < fe->conf->fetch_width; i++)
        if (!fetch_one(fe, now))
            break;
    if (UNLIKELY(fe->conf->fetch_again) && cache_has_ready(fe->l1i))
        end_miss(fe, now);
    struct cache *own = &fe->own_l1i;

    if (own->send.n) {
        const struct cache_send *q = &ring_head(&own->send);

        if (lsu_send(fe->mu, now, REQ_INST, q->addr, block_sectors(own, q->addr), 0,
                     warp_token(fe, 0), 0, false))
            ring_pop(&own->send);
    }
}

void fetch_reply(struct front *fe, u64 addr)
{
    cache_fill(&fe->own_l1i, addr);
}

HOT void decode_step(struct front *fe, u64 now)
{
    u32 n = fe->n_fetched, i;

    for (i = 0; i < n && fe->fetched[i].from <= now; i++) {
        struct wctx *c = &fe->ctx[fe->fetched[i].slot];
        u32 pc = fe->fetched[i].pc;
        u32 end = prog_of(fe, c)->n_inst;

        check(c, c->w && pc <= end);
        if (UNLIKELY(fe->depend)) {
            fe->depend->decode(fe, fe->fetched[i].slot, pc);
            continue;
        }
        c->ib_pc = pc;
        c->ib_n = (u8)min_u32((u32)fe->conf->ibuffer, end > pc ? end - pc : 1);
        warp_next(fe, fe->fetched[i].slot);
        fe->parts_due |= c->parts; /* it may have been waited for */
    }
    fe->n_fetched = n - i;
    for (u32 k = 0; UNLIKELY(k < n - i); k++)
        fe->fetched[k] = fe->fetched[i + k];
}
