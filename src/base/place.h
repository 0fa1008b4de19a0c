/*
 * place.h -- where smelt's own files are: GPUs, workloads, the toolkit of `smelt cc`.
 *
 * Found from the running command, so that a build folder or an installation may be moved; from
 * libcudart.so when the simulator lives in a CUDA program; at last where smelt was built.
 *
 *     build tree      ROOT/build/release/smelt      ROOT/conf       ROOT/build/release/toolkit
 *     installed       PREFIX/bin/smelt     PREFIX/share/smelt/conf  PREFIX/lib/smelt
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include "base/base.h"

enum { PLACE_MAX = 4 };

/* Where `what` ("conf/gpu") may be, best first; each to be freed. */
u32 place_candidates(const char *what, char *path[PLACE_MAX]);

/* The first of them that exists, to be freed, or NULL. */
char *place_find(const char *what);

/* The toolkit's folder ($SMELT_TOOLKIT if set), to be freed, or NULL. */
char *place_toolkit(void);

/* The running command's own path, to be freed. */
char *place_command(void);

/* Is the command in the build folder of its sources? */
bool place_is_build(void);

#endif
