/* runner_one.c -- see runner.h: one point without a store; and signals, for runner.c too */
#include <signal.h>
#include <time.h>

#include "runs/attempt.h"
#include "runs/runner_int.h"

/* ---- signals */

static sigset_t waited_for; /* what runner_sleep returns */

/* With nohup, the end of a terminal means nothing; Ctrl-C means us even in the background. */
void runner_block_signals(struct runner_signals *old)
{
    struct sigaction hang_up;

    sigemptyset(&waited_for);
    sigaddset(&waited_for, SIGCHLD);
    sigaddset(&waited_for, SIGINT);
    sigaddset(&waited_for, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN)
        sigaddset(&waited_for, SIGHUP);
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, the status of a child is lost */
    sigprocmask(SIG_BLOCK, &waited_for, &old->mask);
}

void runner_restore_signals(const struct runner_signals *old)
{
    sigprocmask(SIG_SETMASK, &old->mask, NULL);
}

int runner_sleep(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};

    t.tv_nsec = (long)(1e9 * (seconds - (double)t.tv_sec));
    int number = sigtimedwait(&waited_for, NULL, &t);

    return number > 0 ? number : 0;
}

bool runner_is_stop(int number)
{
    return number && number != SIGCHLD;
}

/* ---- one point */

/*
 * A cluster tells all processes of a task to end, one after the other.  A run that was told before us
 * looks as if it had failed by itself: that is waited for a moment.
 */
#define TOLD_SECONDS 0.5

static bool told_to_stop(double seconds)
{
    double until = attempt_now() + seconds;

    do {
        double left = until - attempt_now();

        if (runner_is_stop(runner_sleep(left > 0 ? left : 0)))
            return true;
    } while (attempt_now() < until);
    return false;
}

static void watch_to_the_end(struct attempt *a, const struct runner_options *o)
{
    double watched = attempt_now();

    while (!attempt_ended(a)) {
        if (runner_is_stop(runner_sleep(RUNNER_TICK)))
            attempt_stop(a);
        if (attempt_now() - watched >= RUNNER_TICK) {
            attempt_watch(a, o);
            watched = attempt_now();
        }
    }
    bool failed = a->status && a->why == ATTEMPT_ITSELF;

    /* It may have been told together with us, and was faster. */
    if (told_to_stop(failed ? TOLD_SECONDS : 0))
        a->why = ATTEMPT_STOPPED;
}

bool runner_one(const char *dir, const struct point *p, const struct runner_options *o,
                struct err *e)
{
    struct runner_signals old;
    struct attempt a;

    if (!point_prepare(p, e))
        return false;
    attempt_clean_environment();
    runner_block_signals(&old);
    bool ok = attempt_start(&a, dir, p, e), stopped = false;

    if (ok) {
        watch_to_the_end(&a, o);
        stopped = a.why == ATTEMPT_STOPPED;
        ok = attempt_finish(&a, e);
        attempt_free(&a);
    }
    runner_restore_signals(&old);
    return ok && (!stopped || err_program(e, "stopped before the end of %s", p->program));
}
