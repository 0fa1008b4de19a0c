/*
 * exec.h -- the interpreter: computes what one instruction of one warp does.
 *
 * `struct exec` is the execution state of one SM (or of the functional engine):
 * where the running warp's registers are, and what the last instruction touched.
 * An opcode is executed by one call through a table, a word of 32 lanes at a time.
 * The table is compiled three times from exec_lane.c and chosen by the host's
 * instruction set; all give the same bits.
 *
 * Who drives it: gpu/functional.c, which gives warps their turns with exec_run, and the
 * timing model, which issues one instruction at a time with exec_issue and reads from
 * `out` what it did.
 *
 * Several host threads may each have a struct exec of one launch, if what they share is
 * read-only while they run.  So the timing model has these three take effect later:
 *
 *     log          global stores, see store_log.h
 *     defer_atoms  global atomics, see atom.h
 *     defer_calls  built-in functions: STEP_CALL, then exec_call
 *
 * With a log, atomics must be deferred too: they do not look into it.
 */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"
#include "exec/atom.h"
#include "exec/store_log.h"
#include "exec/texture.h"
#include "exec/vmem.h"
#include "exec/warp.h"

struct exec;

typedef void (*lane_fn)(struct exec *x, const struct inst *in, u32 mask);

enum step {
    STEP_GO,      /* the warp may go on */
    STEP_BARRIER, /* it waits at a barrier */
    STEP_EXIT,    /* its last lane has ended */
    STEP_FAULT,   /* the kernel has failed: exec_fault_message tells */
    STEP_CALL,    /* a built-in call is in warp.call: exec_call, then it may go on */
};

enum fault_kind {
    FAULT_NONE,
    FAULT_BOUNDS,
    FAULT_ALIGN,
    FAULT_READ_ONLY,
    FAULT_TRAP,
    FAULT_CALL,
    FAULT_STACK,
    FAULT_TEXTURE,
    FAULT_SURFACE,
    FAULT_BRX,
    FAULT_BARRIER,
    FAULT_FREE,
    FAULT_ASSERT,
    FAULT_GATHER, /* none: lanes that an operation is with have not come (path.h) */
};

/* An access out of bounds that went on, to be told where order does not depend on host threads. */
struct stray {
    u64 clock;
    u64 addr; /* in its space */
    u32 pc, bytes;
    u32 thread, block[3];
    u8 space;
    bool write;
};

/* What exec_issue did, and where the warp is now: nobody need compare its state with before. */
struct exec_out {
    const struct inst *in;
    u32 pc;
    u32 n;               /* lanes in mask */
    u32 mask[MAX_WORDS]; /* lanes that executed, after the guard */
    u32 simt[MAX_WORDS]; /* lanes of the SIMT stack's top, before it */

    u32 next_pc; /* of the top, after it: its own at a barrier; PC_NONE: the warp has ended */
    u32 next[MAX_WORDS];   /* lanes of the top, after it */
    u32 n_exited;          /* lanes in exited */
    u32 exited[MAX_WORDS]; /* lanes that it ended */
    bool taken;            /* lanes in mask jumped, entered a function or returned from one */
    bool diverged;         /* of a branch: its lanes did not agree where to go */

    u64 addr[MAX_WORDS][LANES]; /* of a wide warp; see exec_addr */
};

struct exec {
    /* hot: what the lane functions read */
    u8 *row[2]; /* registers of this word and frame; constants of the function */
    u32 *pred;
    struct cta *cta;
    struct warp *warp;
    u32 word;
    u32 frame; /* local memory offset of the running frame */
    const struct inst *code;
    const struct func *funcs;
    const struct func *func;
    struct vmem *mem;
    u32 *hint; /* per pc: index of the allocation it last touched */
    u64 *addr; /* of each lane, what the last memory instruction touched, in its space */
    const lane_fn *table;
    struct ptx_stat n;
    struct store_log *log; /* NULL: stores write memory at once */
    enum fault_kind fault;
    bool defer_atoms, defer_calls;
    bool captured;  /* `atom` has lanes of the instruction issued last */
    u64 clock;      /* SM cycle, or issued instructions without timing */
    const u8 *spin; /* per pc: it ends a loop that may wait; NULL: lanes take no turns (path.h) */

    /* cold */
    u32 yield;            /* of exec_independent */
    const lane_fn *lanes; /* the table that own_table is made of */
    lane_fn *own_table;
    u32 fault_lane;
    u64 fault_addr;
    u32 fault_bytes;
    u8 fault_space;
    bool fault_write;
    bool check; /* report reads of memory that nobody wrote */
    const struct launch *launch;
    const struct texture_set *texture;
    u32 n_sm, sm_warps; /* for %nsmid, %nwarpid */
    u32 sm_shared;      /* bytes of shared memory of an SM */
    u64 (*time_ns)(const struct exec *x);
    u64 start_ps;            /* time_ns at clock 0 ... */
    u32 insts_per_us;        /* ... and how it goes on, without timing */
    u64 n_uninit;            /* reads reported by check */
    u8 *uninit_seen;         /* per pc */
    VEC(struct stray) stray; /* of mem.bounds=report and not yet told, one of an instruction ... */
    u8 *stray_seen;          /* ... per pc; NULL: nothing is to be told */
    u8 stray_data[LANES][STORE_LOG_ACCESS]; /* what lanes read that have strayed */
    char *text;                             /* printed and not yet delivered */
    size_t n_text, cap_text;
    void (*print)(void *arg, const char *text, size_t n); /* NULL: to stdout */
    void *print_arg;
    struct span cta_span; /* shared memory of the running CTA, while checking */
    char fault_text[160]; /* of FAULT_ASSERT */

