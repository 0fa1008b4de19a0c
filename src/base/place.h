/*
 * place.h -- where smelt's own files are: GPUs, workloads, the toolkit of `smelt cc`; and
 * compilers.
 *
 * Found from the running command, or from libcudart.so when the simulator lives in a CUDA program,
 * and nowhere else: a build folder, an installation and a package may be moved.
 *
 *     build tree      ROOT/build/release/smelt      ROOT/conf       ROOT/build/release/toolkit
 *     installed       PREFIX/bin/smelt     PREFIX/share/smelt/conf  PREFIX/lib/smelt
 *
 * A build folder is one in which CMake has left .smelt-build-tree, which says where ROOT is; programs
 * of the tests are in its folder tests.  Nothing else that happens to lie near an installed command is
 * looked at.
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include "base/base.h"

/* Where `what` ("conf/gpu") is, to be freed, or NULL. */
char *place_find(const char *what);

/*
 * Names of the files in such a folder ("studies") that have this ending (".lua"), without it, sorted;
 * both levels are freed with text_split_free.
 */
u32 place_names(const char *what, const char *ending, char ***name);

/* The toolkit's folder ($SMELT_TOOLKIT if set), to be freed, or NULL. */
char *place_toolkit(void);

/* The running command's own path, to be freed. */
char *place_command(void);

/* The build folder that the command is in, to be freed; NULL if it is not in one. */
char *place_build(void);

bool place_is_file(const char *path); /* a regular one, or a link to such */
bool place_can_run(const char *path);

/* A program's path, looked for in $PATH if the name has no '/'; to be freed, or NULL. */
char *place_program(const char *name);

/* The clang++ of `smelt cc` ($SMELT_CLANG if set), to be freed, or NULL. */
char *place_clang(void);

#endif
