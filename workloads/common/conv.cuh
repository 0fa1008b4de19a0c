/*
 * conv.cuh -- convolution as a matrix product whose matrix of patches is never stored.
 *
 * The three products of a layer, with the tile of gemm.cuh.  A patch matrix has a row for each
 * channel and tap of the filter, and a column for each pixel of the output:
 *
 *     forward          y  [k][pixel]   = filter [k][c,tap]  patches of x  [c,tap][pixel]
 *     backward data    dx [c][pixel]   = filter [c][tap,k]  patches of dy [tap,k][pixel]
 *     backward filter  df [c,tap][k]   = patches of x [c,tap][pixel]  dy [pixel][k]
 *
 * An element of a patch matrix is image[offset of the row + offset of the column], and it is not in
 * the padding around the image if mask of the row & mask of the column is not 0: a row has the bit
 * of its tap, a column those of all taps that lie inside.  So index arithmetic is done once.  A
 * thread keeps the offset and mask of the one row or column that it loads; those of the common
 * dimension come from a table in constant memory, which the host makes.
 *
 * Images are [image][channel][plane]; a plane is filled up to a multiple of 8 pixels.  Filters
 * are [c][tap][k], with k a multiple of 4.  Elements of the padding, and those past the end of the
 * table, are 0.
 */
#ifndef COMMON_CONV_CUH
#define COMMON_CONV_CUH

#include "workload.h"
#include "common/gemm.cuh"

enum { CONV_TABLE = 4096 };

/* A layer: `in` wide and high, `out` wide and high after taps x taps filters at some stride. */
struct conv {
    int n_image, c, k;
    int taps, stride, pad;
    int in, out, in_plane, out_plane;
    unsigned column; /* the bits of the taps of one column */
};

/* A row or column of a patch matrix. */
struct conv_entry {
    int offset;
    unsigned mask;
};

/* Those of the common dimension, two in an element; past the end, masks are 0. */
static __constant__ int4 conv_table[CONV_TABLE / 2];

/* Which taps are inside if the first is at `x`, maybe in the padding; each has `bits` bits. */
static __host__ __device__ __forceinline__ unsigned conv_inside(struct conv s, int x, int bits)
{
    int from = x < 0 ? -x : 0, to = s.in - x < s.taps ? s.in - x : s.taps;

    return (1u << to * bits) - (1u << from * bits);
}

/* A column; what fills up a plane has no taps. */
static __host__ __device__ __forceinline__ struct conv_entry conv_pixel(struct conv s, int pixel)
{
    bool inside = pixel < s.out * s.out;
    int y, x;

    pixel = inside ? pixel : 0;
    y = pixel / s.out * s.stride - s.pad;
    x = pixel % s.out * s.stride - s.pad;
    return (struct conv_entry){
        y * s.in + x, inside ? conv_inside(s, x, 1) * (conv_inside(s, y, s.taps) & s.column) : 0};
}

static __host__ __device__ __forceinline__ struct conv_entry conv_row(struct conv s, int channel,
                                                                      int tap)
{
    return (struct conv_entry){channel * s.in_plane + tap / s.taps * s.in + tap % s.taps,
                               channel < s.c ? 1u << tap : 0};
}

/* The loader of patches: a thread has one column (or row), and 4 of its 8 elements in a step. */
struct conv_patches {
    const float *image; /* at the offset of the own column */
    unsigned mask, at;
    float v[4];

    __device__ __forceinline__ conv_patches(const float *image, struct conv_entry own)
        : image(image + own.offset), mask(own.mask), at(threadIdx.x / GEMM_TILE * 4)
    {
    }
    __device__ __forceinline__ void fetch(bool)
    {
#pragma unroll
        for (int i = 0; i < 4; i += 2) {
            int4 two = conv_table[(at + i) / 2];

            v[i] = gemm_load(image + two.x, mask & two.y);
            v[i + 1] = gemm_load(image + two.z, mask & two.w);
        }
        at += GEMM_STEP;
    }
    __device__ __forceinline__ void store(float *piece) const
    {
        float *to = &piece[threadIdx.x / GEMM_TILE * 4 * GEMM_PITCH + threadIdx.x % GEMM_TILE];

#pragma unroll
        for (int i = 0; i < 4; i++)
            to[i * GEMM_PITCH] = v[i];
    }
};

/* The patches of column `col` and on, columns counted through all images. */
static __device__ __forceinline__ conv_patches conv_columns(const float *x, struct conv s, int col)
{
    col += threadIdx.x % GEMM_TILE;
    struct conv_entry own = conv_pixel(s, col % s.out_plane);
    int image = col / s.out_plane;

    if (image >= s.n_image)
        image = 0, own.mask = 0;
    return conv_patches(x + (size_t)image * s.c * s.in_plane, own);
}

/* Writes a tile of [channel of the output][pixel]. */
static __device__ __forceinline__ void conv_write(float *y, struct conv s, int row, int col,
                                                  const float sum[GEMM_ROWS][GEMM_COLS])
{
    int image = (col + gemm_col()) / s.out_plane, pixel = (col + gemm_col()) % s.out_plane;

    if (image < s.n_image)
        gemm_write_rows(y + (size_t)image * s.k * s.out_plane + pixel, s.out_plane, row, s.k, sum);
}

/* ---- the host's part */

static inline int conv_aligned(int pixels)
{
    return (pixels + GEMM_STEP - 1) / GEMM_STEP * GEMM_STEP;
}

/* `taps` is odd; half of them hang over the image at its first pixel. */
static inline struct conv conv_make(int n_image, int c, int k, int in, int taps, int stride)
{
    struct conv s = {n_image, c, k, taps, stride, taps / 2, in, (in - 1) / stride + 1, 0, 0, 0};

    s.in_plane = conv_aligned(s.in * s.in);
    s.out_plane = conv_aligned(s.out * s.out);
    for (int t = 0; t < taps; t++)
        s.column |= 1u << t * taps;
    return s;
}

static inline void conv_table_set(const struct conv_entry *entry, int n)
{
    size_t bytes = (conv_aligned(n) + GEMM_STEP) * sizeof *entry; /* a step is loaded ahead */
    struct conv_entry *padded = (struct conv_entry *)workload_alloc(bytes);

    memcpy(padded, entry, n * sizeof *entry);
    CUDA(cudaMemcpyToSymbol(conv_table, padded, bytes));
    free(padded);
}

#endif
