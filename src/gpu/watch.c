/* watch.c -- see watch.h */
#include "gpu/watch.h"

#include <dirent.h>
#include <inttypes.h>

#include "base/ensure.h"
#include "base/log.h"
#include "exec/path.h"

enum {
    LOOK = 1 << 20
}; /* a look takes less than a millisecond, and this a good part of a second */

static u64 later(const struct watch *w, u64 now)
{
    return w->limit ? now + (w->limit < LOOK ? w->limit : LOOK) : UINT64_MAX;
}

void watch_begin(struct watch *w, const struct conf *c, u64 now)
{
    *w = (struct watch){.limit = c->sim.watchdog, .issued_at = now};
    w->next = later(w, now);
}

void watch_end(struct watch *w)
{
    if (w->has_try)
        endless_free(&w->try);
    w->has_try = false;
}

bool watch_issues(struct watch *w, u64 now, u64 issued)
{
    check_here(issued >= w->issued && now >= w->issued_at);
    w->next = later(w, now);
    w->found = (struct endless){.cta = NULL};
    if (issued != w->issued)
        w->issued = issued, w->issued_at = now;
    return now - w->issued_at < w->limit;
}

/* Of several, one that reads host memory is told; else one that lanes of its warp wait for. */
static u32 weight(const struct endless *f)
{
    return 2u * f->host + (f->behind != 0);
}

static bool loops(struct watch *w)
{
    struct endless f;

    if (!endless(&w->try, &f))
        return false;
    if (!w->found.cta || weight(&f) > weight(&w->found))
        w->found = f;
    return true;
}

/* Each path that could go on; lanes that have yet to become one may be what others wait for. */
static bool paths_loop(struct watch *w, const struct exec *like, const struct warp *warp)
{
    if (path_waiting_lanes(like, warp, NULL))
        return false;
    for (u32 i = 0; i < warp->n_path; i++) {
        const struct path *p = warp->path[i];

        if (p->waiting >= 0 || p->gather)
            continue;
        struct warp *copy = endless_copy_path(&w->try, warp, i);

        if (path_waiting_lanes(like, copy, NULL) || !loops(w))
            return false;
    }
    return true;
}

bool watch_waits(struct watch *w, const struct exec *like, const struct warp *warp,
                 const struct memunit *mu, const struct wctx *ctx)
{
    if (warp->done || warp->waiting >= 0)
        return !ctx || !ctx->atoms; /* these may change memory yet */
    if (w->has_try && (w->try.run.n_word != warp->n_word || w->tries != like->launch))
        watch_end(w);
    if (!w->has_try)
        endless_init(&w->try, like, warp->n_word);
    w->has_try = true, w->tries = like->launch;
    struct warp *copy = endless_copy(&w->try, warp);

    if ((mu && !atom_foresee(mu, ctx, copy)) || !loops(w))
        return false;
    return !like->spin || paths_loop(w, like, warp);
}

/* Whether there are threads besides `ours`; where nobody can say, there may be. */
static bool others(u32 ours)
{
    DIR *d = opendir("/proc/self/task");
    u32 n = 0;

    if (!d)
        return true;
    for (const struct dirent *f; (f = readdir(d));)
        n += f->d_name[0] != '.';
    closedir(d);
    return n > ours;
}

/* With a SIMT stack, lanes that have left the loop wait for those in it, who may wait for them. */
static void tell_behind(const struct endless *f, const struct launch *l, char *text, size_t n)
{
    char where[400];

    text[0] = 0;
    if (f->behind)
        snprintf(
            text, n,
            "; %u of its warp's lanes must wait until it leaves the loop (%s): if it waits for "
            "them, a GPU with independent thread scheduling goes on (-g v100)",
            popc_32(f->behind), program_where(l->prog, f->behind_pc, where, sizeof where));
}

bool watch_goes_on(struct watch *w, const struct launch *l, u32 ours, struct err *e)
{
    const struct endless *f = &w->found;
    char where[400], who[100], behind[600];

    if (!f->cta || w->noted) /* none runs: a deadlock of barriers is told elsewhere */
        return true;
    program_where(l->prog, f->pc, where, sizeof where);
    snprintf(who, sizeof who, "thread %u,%u,%u of block %u,%u,%u", l->tid[f->thread][0],
             l->tid[f->thread][1], l->tid[f->thread][2], f->cta->id[0], f->cta->id[1],
             f->cta->id[2]);
    tell_behind(f, l, behind, sizeof behind);
    if (!f->host)
        return err_program(e, "kernel %s: loops for ever: nobody writes what %s waits for (%s)%s",
                           l->func->label, who, where, behind);
    if (others(ours)) {
        w->noted = true;
        log_note("kernel %s: %s reads host memory at 0x%" PRIx64
                 " over and over (%s); only another thread of the program can end that",
                 l->func->label, who, f->addr, where);
        return true;
    }
    return err_program(e,
                       "kernel %s: waits for the host for ever: %s reads host memory at 0x%" PRIx64
                       " over and over (%s), but the host goes on only when the kernel has ended%s",
                       l->func->label, who, f->addr, where, behind);
}
