/*
 * coalesce.c -- lanes' addresses become accesses.
 *
 * sm.coalesce = line (Fermi): one access per 128-byte segment that active lanes touch (64 bytes for
 * 2-byte, 32 for 1-byte data), shrunk to the half or quarter that is used.  sector (Maxwell and later, and
 * whatever bypasses a Fermi L1D): one access per sector of 32 bytes.  Atomics: per sector, and so that no two
 * lanes of one access touch the same bytes.  Accesses are in order of address and are dispatched from
 * the back.
 *
 * A warp of several words is coalesced as one: the unit holds the addresses of all its lanes, so that they share
 * accesses, and words of shared memory, whichever of its words they are in.  With sm.wide_memory = words those of a
 * word do by themselves, the first word's before the next one's.  Small caches have a line's lanes at once in any case.
 *
 * Local memory is interleaved by thread, so that lanes that use the same variable touch neighbours; more than 4 bytes
 * are several accesses there.  A thread's address is that of its place, not of the lane it is in: where its CTA stands in
 * the SM, and its number in the CTA.
 */
#include "sm/memunit/memunit.h"

#include <string.h>

#include "sm/front/front.h"

struct segment {
    u64 addr;
    u64 bytes[2]; /* written, of the 128-byte line */
    u8 sectors, words;
};

struct segments {
    u32 n, from; /* those from here on are of lanes that share accesses */
    u32 shift;   /* of the segment size */
    bool store, atom;
    struct segment at[MAX_ACCESS];
};

static _Thread_local struct segments
    segs; /* too large for the stack of a hot function to be touched anew */

static struct segment *new_segment(struct segments *s, u64 addr)
{
    struct segment *g = &s->at[s->n++];

    ensure_here(s->n <= MAX_ACCESS);
    *g = (struct segment){.addr = addr};
    return g;
}

static void cover(struct segment *g, u64 addr, u32 bytes)
{
    u32 at = addr & 127;
    u64 mask = bytes >= 64 ? ~0ull : ((u64)1 << bytes) - 1;

    g->bytes[at >> 6] |= mask << (at & 63);
}

static bool touches(const struct segment *g, u64 addr, u32 bytes)
{
    u32 at = addr & 127;
    u64 mask = ((u64)1 << bytes) - 1;

    return g->bytes[at >> 6] & mask << (at & 63);
}

static struct segment *find_segment(struct segments *s, u64 base, u64 addr, u32 bytes)
{
    for (u32 i = s->n; i-- > s->from;)
        if (s->at[i].addr == base && !(s->atom && touches(&s->at[i], addr, bytes)))
            return &s->at[i];
    return new_segment(s, base);
}

static inline struct segment *add_lane(struct segments *s, u64 addr, u32 bytes, u32 word)
{
    u64 base = addr >> s->shift << s->shift;
    struct segment *g = s->n > s->from && s->at[s->n - 1].addr == base && !s->atom
                            ? &s->at[s->n - 1]
                            : find_segment(s, base, addr, bytes);

    g->sectors |= (u8)(1u << (addr >> 5 & 3));
    g->words |= (u8)(1u << word);
    if (s->store || s->atom)
        cover(g, addr, bytes);
    return g;
}

/* Who is in which access: the slice performs lanes, and their results go back to them. */
static void add_atom(struct segments *s, u64 addr, u32 bytes, u32 lane, u32 word,
                     struct access_list *l)
{
    u32 n = s->n, i = (u32)(add_lane(s, addr, bytes, word) - s->at);

    ensure_here(i < MAX_ATOM);
    if (s->n > n)
        memset(l->lanes[i], 0, sizeof l->lanes[i]);
    l->lanes[i][word] |= 1u << lane;
}

/* Fewest of 32, 64, 128 bytes that hold the sectors, within the segment. */
static struct access shrink(const struct segment *g, u32 shift)
{
    struct access a = {.sectors = g->sectors, .words = g->words};
    u64 line = g->addr & ~(u64)127;
    u32 size = 1u << shift;

    if (size == 128 && !(g->sectors & 3 && g->sectors & 12))
        size = 64;
    if (size == 64 && popc_4(g->sectors) == 1)
        size = 32;
    a.bytes = (u8)size;
    a.addr = line + 32u * (u32)__builtin_ctz(g->sectors);
    if (size == 128)
        a.addr = line, a.sectors = 15; /* L2 gets a whole line, whatever is written of it */
    for (u32 k = 0; k < 4; k++)
        if ((u32)(g->bytes[k >> 1] >> 32 * (k & 1)) == ~0u)
            a.full |= (u8)(1u << k);
    return a;
}

static void finish(struct segments *s, struct access_list *l)
{
    for (u32 i = s->from; i < s->n; i++) {
        struct access a = shrink(&s->at[i], s->shift);
        u32 k = l->n++;

        a.atom = (u8)i;
        /* atomics on one address: dispatched from the back, so the lowest lanes stand last */
        for (; k > s->from && l->at[k - 1].addr >= a.addr; k--)
            l->at[k] = l->at[k - 1];
        l->at[k] = a;
    }
    s->from = s->n;
}

