/* memory.c -- see memory.h */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"

static __thread struct memory_guard *innermost;

void memory_guard_thread(struct memory_guard *g)
{
    g->outer = innermost;
    innermost = g;
}

void memory_unguard(struct memory_guard *g)
{
    innermost = g->outer;
}

void memory_out(void)
{
    struct memory_guard *g = innermost;

    if (!g) {
        fputs("smelt: out of memory\n", stderr);
        exit(ERR_PROGRAM);
    }
    innermost = g->outer;
    longjmp(g->back, 1);
}

enum { NOT_READ = -1 };

bool memory_refused(void)
{
    static _Atomic long fails_at = NOT_READ, asked;
    long at = atomic_load_explicit(&fails_at, memory_order_relaxed);

    if (LIKELY(!at))
        return false;
    if (at == NOT_READ) {
        const char *n = getenv("SMELT_MEMORY_FAILS");

        at = n ? strtol(n, NULL, 10) : 0;
        atomic_store(&fails_at, at);
    }
    return at && atomic_fetch_add(&asked, 1) + 1 == at;
}
