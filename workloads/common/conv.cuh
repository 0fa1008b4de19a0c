/*
 * conv.cuh -- convolution as a matrix product whose matrix of patches is never stored.
 *
 * The three products of a layer, with the tiles of wide.cuh or, for GPUs with 63 registers, that of
 * gemm.cuh.  A patch matrix has a row for each
 * channel and tap of the filter, and a column for each pixel of the output:
 *
 *     forward          y  [k][pixel]   = filter [k][c,tap]  patches of x  [c,tap][pixel]
 *     backward data    dx [c][pixel]   = filter [c][tap,k]  patches of dy [tap,k][pixel]
 *     backward filter  df [c,tap][k]   = patches of x [c,tap][pixel]  dy [pixel][k]
 *
 * An element of a patch matrix is image[offset of the row + offset of the column], and it is not in
 * the padding around the image if mask of the row & mask of the column is 0: a row has the bits of
 * its tap's line and place in the line, a column those of lines and places that lie outside, and
 * one that every row misses which is none.  So index arithmetic is done once.  A
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
#include "common/product.cuh"

enum { CONV_TABLE = 4096 };

/* A layer: `in` wide and high, `out` wide and high after taps x taps filters at some stride. */
struct conv {
    int n_image, c, k;
    int taps, stride, pad;
    int in, out, in_plane, out_plane;
};

/* A row or column of a patch matrix. */
struct conv_entry {
    int offset;
    unsigned mask;
};

/* Those of the common dimension, two in an element; past the end, masks have all bits. */
static __constant__ int4 conv_table[CONV_TABLE / 2];

enum { CONV_LINE = 8, CONV_NONE = 1 << 30 }; /* bits of a line; what no column has inside */

/* Which taps are outside if the first is at `x`, maybe in the padding. */
static __host__ __device__ __forceinline__ unsigned conv_outside(struct conv s, int x)
{
    int from = x < 0 ? -x : 0, to = s.in - x < s.taps ? s.in - x : s.taps;

    return ((1u << CONV_LINE) - 1) & ~((1u << to) - (1u << from));
}

/* A column; what fills up a plane has no taps. */
static __host__ __device__ __forceinline__ struct conv_entry conv_pixel(struct conv s, int pixel)
{
    bool inside = pixel < s.out * s.out;
    int y, x;

    pixel = inside ? pixel : 0;
    y = pixel / s.out * s.stride - s.pad;
    x = pixel % s.out * s.stride - s.pad;
    return (struct conv_entry){y * s.in + x, inside ? conv_outside(s, y) << CONV_LINE |
                                                          conv_outside(s, x) | CONV_NONE
                                                    : ~0u};
}

static __host__ __device__ __forceinline__ struct conv_entry conv_row(struct conv s, int channel,
                                                                      int tap)
{
    int y = tap / s.taps, x = tap % s.taps;

    return (struct conv_entry){channel * s.in_plane + y * s.in + x,
                               channel < s.c ? 1u << (CONV_LINE + y) | 1u << x : CONV_NONE};
}

/* A load by the read-only path unless a bit is set, else 0. */
static __device__ __forceinline__ float conv_load(const float *from, unsigned outside)
{
    float v = 0;

    asm volatile("{ .reg .pred inside;\n"
                 "setp.eq.u32 inside, %2, 0;\n"
                 "@inside ld.global.nc.f32 %0, [%1]; }"
                 : "+f"(v)
                 : "l"(from), "r"(outside));
    return v;
}

/*
 * The loader of patches, for either kind of kernel: a thread has one column (or row), and COUNT of
 * its 8 elements in a step.  Rows of a piece are PITCH apart.
 */
template <int SIDE, int THREADS, int PITCH> struct conv_patches {
    enum { SWAPPED = 0, COUNT = SIDE * GEMM_STEP / THREADS };
    const float *image; /* at the offset of the own column */
    unsigned mask, at;
    float v[COUNT];

    __device__ __forceinline__ conv_patches(const float *image, struct conv_entry own, int k)
        : image(image + own.offset), mask(own.mask), at(k + threadIdx.x / SIDE * COUNT)
    {
    }
    __device__ __forceinline__ void fetch(bool)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i += 2) {
            int4 two = conv_table[(at + i) / 2];

            v[i] = conv_load(image + two.x, mask & two.y);
            v[i + 1] = conv_load(image + two.z, mask & two.w);
        }
        at += GEMM_STEP;
    }
    __device__ __forceinline__ void store(float *piece) const
    {
        float *to = &piece[threadIdx.x / SIDE * COUNT * PITCH + threadIdx.x % SIDE];

#pragma unroll
        for (int i = 0; i < COUNT; i++)
            to[i * PITCH] = v[i];
    }
};

