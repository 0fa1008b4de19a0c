/* strays.c -- see strays.h */
#include "gpu/strays.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/text.h"

static struct stray_line line_of(const struct program *p, u32 pc)
{
    const struct src_loc *l = &p->loc[pc];

    return (struct stray_line){p, l->file, l->file ? l->src_line : l->line};
}

/* Has its line had its say?  From now on it has. */
static bool is_told(struct device *d, const struct program *p, u32 pc)
{
    const struct stray_line new = line_of(p, pc);

    for (u32 i = 0; i < d->stray_line.n; i++) {
        const struct stray_line *old = &d->stray_line.at[i];

        if (old->p == p && old->file == new.file && old->line == new.line)
            return true;
    }
    *VEC_ADD(&d->stray_line) = new;
    return false;
}

static void tell(struct device *d, struct exec *x, const struct stray *s)
{
    struct err e;

    if (is_told(d, x->launch->prog, s->pc))
        return;
    exec_stray_message(x, s, &e);
    log_warn("%s", e.msg);
}

struct noted {
    u32 turn; /* of its executor */
    struct exec *x;
    const struct stray *s;
};

/* Within a cycle SMs go one after the other, and of an SM its kernels. */
static int by_time(const void *a, const void *b)
{
    const struct noted *p = a, *q = b;

    if (p->s->clock != q->s->clock)
        return p->s->clock < q->s->clock ? -1 : 1;
    if (p->turn != q->turn)
        return p->turn < q->turn ? -1 : 1;
    return p->s < q->s ? -1 : p->s > q->s;
}

void strays_tell(struct device *d, struct exec *x, u32 n, u32 n_sm)
{
    VEC(struct noted) all = {0};

    for (u32 i = 0; i < n; i++)
        for (u32 k = 0; k < x[i].stray.n; k++)
            *VEC_ADD(&all) =
                (struct noted){i % n_sm * (n / n_sm) + i / n_sm, &x[i], &x[i].stray.at[k]};
    if (all.n)
        qsort(all.at, all.n, sizeof all.at[0], by_time);
    for (u32 i = 0; i < all.n; i++)
        tell(d, all.at[i].x, all.at[i].s);
    for (u32 i = 0; i < n; i++)
        x[i].stray.n = 0;
    VEC_FREE(&all);
}
