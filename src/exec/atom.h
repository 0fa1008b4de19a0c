/*
 * atom.h -- atomics on global memory that are performed later than they are issued.
 *
 * With timing an atomic takes place where and when it reaches its L2 slice.  The executor
 * then only checks the addresses and leaves all that is needed here (exec.defer_atoms);
 * whoever models the slice performs the lanes one by one, and the results go into the
 * warp's registers with the reply.
 *
 * A capture is plain data.  To keep one, copy its first atom_capture_bytes() bytes: words
 * behind the last used one are left out, and register addresses stay right as long as the
 * warp's CTA stays where it is.  Kernels may free meanwhile what it is about: host addresses
 * hold while vmem.n_freed is what it was, after that they are looked up anew.
 */
#ifndef EXEC_ATOM_H
#define EXEC_ATOM_H

#include "base/base.h"
#include "exec/vmem.h"
#include "exec/warp.h"
#include "isa/inst.h"

struct atom_word {
    u64 addr[LANES];        /* of the device */
    u8 *host[LANES];        /* NULL: it has strayed (exec_stray.c), and `old` is known */
    u64 b[LANES], c[LANES]; /* operands; c for cas */
    u64 old[LANES];         /* what exec_atom_perform found */
};

struct atom_capture {
    u32 mask[MAX_WORDS]; /* lanes to perform; shared lanes of a generic one are done already */
    u8 op, type;         /* enum atom_op, enum opnd_type */
    u8 bytes;            /* 2, 4 or 8 */
    u8 n_word;           /* words that are filled in, from 0 */
    bool has_dst;
    u32 n_freed;        /* of vmem, when the host addresses were right */
    u8 *row[MAX_WORDS]; /* where the results go, if has_dst */
    struct atom_word word[MAX_WORDS];
};

/* Where a lane's old value goes in its row, and how many bytes of it: 16 bits fill a register. */
static inline u32 atom_row_bytes(const struct atom_capture *a)
{
    return a->bytes == 8 ? 8 : 4;
}

static inline size_t atom_capture_bytes(const struct atom_capture *a)
{
    return offsetof(struct atom_capture, word) + a->n_word * sizeof a->word[0];
}

struct exec;

/* Does one lane's operation on memory now; the old value is kept.  False: its memory is gone. */
bool exec_atom_perform(const struct vmem *mem, struct atom_capture *a, u32 word, u32 lane);

/* Would it leave memory as it is now?  The old value is kept, nothing is written. */
bool exec_atom_reads(const struct vmem *mem, struct atom_capture *a, u32 word, u32 lane);

/* Old values of these lanes into the destination; nothing without one. */
void exec_atom_write(struct exec *x, struct warp *w, const struct atom_capture *a, u32 word,
                     u32 mask);

#endif
