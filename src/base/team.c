/* team.c -- see team.h */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/pace.h"
#include "base/text.h"

enum { SPIN = 500, YIELD = 200 }; /* some 10 us; then others may want the core */

struct team {
    _Atomic u64 call; /* number of the call that is on */
    char apart[64];   /* written by different threads */
    _Atomic u32 left; /* members that have not finished this call */
    _Atomic u32 asleep;
    _Atomic bool no_memory; /* it ran out in some item of this call */
    void (*work)(void *arg, u32 item);
    void *arg;
    u32 n;
    struct pace pace; /* whether members are worth calling */
    _Atomic bool quit;
    u32 n_member;  /* besides the caller */
    pid_t process; /* whose threads they are: a forked child has none */
    struct member {
        struct team *team;
        u32 number; /* the caller is 0 */
        pthread_t thread;
    } * member;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Always the same items, so that what they are about stays in the caches of one core. */
static void do_items(struct team *t, u32 me)
{
    u32 all = t->n_member + 1;

    for (u32 i = me * t->n / all; i < (me + 1) * t->n / all; i++)
        t->work(t->arg, i);
}

/* Who runs out of memory leaves the rest of its items; the caller tells when all members are back. */
static void do_guarded(struct team *t, u32 me)
{
    struct memory_guard g;

    if (MEMORY_GUARD(&g)) {
        do_items(t, me);
        memory_unguard(&g);
    } else {
        atomic_store(&t->no_memory, true);
    }
}

static void sleep_until(struct team *t, u64 seen)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (atomic_load(&t->call) == seen && !atomic_load(&t->quit))
        pthread_cond_wait(&t->wake, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->lock);
}

static void *team_member(void *arg)
{
    const struct member *m = arg;
    struct team *t = m->team;
    u64 seen = 0;

    for (;;) {
        for (u32 i = 0; i < SPIN + YIELD && atomic_load(&t->call) == seen; i++)
            i < SPIN ? relax() : (void)sched_yield();
        if (atomic_load(&t->call) == seen && !atomic_load(&t->quit))
            sleep_until(t, seen);
        if (atomic_load(&t->quit))
            return NULL;
        seen = atomic_load(&t->call);
        do_guarded(t, m->number);
        atomic_fetch_sub_explicit(&t->left, 1, memory_order_release);
    }
}

struct team *team_new(u32 threads)
{
    struct team *t = xcalloc(1, sizeof *t);

    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    t->process = getpid();
    pace_init(&t->pace);
    t->member = xcalloc(threads, sizeof t->member[0]);
    for (u32 i = 1; i < min_u32(threads, pace_cpus()); i++) { /* fewer do the same work */
        struct member *m = &t->member[t->n_member];

        m->team = t, m->number = t->n_member + 1;
        t->n_member += !pthread_create(&m->thread, NULL, team_member, m);
    }
    return t;
}

u32 team_threads(const struct team *t)
{
    return t->n_member + 1;
}

void team_check(struct team *t)
{
    if (t->process == getpid())
        return;
    t->process = getpid();
    t->n_member = 0; /* a fork: the members are the parent's */
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
}

static void wake_all(struct team *t)
{
    if (!atomic_load(&t->asleep))
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

void team_free(struct team *t)
{
    if (!t)
        return;
    team_check(t);
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->quit, true);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    atomic_fetch_add(&t->call, 1);
    for (u32 i = 0; i < t->n_member; i++)
        pthread_join(t->member[i].thread, NULL);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->wake);
    free(t->member);
    free(t);
}

static void wait_for_members(const struct team *t)
{
    for (u32 i = 0; atomic_load_explicit(&t->left, memory_order_acquire); i++)
        if (i < SPIN)
            relax();
        else
            sched_yield(); /* more threads than cores */
}

static u64 now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static void run_together(struct team *t, u64 begun)
{
    atomic_store_explicit(&t->left, t->n_member, memory_order_relaxed);
    atomic_fetch_add(&t->call, 1);
    wake_all(t);
    u64 woken = now_ns();

    do_guarded(t, 0);
    u64 done = now_ns();

    wait_for_members(t);
    if (UNLIKELY(atomic_exchange(&t->no_memory, false)))
        memory_out();
    u64 now = now_ns();

    pace_tell(&t->pace, done - woken, (woken - begun) + (now - done), t->n_member, now);
}

void team_run(struct team *t, void (*work)(void *arg, u32 item), void *arg, u32 n)
{
    u64 now = t->n_member ? now_ns() : 0;

    t->work = work, t->arg = arg, t->n = n;
    if (t->n_member && pace_together(&t->pace, now)) {
        run_together(t, now);
        return;
    }
    for (u32 i = 0; i < n; i++)
        work(arg, i);
}