    struct exec_out out __attribute__((aligned(64)));
    struct atom_capture atom; /* of the atomic issued last, if they are deferred */
};

/* Which table: "avx512", "avx2", "base", or NULL for the best this host has. */
const lane_fn *exec_table(const char *isa, struct err *e);
const char *exec_table_name(const lane_fn *t);

void exec_init(struct exec *x, const struct launch *l, struct vmem *mem,
               const struct texture_set *tex, bool check);
void exec_release(struct exec *x);

/*
 * Up to `budget` instructions of a warp that is neither done nor waiting; *used says how many.
 * Ends early for any step but STEP_GO.
 */
enum step exec_run(struct exec *x, struct warp *w, u64 budget, u64 *used);

/*
 * One instruction of a warp that is neither done nor waiting nor has a call pending; what
 * it did is in x->out.  Leaves x->clock, which the caller has set, alone.
 */
enum step exec_issue(struct exec *x, struct warp *w);

/*
 * The two halves of exec_issue, for who does not compute a warp's instructions in order.
 *
 * exec_compute: the instruction at pc, which is no control flow, for the lanes of the SIMT stack's
 * top, which stay where they are: STEP_GO, or STEP_FAULT at out.pc.  It must be one that these
 * lanes come to: neither control flow nor the top's rpc may lie between its pc and this one.  All
 * of x->out but where the warp is now.
 *
 * exec_advance: the top is done with the instruction at its pc, which is no control flow, and goes
 * on.  Fills in out.next_pc and out.next.
 */
enum step exec_compute(struct exec *x, struct warp *w, u32 pc);
void exec_advance(struct exec *x, struct warp *w);

/*
 * Addresses that the memory instruction at pc would have in a word of the warp, with registers as they
 * are; in its space, as exec_addr.  Of lanes that its guard turns off, too.
 */
void exec_where(struct exec *x, struct warp *w, u32 pc, u32 word, u64 addr[LANES]);

/* The values of an operand of the running instruction, lane by lane. */
static inline void *exec_row(const struct exec *x, u32 opnd)
{
    return x->row[opnd >> 15] + (size_t)(opnd & 0x7fff) * ROW_BYTES;
}

/*
 * What lanes of the memory instruction issued last touched, in its space (generic ones:
 * generic addresses).  A texture fetch: the first texel of each lane.
 */
static inline const u64 *exec_addr(const struct exec *x, const struct warp *w, u32 word)
{
    return w->n_word == 1 ? x->addr : x->out.addr[word];
}

/*
 * Performs the call that is pending in w: STEP_GO or STEP_FAULT, whose pc is w->call.pc.
 * x may be any of the launch; one for all calls keeps what they print in order.
 */
enum step exec_call(struct exec *x, struct warp *w);

/* The fault as a message: kernel, line, thread, block, address, nearest allocation. */
void exec_fault_message(struct exec *x, const struct warp *w, u32 pc, struct err *e);

/* The same of an access that went on. */
void exec_stray_message(struct exec *x, const struct stray *s, struct err *e);

/*
 * A lane touches bytes at x->addr[lane] of x->fault_space that are not all in bounds: may it go on?
 * Then it is counted, noted if it is to be told, and x->stray_data[lane] is what it reads: bytes that
 * are in bounds, and 0.  Otherwise it has raised a fault.
 */
bool exec_stray(struct exec *x, u32 pc, u32 lane, u32 bytes);

/* ---- shared by exec*.c */
void exec_stray_store(struct exec *x, u32 lane, const u8 *data, u32 bytes);
bool exec_stray_passes(const struct exec *x, u64 addr, u32 bytes, enum bounds how);
enum step exec_ctrl(struct exec *x, struct warp *w, const struct inst *in);
void exec_raise(struct exec *x, enum fault_kind kind, u32 lane, u64 addr, u32 bytes);
void exec_uninit(struct exec *x, const struct inst *in, u32 lane, u64 addr);
void exec_bind(struct exec *x, struct warp *w, u32 word); /* what the lane functions read */
void simt_pop(struct warp *w);
void simt_settle(struct warp *w); /* entries that have nothing to run are popped */
void exec_tex(struct exec *x, const struct inst *in, u32 mask);
void exec_txq(struct exec *x, const struct inst *in, u32 mask);
void exec_suaddr(struct exec *x, const struct inst *in, u32 mask);
void exec_mma(struct exec *x, const struct inst *in, u32 mask);

/* ldmatrix, stmatrix of n matrices: the first 8 n lanes name rows; the others touch nothing else. */
static inline void matrix_rows(u64 addr[LANES], u32 n)
{
    for (u32 i = 8 * n; i < LANES; i++)
        addr[i] = addr[i % (8 * n)];
}

static inline u32 exec_guard(const u32 *pred, const struct inst *in)
{
    if (in->guard == PRED_NONE)
        return ~0u;
    u32 m = pred[in->guard & ~PRED_NOT];

    return in->guard & PRED_NOT ? ~m : m;
}

/* Lanes of a mask: mostly all. */
static inline u32 lanes_in(u32 mask)
{
    return LIKELY(mask == ~0u) ? LANES : popc_32(mask);
}

#endif
