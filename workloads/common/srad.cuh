/*
 * srad.cuh -- what both versions of srad share: the diffusion coefficient, the state of a round, the
 * picture, and the reference.
 *
 * A round computes, from mean and variance of a part of the picture, how much a pixel may differ
 * from its neighbours because of speckles alone (`speckle`); then for each pixel the differences to
 * its four neighbours and a diffusion coefficient that is small where they are larger (an edge);
 * then lets every pixel flow towards its neighbours.
 *
 * The CPU does the same in double.  Diffusion damps errors, coefficients are continuous in all they
 * depend on, and the sums' relative error is some 1e-6: grey levels are equal to 1e-4 of theirs.
 */
#ifndef SRAD_CUH
#define SRAD_CUH

#include "workload.h"

#define LAMBDA 0.5f

/* What a round leaves for its second half. */
struct flow {
    float *north, *south, *west, *east; /* differences to the neighbours, [n_pixel] */
    float *coefficient;
};

/* ---- GPU */

/*
 * From the differences to the four neighbours; `speckle` is variance / mean^2 of the picture.  Where
 * the suite's constants are doubles, it computes in double, and so does this.
 */
static __device__ float diffusion(float centre, float north, float south, float west, float east,
                                  float speckle)
{
    float gradient =
        (north * north + south * south + west * west + east * east) / (centre * centre);
    float laplacian = (north + south + west + east) / centre;
    float numerator = (float)(0.5 * gradient - 1.0 / 16 * (laplacian * laplacian));
    float denominator = (float)(1 + 0.25 * laplacian);
    float q = numerator / (denominator * denominator);
    float edge = (q - speckle) / (speckle * (1 + speckle));
    float c = (float)(1.0 / (1.0 + edge));

    return c < 0 ? 0 : c > 1 ? 1 : c;
}

/* A pixel that flows towards its neighbours. */
static __device__ float diffused(float centre, float lambda, float divergence)
{
    return (float)(centre + 0.25 * lambda * divergence);
}

/* ---- host, GPU */

static float speckle_of(double sum, double sum_squares, double n)
{
    double mean = sum / n, variance = sum_squares / n - mean * mean;

    return (float)(variance / (mean * mean));
}

/* The caller makes and frees the coefficients. */
static struct flow flow_make(size_t bytes, float *coefficient)
{
    struct flow f = {NULL, NULL, NULL, NULL, coefficient};

    CUDA(cudaMalloc((void **)&f.north, bytes));
    CUDA(cudaMalloc((void **)&f.south, bytes));
    CUDA(cudaMalloc((void **)&f.west, bytes));
    CUDA(cudaMalloc((void **)&f.east, bytes));
    return f;
}

static void flow_free(struct flow f)
{
    CUDA(cudaFree(f.north));
    CUDA(cudaFree(f.south));
    CUDA(cudaFree(f.west));
    CUDA(cudaFree(f.east));
}

/* ---- host, the reference */

/* Of a picture's first lines, `along` pixels of each. */
template <typename pixel>
static float speckle_cpu(const pixel *picture, int pitch, int lines, int along)
{
    double sum = 0, squares = 0;

    for (int x = 0; x < lines; x++)
        for (int y = 0; y < along; y++) {
            double v = picture[x * pitch + y];

            sum += v;
            squares += v * v;
        }
    return speckle_of(sum, squares, (double)lines * along);
}

/* The picture with a border: padded[x + 1][y + 1] is column x, row y (or the other way round). */
static void pad(const double *picture, double *padded, int n_line, int n_along)
{
    for (int line = -1; line <= n_line; line++) {
        int from = line < 0 ? 0 : line < n_line ? line : n_line - 1;
        double *to = padded + (size_t)(line + 1) * (n_along + 2);

        memcpy(to + 1, picture + (size_t)from * n_along, n_along * sizeof *to);
        to[0] = to[1];
        to[n_along + 1] = to[n_along];
    }
}

static double coefficient_cpu(const double *p, int pitch, double speckle)
{
    double n = p[-1] - *p, s = p[1] - *p, w = p[-pitch] - *p, e = p[pitch] - *p;
    double g2 = (n * n + s * s + w * w + e * e) / (*p * *p), l = (n + s + w + e) / *p;
    double q2 = (g2 / 2 - l * l / 16) / ((1 + l / 4) * (1 + l / 4));
    double c = 1 / (1 + (q2 - speckle) / (speckle * (1 + speckle)));

    return c < 0 ? 0 : c > 1 ? 1 : c;
}

/* A round in place; `south` lies along a line of pixels, `east` across (transposed: the same). */
static void round_cpu(double *picture, double *padded, double *c, int n_line, int n_along,
                      double speckle)
{
    int pitch = n_along + 2;

    pad(picture, padded, n_line, n_along);
    for (int x = 0; x < n_line; x++)
        for (int y = 0; y < n_along; y++)
            c[x * n_along + y] = coefficient_cpu(padded + (x + 1) * pitch + y + 1, pitch, speckle);
    for (int x = 0; x < n_line; x++)
        for (int y = 0; y < n_along; y++) {
            const double *p = padded + (x + 1) * pitch + y + 1;
            int i = x * n_along + y;
            double south = y + 1 < n_along ? c[i + 1] : c[i];
            double east = x + 1 < n_line ? c[i + n_along] : c[i];

            picture[i] += 0.25 * LAMBDA *
                          (c[i] * (p[-1] + p[-pitch] - 2 * *p) + south * (p[1] - *p) +
                           east * (p[pitch] - *p));
        }
}

/* Rounds on the whole picture, with the speckle of its first lines, `along` pixels of each. */
static void diffuse_cpu(const float *from, float *to, int n_line, int n_along, int rounds,
                        int lines, int along)
{
    int n = n_line * n_along;
    double *picture = (double *)workload_alloc(n * sizeof *picture);
    double *c = (double *)workload_alloc(n * sizeof *c);
    double *padded =
        (double *)workload_alloc((size_t)(n_line + 2) * (n_along + 2) * sizeof *padded);

    for (int i = 0; i < n; i++)
        picture[i] = exp(from[i] / 255.0);
    for (int round = 0; round < rounds; round++) {
        float speckle = speckle_cpu(picture, n_along, lines, along);

        round_cpu(picture, padded, c, n_line, n_along, speckle);
    }
    for (int i = 0; i < n; i++)
        to[i] = (float)(log(picture[i]) * 255);
    free(picture);
    free(c);
    free(padded);
}

/* Bright discs on dark ground, each pixel multiplied by noise: speckles.  Grey levels 0..255. */
static void picture_make(struct workload *w, float *picture, int n_line, int n_along)
{
    enum { DISCS = 6 };
    float disc[DISCS][3]; /* middle, radius, as parts of the picture */

    for (int d = 0; d < DISCS; d++)
        for (int k = 0; k < 3; k++)
            disc[d][k] = k < 2 ? workload_float(w, 0.3f, 1) : workload_float(w, 0.05f, 0.2f);
    for (int x = 0; x < n_line; x++)
        for (int y = 0; y < n_along; y++) {
            float level = 60;

            for (int d = 0; d < DISCS; d++) {
                float dx = (float)x / n_line - disc[d][0], dy = (float)y / n_along - disc[d][1];

                if (dx * dx + dy * dy < disc[d][2] * disc[d][2])
                    level = 150;
            }
            picture[x * n_along + y] = level * workload_float(w, 0.4f, 1.6f);
        }
}

#endif
