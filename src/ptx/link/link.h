/*
 * link.h -- several PTX texts joined into one, as a device linker joins objects.
 *
 *     l = ptx_link_new();
 *     ptx_link_add(l, "a.o", text, len, e) && ptx_link_add(l, "b.o", ..)
 *     joined = ptx_link_finish(l, e);
 *
 * A name that a text declares .extern is another's that defines it .visible, .weak or .common.  Two
 * definitions are an error that names both paths, unless all but one are .weak (or .common): then
 * the other is taken, or the first.  A name that is used and that nobody defines is an error, but for
 * functions of the device's own (builtin.h) and shared memory of the launch.
 *
 * What belongs to its text alone stays apart: names without a word of linkage, and those that C++
 * mangles as static or of an unnamed namespace (mangle_is_local), which compilers make visible for
 * the host's sake.  They get the text's number behind them (ptx_link_name), always, so that whoever
 * knows the text and the name knows the name in the joined text.
 *
 * The joined text says the newest of the versions and targets; lines of the source (.file, .loc) are
 * kept, other debugging sections are not.  Refused: registers of module scope, and several variables
 * in one declaration; no compiler that splits programs writes them.
 */
#ifndef PTX_LINK_H
#define PTX_LINK_H

#include "base/base.h"
#include "base/err.h"

struct ptx_link;

struct ptx_link *ptx_link_new(void);
void ptx_link_free(struct ptx_link *l);

/* The text is copied; one that is refused is not among them. */
bool ptx_link_add(struct ptx_link *l, const char *path, const char *text, size_t len,
                  struct err *e);

/* To be freed; NULL and a message if it cannot be done. */
char *ptx_link_finish(struct ptx_link *l, struct err *e);

/* What `name` of the nth text, from 0, that belongs to this text alone is called; to be freed. */
char *ptx_link_name(const char *name, u32 n);

#endif
