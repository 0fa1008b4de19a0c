/*
 * builtin.h -- functions that the device provides: their names and declarations.
 *
 * A program declares them without a body (clang's CUDA headers do) and calls them like
 * any function.  What they do: exec/builtin_call.h.
 */
#ifndef PTX_BUILTIN_H
#define PTX_BUILTIN_H

#include "ptx/parse/ptx.h"
#include "ptx/program.h"

/* BUILTIN_NONE if the device has no function of this name. */
enum builtin builtin_find(const char *name);
const char *builtin_names(void); /* all of them, for messages */

/* Is it declared with results and parameters of the right sizes?  If not, the text says which. */
bool builtin_declared_well(enum builtin b, const struct ptx_func *f, u32 address_size);
const char *builtin_declaration(enum builtin b);

#endif