/* The patches of column `col` and on, columns counted through all images. */
template <int SIDE, int THREADS, int PITCH>
static __device__ __forceinline__ conv_patches<SIDE, THREADS, PITCH>
conv_columns(const float *x, struct conv s, int col)
{
    col += threadIdx.x % SIDE;
    struct conv_entry own = conv_pixel(s, col % s.out_plane);
    int image = col / s.out_plane;

    if (image >= s.n_image)
        image = 0, own.mask = ~0u;
    return conv_patches<SIDE, THREADS, PITCH>(x + (size_t)image * s.c * s.in_plane, own, 0);
}

/* The tile's filters, whose k are rows of A, by the patches of the tile's pixels. */
static __device__ __forceinline__ void conv_multiply(const float *filter, const float *x,
                                                     struct conv s, int row, int col,
                                                     float sum[GEMM_ROWS][GEMM_COLS])
{
    gemm_multiply(gemm_straight(filter, s.k, row, s.k, 0),
                  conv_columns<GEMM_TILE, GEMM_THREADS, GEMM_PITCH>(x, s, col),
                  (s.c * s.taps * s.taps + GEMM_STEP - 1) / GEMM_STEP, sum);
}

template <int M, int N>
static __device__ __forceinline__ void conv_wide_multiply(const float *filter, const float *x,
                                                          struct conv s, int row, int col,
                                                          float sum[WIDE_SIDE][WIDE_SIDE])
{
    enum { THREADS = wide_tile<M, N>::THREADS };

    wide_multiply<M, N>(wide_straight<M, THREADS>(filter, s.k, row, s.k, 0),
                        conv_columns<N, THREADS, N>(x, s, col),
                        (s.c * s.taps * s.taps + GEMM_STEP - 1) / GEMM_STEP, sum);
}

/* Writes a tile of [channel of the output][pixel]. */
static __device__ __forceinline__ void conv_write(float *y, struct conv s, int row, int col,
                                                  const float sum[GEMM_ROWS][GEMM_COLS])
{
    int image = (col + gemm_col()) / s.out_plane, pixel = (col + gemm_col()) % s.out_plane;

    if (image < s.n_image)
        gemm_write_rows(y + (size_t)image * s.k * s.out_plane + pixel, s.out_plane, row, s.k, sum);
}

template <int M, int N>
static __device__ __forceinline__ void conv_wide_write(float *y, struct conv s, int row, int col,
                                                       const float sum[WIDE_SIDE][WIDE_SIDE])
{
    row += wide_tile<M, N>::row();
    col += wide_tile<M, N>::col();
#pragma unroll
    for (int group = 0; group < 2; group++) {
        int at = col + group * WIDE_COL_GROUP, image = at / s.out_plane;
        float *to = y + (size_t)image * s.k * s.out_plane + at % s.out_plane;

#pragma unroll
        for (int i = 0; i < WIDE_SIDE; i++) {
            int k = row + i / 4 * WIDE_ROW_GROUP + i % 4;
            const float *v = &sum[i][group * 4];

            if (image < s.n_image && k < s.k)
                *(float4 *)&to[(size_t)k * s.out_plane] = make_float4(v[0], v[1], v[2], v[3]);
        }
    }
}

/* ---- the host's part */

static inline int conv_aligned(int pixels)
{
    return (pixels + GEMM_STEP - 1) / GEMM_STEP * GEMM_STEP;
}

/* `taps` is odd; half of them hang over the image at its first pixel. */
static inline struct conv conv_make(int n_image, int c, int k, int in, int taps, int stride)
{
    struct conv s = {n_image, c, k, taps, stride, taps / 2, in, (in - 1) / stride + 1, 0, 0};

    s.in_plane = conv_aligned(s.in * s.in);
    s.out_plane = conv_aligned(s.out * s.out);
    return s;
}

static inline void conv_table_set(const struct conv_entry *entry, int n)
{
    size_t bytes = (conv_aligned(n) + GEMM_STEP) * sizeof *entry; /* a step is loaded ahead */
    struct conv_entry *padded = (struct conv_entry *)workload_alloc(bytes);

    for (int i = 0; i < conv_aligned(n) + GEMM_STEP; i++)
        padded[i] = i < n ? entry[i] : (struct conv_entry){0, ~0u};
    CUDA(cudaMemcpyToSymbol(conv_table, padded, bytes));
    free(padded);
}

#endif
