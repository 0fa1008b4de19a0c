/*
 * texture.h -- textures and surfaces: memory that is read by coordinates.
 *
 * Both are one struct: where texels lie (pitch-linear memory, rows one after the other), what they
 * are, and how coordinates beyond the edge are read.  A surface needs the first five lines only.
 *
 * Layers lie as rows or slices do: height counts those of a 1D texture, depth those of a 2D one; a
 * cube map is layers of its six faces.  A mipmapped texture has n_level levels, each half as large
 * as the one before; `level` says where they are, the first one too.
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

enum { MAX_LEVELS = 16 };
enum tex_wrap { WRAP_CLAMP, WRAP_REPEAT, WRAP_BORDER, WRAP_MIRROR };

struct texture {
    u64 addr;
    u32 width, height, depth; /* texels; height and depth 0 where the geometry has none */
    u32 pitch;                /* bytes of a row */
    u32 channels, bits;       /* 1, 2 or 4 channels of 8, 16 or 32 bits */
    bool bound;               /* false: not there */
    bool is_float, is_signed, normalized, linear, to_float;
    bool srgb;       /* bytes that are read as floats are sRGB, the fourth channel is not */
    u8 wrap[3];      /* enum tex_wrap */
    float border[4]; /* what WRAP_BORDER reads beyond the edge */

    u32 n_level; /* 0: there are none */
    bool level_linear;
    float lod_bias, lod_min, lod_max;
    struct {
        u64 addr;
        u32 pitch;
    } level[MAX_LEVELS];
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
