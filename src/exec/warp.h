/*
 * warp.h -- what executes: launches, CTAs, warps and their SIMT stacks.
 *
 * A warp is 1 to 4 words of 32 lanes.  Each word has a block of register rows,
 * predicate masks and local memory of its own; which thread of the CTA sits in
 * which lane is data (`thread`), though each word starts with 32 consecutive ones.
 *
 * SIMT stack.  The top entry runs.  A branch that its lanes do not agree on turns
 * the entry into the place where they meet again (pc = the immediate
 * post-dominator) and pushes an entry for each side; an entry whose pc arrives at
 * its `rpc` is popped.  Where the sides do not meet before the function returns,
 * rpc is PC_NONE and they replace the entry.  A call pushes an entry in a new
 * frame: register rows, predicates and local memory above the caller's.  Lanes
 * that exit leave all entries.
 *
 * Barriers count threads, in the manner of the hardware before Volta: a warp that
 * arrives stands for all its lanes, and warps that have ended are not waited for.
 * Of a warp in parts (part.h) each stands for its own, and so does each of its paths (path.h).
 */
#ifndef EXEC_WARP_H
#define EXEC_WARP_H

#include "base/base.h"
#include "ptx/program.h"
#include "isa/inst.h"

enum { MAX_WORDS = 4, N_BARRIER = 16, MAX_LOCAL = 1 << 20 /* bytes of a thread */ };

/* Why a launch cannot begin; CUDA has an error code for each. */
enum refusal {
    REFUSE_NONE,
    REFUSE_KERNEL,  /* no such kernel */
    REFUSE_SHAPE,   /* a dimension of the grid or block is 0 or too large */
    REFUSE_THREADS, /* too many threads per block */
    REFUSE_SHARED,  /* too much shared memory */
    REFUSE_REGS,    /* more registers than an SM has, or local memory than a thread can have */
};

struct launch {
    const struct program *prog;
    const struct func *func;
    u32 grid[3], block[3];
    u32 smem;        /* dynamic shared memory, bytes */
    const u8 *param; /* func->param_bytes */
    u32 id;          /* %gridid */
    enum refusal refusal;
    /* derived by launch_prepare */
    u32 threads; /* of a CTA */
    u32 warps;   /* logical ones, of a CTA */
    u32 shared;  /* static + dynamic */
    u64 ctas;
    u16 (*tid)[3]; /* of each thread of a CTA */
};

struct simt {
    u32 pc, rpc;
    u32 mask[MAX_WORDS];
    u32 frame;     /* local memory offset of the running function's frame */
    u32 row, pred; /* where its registers start */
    u32 func;
    u32 site;   /* call site that entered this function, in `caller` */
    u32 caller; /* PC_NONE: the kernel itself */
    u32 caller_frame;
};

struct word {
    u8 *reg; /* rows */
    u32 *pred;
    u8 *local;   /* 32 x local bytes, a thread's after the other */
    u16 *thread; /* of each lane */
};

struct cta;
struct path;

/* A call of a built-in function that is to take effect later (exec.defer_calls). */
struct pending_call {
    enum builtin builtin; /* BUILTIN_NONE: nothing is pending */
    u32 pc, frame;        /* of the call; the warp itself stands behind it */
    u32 mask[MAX_WORDS];
    const struct call_site *site;
};

struct warp {
    u32 depth, cap;
    struct simt *stack;
    u32 n_word;
    bool gathered;  /* its next instruction has been computed: exec_gather */
    bool scattered; /* others control threads of its logical warps */
    bool cut;       /* a part of lanes that stood together, not a side of a branch */
    bool aside;     /* gathered, or it is known what its rows are written as, in paths */
    struct word word[MAX_WORDS];
    struct cta *cta;
    u32 id;                 /* in its CTA */
    s32 waiting;            /* barrier it waits at, -1: none */
    const struct inst *bar; /* the bar.red whose result it waits for */
    bool done;
    struct pending_call call;
    u32 stands[MAX_WORDS]; /* lanes that it stands for at a barrier */
    /* of parts: part.h */
    struct warp *from; /* whose threads it has some of, and gives back; NULL: it goes nowhere */
    u8 *wide;          /* what each row was written as last, or NULL: warp_track */
    s32 meet;          /* entry of that one's stack where it goes home to; -1: none */
    u32 beside;        /* entry of it whose lanes it left */
    u32 n_part;        /* parts that come back to it */
    bool spare;        /* a part that nobody has */
    /* of paths: path.h */
    struct path **path; /* those that wait for their turn, then spare ones */
    u32 n_path, n_made;
    u32 spins;   /* times that the running one went round, in its turn */
    bool forced; /* an operation among lanes is performed without those that cannot come */
};

/* The entry of the stack that runs; there is one as long as a thread of the warp does. */
static inline struct simt *warp_top(const struct warp *w)
{
    return &w->stack[w->depth - 1];
}

struct barrier {
    u32 arrived; /* threads that somebody stands for */
    u32 waiting; /* warps */
    u32 count;   /* threads it is for; 0: all of the CTA */
    u32 popc;    /* .red: predicates that hold */
    u32 lanes;   /* .red: predicates seen */
};

struct cta {
    u32 id[3];
    u32 sm;
    u8 *shared, *shared_shadow;
    u32 n_warp;
    u32 n_warp_now; /* those that are not done, parts included */
    u32 standing;   /* threads that they stand for at a barrier */
    struct warp *warp;
    const struct func *kernel;
    struct warp **part;
    struct warp *gather; /* of exec_gather; NULL until it is needed */
    u32 n_part, cap_part;
    struct barrier bar[N_BARRIER];
};

/* Checks sizes against the kernel's own limits and fills in the derived fields, or `refusal`. */
bool launch_prepare(struct launch *l, struct err *e);
void launch_release(struct launch *l);

/* Room for CTAs of one launch: allocated once, reused for one CTA after the other. */
/* A warp alone, to try out what another will do; a copy has the same place in the same CTA. */
void warp_new(struct warp *w, const struct func *kernel, u32 words);
void warp_free(struct warp *w);
void warp_copy(struct warp *to, const struct warp *from, const struct launch *l);

/* The same stack, registers, predicates and local memory. */
bool warp_equal(const struct warp *a, const struct warp *b, const struct launch *l);

struct cta *cta_new(const struct launch *l, u32 words_per_warp, bool check);
void cta_start(struct cta *c, const struct launch *l, u64 seq, u32 sm);
void cta_free(struct cta *c);
bool cta_done(const struct cta *c);

#endif
