/*
 * set.h -- named sets of workloads: workloads/sets/NAME.set.
 *
 *     # What it is, in one line.                           more lines of comment may follow
 *     LABEL: PROGRAM [ARGS..] [@ KERNEL]                   a member under a name of its own
 *     PROGRAM [ARGS..]                                     its label is the program's name
 *     *                                                    every workload
 *
 * Words are separated by blanks.  KERNEL means the launches of that kernel alone; two members that
 * differ in nothing else share their runs.
 */
#ifndef WORKLOAD_SET_H
#define WORKLOAD_SET_H

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"

struct set_member {
    char *label;
    char *program;
    char *args;   /* separated by single blanks, "" if there are none */
    char *kernel; /* or NULL: all of them */
};

struct set_info {
    char *name, *title;
    VEC(struct set_member) member;
};

/* "NAME" or "set:NAME"; false and a message if there is no such set or its file is wrong. */
bool set_read(const char *name, struct set_info *s, struct err *e);
void set_free(struct set_info *s);

void set_thin(struct set_info *s, u32 n); /* keeps the first of every n members */
/* Each with the size that tests run it with, or with its large one (--size large). */
enum set_size { SET_SMALL, SET_LARGE };
void set_resize(struct set_info *s, enum set_size size);

/* The names of all sets, sorted; both levels are freed with text_split_free. */
u32 set_names(char ***name);

#endif
