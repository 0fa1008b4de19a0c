/*
 * builtin_call.h -- what functions do that the device provides: printf, malloc, free and assert.
 *
 * Their names and declarations: ptx/select/builtin.h.  The call site's values are in the caller's frame,
 * as for all calls.
 * The warp's lanes take their turns in ascending order, and the whole is one instruction.
 *
 *     vprintf       builtin_print.c; the text is collected and delivered by builtin_flush
 *     malloc, free  a heap of its own, see vmem.h; 0 when it is full
 *     __assertfail  one line per failing thread on stderr, then FAULT_ASSERT
 *
 * All take effect at once, or, with exec.defer_calls, when exec_call is told to: the timing
 * model does that where the SMs meet, in the order (cycle, SM), so that neither the order of
 * lines nor an address depends on which SM the host happens to run first.
 */
#ifndef EXEC_BUILTIN_CALL_H
#define EXEC_BUILTIN_CALL_H

#include "exec/exec.h"

/* Calls b for these lanes of the running function.  False: a fault was raised. */
bool builtin_call(struct exec *x, struct warp *w, enum builtin b, const struct call_site *s,
                  const u32 *mask);

/* Delivers what has been printed. */
void builtin_flush(struct exec *x);

/* ---- shared by builtin*.c */

struct thread { /* one lane of a warp */
    struct exec *x;
    struct warp *w;
    u32 word, lane;
};

/* Host memory of `size` bytes at a generic address; NULL: a fault was raised. */
const u8 *thread_memory(const struct thread *t, u64 addr, u32 size);

/* A string that ends within its allocation or is `most` bytes long; NULL: a fault was raised. */
const char *thread_string(const struct thread *t, u64 addr, u64 most);

/*
 * printf: *n is the number of arguments it took, -1 without a format.  False: a fault was raised.
 */
bool builtin_print(const struct thread *t, u64 format, u64 args, s32 *n);

#endif
