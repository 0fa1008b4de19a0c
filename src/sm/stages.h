/* stages.h -- what the stages of an SM call of each other; for src/sm alone. */
#ifndef SM_STAGES_H
#define SM_STAGES_H

#include "sm/scoreboard.h"
#include "sm/sm.h"

/* ---- fetch.c */
void fetch_init(struct front *fe, const struct sm_env *env);
void fetch_step(struct sm *sm, u64 now); /* also retires warps, as the fetch stage finds them */
void decode_step(struct sm *sm, u64 now);
void fetch_reply(struct sm *sm, u64 addr); /* a line of instructions has come */

/* ---- warps.c: hardware warps from placing to retirement */
void warps_begin(struct front *fe, const struct launch *l, const struct sm_conf *conf, u32 ctas);
void warps_free(struct front *fe);
void warps_start(struct sm *sm, u64 now);     /* CTAs whose time has come */
void warp_waited(struct front *fe, u32 slot); /* something that it may have waited for has ended */
void warp_retire(struct sm *sm, u32 slot, u64 now);
void warp_next(struct front *fe, u32 slot); /* its next instruction has changed */
void warp_flush(struct front *fe, u32 slot, u32 pc);

static inline struct sched *sched_of(struct front *fe, const struct wctx *c)
{
    return &fe->sched[c->sched];
}

/* Entry i leaves; the others keep their order. */
static inline void latch_drop(struct latch *l, u32 i)
{
    l->n--;
    for (; i < l->n; i++)
        l->at[i] = l->at[i + 1];
}

/* ---- issue.c */
void issue_step(struct sm *sm, u64 now);
void issue_sleep(struct sm *sm);

/* ---- collector.c */
void collector_init(struct datapath *dp, const struct sm_conf *conf);
void collector_step(struct sm *sm, struct subcore *sc);

/*
 * The registers of a result that are not *written yet take their banks for this cycle; false if one
 * of them must wait because its bank is taken, perhaps by another of them.
 */
bool collector_write(struct datapath *dp, struct subcore *sc, const struct uop *u, u32 bank,
                     u32 *written);

static inline bool collector_has_work(const struct subcore *sc)
{
    return sc->bank_busy || sc->cu_ready || sc->issue[UNIT_SP].n || sc->issue[UNIT_SFU].n ||
           sc->issue[UNIT_DP].n || sc->issue[UNIT_MEM].n;
}

/* ---- pipe.c */
void pipe_init(struct datapath *dp, const struct sm_conf *conf);
void writeback_step(struct sm *sm, u64 now);
void execute_step(struct sm *sm, u64 now);
void pipe_count_off(struct sm *sm, u64 n); /* pipelines that do not leak, for n cycles */

/* ---- lsu.c */
void lsu_init(struct memunit *mu, const struct sm_env *env);
void lsu_free(struct memunit *mu);
void lsu_step(struct sm *sm, u64 now);
u64 lsu_next(const struct memunit *mu, u64 now); /* next cycle with something to do */
bool lsu_is_idle(const struct memunit *mu);

/* Places in front of the tags: what is in them is under way for `latency` cycles. */
static inline u32 mu_queue_slots(u64 latency)
{
    return latency ? (u32)latency : 1;
}

/* Room for one more memory instruction. */
static inline bool lsu_has_room(const struct memunit *mu)
{
    return mu->used_op < mu->n_op && mu->n_list_used < N_LIST && mu->free_atom != REQ_NONE;
}

/* Makes the memory operation of the instruction that x has just executed; its number. */
u32 lsu_make(struct sm *sm, const struct uop *u, u32 slot, struct frame f, u32 sub, u64 now);

bool lsu_send(struct memunit *mu, u64 now, enum req_kind kind, u64 addr, u8 sectors, u8 full,
              u32 owner, u32 bytes, bool bypass);

/* Sectors of its 128-byte line that a block of this cache has. */
static inline u8 block_sectors(const struct cache *c, u64 addr)
{
    u32 n = 1u << (c->block_shift - 5);

    return (u8)(((1u << n) - 1) << (addr >> 5 & 3));
}

/* One access of a load is done; the last one frees registers and operation. */
void memop_done(struct sm *sm, u32 op, u64 now);

/* ---- reply.c */
void reply_step(struct sm *sm, u64 now);
void reply_take(struct sm *sm, u64 now); /* the memory unit takes one */
void store_ack(struct sm *sm, u32 slot);

/* ---- coalesce.c */
void coalesce(struct memunit *mu, const struct warp *w, const struct exec *x, const struct uop *u,
              struct memop *op, const u32 *mask, struct access_list *l);
void coalesce_lines(const struct warp *w, const struct exec *x, const u32 *mask, u32 shift,
                    struct access_list *l);
u32 shared_conflict(const struct exec *x, const struct warp *w, const u32 *mask, u32 banks);

/* ---- lsu_atom.c */
void atom_init(struct memunit *mu, u32 n);
void atom_free(struct memunit *mu);
u32 atom_keep(struct memunit *mu, const struct exec *x);
void atom_release(struct memunit *mu, u32 atom);
u32 atom_part(struct memunit *mu, u32 op, const struct access *a);
void atom_part_free(struct memunit *mu, u32 part);
u32 atom_arrived(struct sm *sm, u32 part);

#endif
