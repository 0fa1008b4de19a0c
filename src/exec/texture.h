/*
 * texture.h -- textures and surfaces: memory that is read by coordinates.
 *
 * Both are one struct: where texels lie (pitch-linear memory, rows one after the other), what they
 * are, and how coordinates beyond the edge are read.  A surface needs the first five lines only.
 *
 * Device code names a texture or surface by a handle of 64 bits (ptx/program.h has the numbers):
 *
 *     HANDLE_REF + n   the n-th .texref or .surfref variable of the running program, as
 *                      `mov.u64 %rd1, name` gives it
 *     1 + n            the n-th object of the device (device_texture_new), for all programs
 *     0                nothing
 *
 * `tex`, `txq`, `suld`, `sust`, `sured` and `suq` take a handle in a register; lanes may have
 * different ones.  A handle of nothing, of an object that is gone, or of a variable that nobody
 * bound is a fault.
 */
#ifndef EXEC_TEXTURE_H
#define EXEC_TEXTURE_H

#include "base/base.h"
#include "ptx/program.h"

enum tex_wrap { WRAP_CLAMP, WRAP_REPEAT, WRAP_BORDER, WRAP_MIRROR };

struct texture {
    u64 addr;
    u32 width, height, depth; /* texels; height and depth 0 where the geometry has none */
    u32 pitch;                /* bytes of a row */
    u32 channels, bits;       /* 1, 2 or 4 channels of 8, 16 or 32 bits */
    bool bound;               /* false: not there */
    bool is_float, is_signed, normalized, linear, to_float;
    u8 wrap[3]; /* enum tex_wrap */
};

/* What a running program can see. */
struct texture_set {
    const struct texture *ref, *object;
    u32 n_ref, n_object;
};

/* NULL: the handle names nothing, or what it names is not there. */
static inline const struct texture *texture_find(const struct texture_set *s, u64 handle)
{
    const struct texture *t = handle - HANDLE_REF < s->n_ref ? &s->ref[handle - HANDLE_REF]
                              : handle - 1 < s->n_object     ? &s->object[handle - 1]
                                                             : NULL;

    return t && t->bound ? t : NULL;
}

#endif
