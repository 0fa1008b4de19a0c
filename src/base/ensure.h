/*
 * ensure.h -- invariants: checked where they are relied on, and told so that they can be looked into.
 *
 *     ensure_of(tell, subject, condition)   in every build: it keeps an access within its memory
 *     check_of(tell, subject, condition)    in builds with asserts: all others
 *     ensure_here(condition)                the same of code that knows no subject: it is told whom
 *     check_here(condition)                 its host thread works for
 *     assert(condition)                     where there is no subject: tables, what happens once
 *
 * What the user can do wrong is no matter of these (err.h).  Who goes on with a broken invariant
 * would write where it must not, perhaps into the memory of the program that has loaded us, so the
 * process is aborted, with a block like
 *
 *     smelt: broken invariant: fe->n_fetched < LEN(fe->fetched) (sm/front/fetch.c:33)
 *         kernel vecadd, cycle 411, SM 3, warp 5 (warp 1 of block 7,0,0) at vecadd.ptx:36
 *         again: smelt run -g tiny examples/vecadd.job
 *
 * on stderr.  Conditions have no side effects; a subject is a pointer.  A folder whose structs know
 * more than "here" has macros of its own: sm/ensure.h.
 */
#ifndef BASE_ENSURE_H
#define BASE_ENSURE_H

#include <assert.h>
#include <stdio.h>

#include "base/base.h"

/* Prints who it is, within a line; may find it in any state. */
typedef void ensure_tell(FILE *f, const void *subject);

NORETURN RARE void ensure_broken(ensure_tell *tell, const void *subject, const char *condition,
                                 const char *file, int line);

#define ENSURE_OF(tell, subject, condition, text)                                                  \
    (LIKELY(condition) ? (void)0 : ensure_broken(tell, subject, text, __FILE__, __LINE__))

#ifdef NDEBUG
#define CHECK_OF(tell, subject, condition, text)                                                   \
    ((void)sizeof(subject), (void)(false && (condition)))
#else
#define CHECK_OF ENSURE_OF
#endif

#define ensure_of(tell, subject, condition) ENSURE_OF(tell, subject, condition, #condition)
#define check_of(tell, subject, condition) CHECK_OF(tell, subject, condition, #condition)

/* ---- whom a host thread works for; NULL: nobody */

struct ensure_worker {
    ensure_tell *tell;
    const void *subject;
};

extern _Thread_local struct ensure_worker ensure_worker;

static inline void ensure_works_for(ensure_tell *tell, const void *subject)
{
    ensure_worker = (struct ensure_worker){tell, subject};
}

ensure_tell ensure_tell_worker; /* the subject is not looked at */

#define ensure_here(condition) ENSURE_OF(ensure_tell_worker, NULL, condition, #condition)
#define check_here(condition) CHECK_OF(ensure_tell_worker, NULL, condition, #condition)

/*
 * For the command in the message: this process has its settings from SMELT_ARGS, and not from its
 * command line alone.  The text must live as long as the process.
 */
void ensure_settings(const char *args);

#endif
