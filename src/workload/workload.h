/*
 * workload.h -- the bundled CUDA programs: workloads/NAME/NAME.cu.
 *
 * A workload is compiled by `smelt cc` when it is first run, and again when what it is made of has
 * changed: its folder, the common headers, the toolkit's headers, device math, the compilers, and
 * smelt cc itself.  The hash of all that is in the path of the executable, HASH/NAME in the folder
 * of cache.h; so one that is there is the right one.
 *
 * The first comment of NAME.cu is its documentation:
 *
 *     NAME -- title
 *
 *     suite: ..           one line each, in any order
 *     stresses: ..
 *     papers: ..
 *     kernels: ..
 *     size: ..            by default
 *     large: ..           of --size large
 *     odd: ..             a second size for tests, and
 *     tiny: ..            one for slow builds
 *     time: ..            of a timing run on gtx480
 *
 *     a text
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/base.h"
#include "base/err.h"
#include "base/hash.h"

enum workload_field {
    WL_SUITE,
    WL_STRESSES,
    WL_PAPERS,
    WL_KERNELS,
    WL_SIZE,
    WL_LARGE,
    WL_ODD,
    WL_TIME,
    N_WL_FIELD
};

struct workload_info {
    char *name;
    char *doc; /* the whole comment, without its marks */
    char *title;
    char *field[N_WL_FIELD]; /* "" if it says nothing */
};

bool workload_exists(const char *name);
const char *workload_hint(struct err_hint *h, const char *name); /* " (did you mean ..?)", or "" */

/* All of them, sorted by name; a workload that cannot be read has its error as title. */
u32 workload_list(struct workload_info **list);
void workload_list_free(struct workload_info *list, u32 n);

/* Its source, to be freed; NULL if the name is none. */
char *workload_source(const char *name);

/* The hash of what its executable is made of. */
void workload_made_of(const char *name, char hex[HASH_HEX]);

/* The executable, compiled if need be; to be freed. */
char *workload_build(const char *name, struct err *e);

#endif
