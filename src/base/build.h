/*
 * build.h -- which sources this is built from, as git knows them.
 *
 * cmake/build_id.cmake looks at each build, and what it finds is compiled into build.c alone: a new
 * commit costs one small file and linking.  Outside a checkout (a tarball) there is only a version.
 */
#ifndef BASE_BUILD_H
#define BASE_BUILD_H

#include "base/base.h"

extern const char build_commit[]; /* 40 digits, "" if not known */
extern const bool build_is_dirty; /* files that git knows differ from that commit */

#endif
