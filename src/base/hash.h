/*
 * hash.h -- names for contents: the same bytes have the same name, here and everywhere.
 *
 *     char hex[HASH_HEX];
 *     hash_bytes(text, len, hex);        "99aa06d3014798d86001c324468d497f" for no bytes at all
 *     if (!hash_file(path, hex, e)) ..
 *
 * XXH3 with 128 bits, written as xxhsum does.  It tells programs and sources apart that differ by
 * chance or by work on them; it is no protection against someone who wants two to look the same.
 * For the hash of several things, hash their names and hashes as one text.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/base.h"
#include "base/err.h"

enum { HASH_HEX = 33 }; /* 32 digits and the 0 */

void hash_bytes(const void *p, size_t len, char hex[HASH_HEX]);

/* "PATH: No such file or directory" on failure.  A file of any size: it is read in pieces. */
bool hash_file(const char *path, char hex[HASH_HEX], struct err *e);

#endif
