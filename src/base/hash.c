/* hash.c -- see hash.h */
#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Compiled in: programs that load libcudart.so need no further library, and none of theirs is
 * taken.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

static void show_hash(XXH128_hash_t h, char hex[HASH_HEX])
{
    snprintf(hex, HASH_HEX, "%016" PRIx64 "%016" PRIx64, (u64)h.high64, (u64)h.low64);
}

void hash_bytes(const void *p, size_t len, char hex[HASH_HEX])
{
    show_hash(XXH3_128bits(p, len), hex);
}

static bool hash_stream(FILE *f, char hex[HASH_HEX])
{
    char piece[1 << 14];
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (size_t n; (n = fread(piece, 1, sizeof(piece), f)) > 0;)
        XXH3_128bits_update(&state, piece, n);
    show_hash(XXH3_128bits_digest(&state), hex);
    return !ferror(f);
}

bool hash_file(const char *path, char hex[HASH_HEX], struct err *e)
{
    FILE *f = fopen(path, "rb");
    bool ok = f && hash_stream(f, hex);
    int why = errno;
    if (f)
        fclose(f);
    return ok || err_set(e, "%s: %s", path, strerror(why));
}
