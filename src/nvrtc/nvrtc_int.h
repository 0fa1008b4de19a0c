/*
 * nvrtc_int.h -- inside libnvrtc.so.
 *
 *     nvrtc.c          the calls that nvrtc.h declares, and a program's texts
 *     nvrtc_option.c   which options there are
 *     nvrtc_compile.c  a folder with the source, `smelt cc -ptx` in it, what comes out
 */
#ifndef NVRTC_NVRTC_INT_H
#define NVRTC_NVRTC_INT_H

#include "base/base.h"
#include "base/text.h"

#pragma GCC visibility push(default)
#include <nvrtc.h>
#pragma GCC visibility pop

struct header {
    char *name, *text;
};

struct expression {
    char *text, *lowered; /* lowered: NULL until it is compiled */
};

struct _nvrtcProgram {
    bool lost; /* memory ran out in a call: what is in here is not looked at again */
    char *name, *source;
    VEC(struct header) header;
    VEC(struct expression) expression;
    char *ptx, *log; /* NULL: there is none yet */
    bool tried;      /* to compile it */
};

struct rtc_options {
    VEC(const char *) word; /* for smelt cc */
    bool default_device;
};

/* NVRTC_ERROR_INVALID_OPTION, and *log says which (to be freed), or NVRTC_SUCCESS. */
nvrtcResult rtc_take_options(struct rtc_options *o, int n, const char *const *option, char **log);

/* Fills in p->ptx, p->log and lowered names. */
nvrtcResult rtc_compile(struct _nvrtcProgram *p, const struct rtc_options *o);

#endif