static u32 segment_shift(const struct memunit *mu, const struct memop *op, u32 bytes)
{
    if (mu->sector || op->bypass)
        return 5;
    return bytes == 1 ? 5 : bytes == 2 ? 6 : 7;
}

/* Of the CTA's places for threads, the first. */
static u64 place_of_cta(const struct memunit *mu, const struct memop *op)
{
    const struct wctx *c = &op->fe->ctx[op->slot];
    const struct cta_slot *cta = &c->home->slot[c->cta];

    if (UNLIKELY(cta->carried))
        return cta->place;
    u64 warps = UNLIKELY(c->home->mixed) ? cta->first : (u64)(cta - c->home->slot) * cta->n;

    return mu->first_thread + warps * mu->warp_threads;
}

static void add_local(const struct memunit *mu, struct segments *s, u64 off, u32 bytes, u64 thread,
                      u32 word)
{
    for (u32 b = 0; b < bytes; b += 4)
        add_lane(s, mu->local_base + (off + b) / 4 * mu->local_stride + 4 * thread + (off & 3),
                 bytes < 4 ? bytes : 4, word);
}

static void add_word(struct memunit *mu, const struct warp *w, const struct exec *x,
                     const struct uop *u, const struct memop *op, u32 mask, u32 k,
                     struct access_list *l)
{
    struct segments *s = &segs;
    u64 first = op->local ? place_of_cta(mu, op) : 0;
    const u64 *addr = exec_addr(x, w, k);

    for (u32 m = mask; m; m &= m - 1) {
        u32 lane = (u32)__builtin_ctz(m);

        if (op->local)
            add_local(mu, s, addr[lane] & (WINDOW_SIZE - 1), u->bytes,
                      first + w->word[k].thread[lane], k);
        else if (s->atom || (mu->keep_lanes && !s->store))
            add_atom(s, addr[lane], u->bytes, lane, k, l);
        else
            add_lane(s, addr[lane], u->bytes, k);
    }
}

void coalesce(struct memunit *mu, const struct warp *w, const struct exec *x, const struct uop *u,
              struct memop *op, const u32 *mask, struct access_list *l)
{
    struct segments *s = &segs;
    bool apart = mu->words_apart && !op->narrow;

    s->n = s->from = 0;
    s->shift = segment_shift(mu, op, u->bytes);
    s->store = u->flags & UOP_STORE, s->atom = u->flags & UOP_ATOM;
    l->n = 0;
    for (u32 i = 0; i < w->n_word; i++) {
        u32 k = apart ? w->n_word - 1 - i : i; /* the last in the list goes first */

        add_word(mu, w, x, u, op, mask[k], k, l);
        if (apart)
            finish(s, l);
    }
    finish(s, l);
}

/* Lines of a small cache (constants, textures): one access each. */
void coalesce_lines(const struct warp *w, const struct exec *x, const u32 *mask, u32 shift,
                    struct access_list *l)
{
    l->n = 0;
    for (u32 k = 0; k < w->n_word; k++) {
        const u64 *addr = exec_addr(x, w, k);

        for (u32 m = mask[k]; m; m &= m - 1) {
            u64 line = addr[__builtin_ctz(m)] >> shift << shift;
            u32 i = l->n;

            while (i > 0 && l->at[i - 1].addr > line)
                i--;
            if (i > 0 && l->at[i - 1].addr == line) {
                l->at[i - 1].words |= (u8)(1u << k);
                continue;
            }
            ensure_here(l->n < MAX_ACCESS);
            memmove(&l->at[i + 1], &l->at[i], (l->n - i) * sizeof l->at[0]);
            l->at[i] = (struct access){.addr = line, .words = (u8)(1u << k)};
            l->n++;
        }
    }
}

/* Of these words of the warp, the most different words in one bank. */
static u32 most_in_bank(const struct exec *x, const struct warp *w, const u32 *mask, u32 from,
                        u32 to, u32 banks)
{
    u64 seen[MAX_WORDS * LANES + 1]; /* different words; those of a bank are a list, 0 its end */
    u8 next[LEN(seen)], head[SMEM_BANKS] = {0}, n[SMEM_BANKS] = {0};
    u32 used = 0, most = 0;

    ensure_here(banks && banks <= SMEM_BANKS);
    for (u32 k = from; k < to; k++) {
        const u64 *addr = exec_addr(x, w, k);

        for (u32 m = mask[k]; m; m &= m - 1) {
            u64 v = addr[__builtin_ctz(m)] >> 2;
            u32 b = (banks & (banks - 1)) ? (u32)(v % banks) : (u32)v & (banks - 1), i = head[b];

            while (i && seen[i] != v)
                i = next[i];
            if (i)
                continue;
            seen[++used] = v, next[used] = head[b], head[b] = (u8)used;
            most = ++n[b] > most ? n[b] : most;
        }
    }
    return most;
}

/* A bank gives one word a cycle, to all lanes that want it. */
u32 shared_conflict(const struct exec *x, const struct warp *w, const u32 *mask, u32 banks,
                    bool apart)
{
    u32 cycles = 0, by = apart ? 1 : w->n_word;

    for (u32 k = 0; k < w->n_word; k += by)
        cycles += most_in_bank(x, w, mask, k, k + by, banks);
    return cycles ? cycles : 1;
}
