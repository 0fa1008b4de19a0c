/*
 * transform.h -- the transform of a plan, for one precision.
 *
 * Stockham's algorithm: each pass takes a factor r out of n.  Before a pass, of which `done` is the
 * product of the factors so far, elements j, j + n/r, .. are turned by roots of unity, transformed,
 * and left `done` apart, so that no element is ever out of order.  Factors 8 (of single precision),
 * 4 and 2 are short transforms in the registers of a thread; for odd ones, which are primes, each
 * thread sums one element as the definition has it.  Lines that fit are transformed in shared
 * memory, several by a CTA; for longer ones a pass is a kernel, from one array to another.
 */
#ifndef SMELT_CUFFT_TRANSFORM_H
#define SMELT_CUFFT_TRANSFORM_H

#include "plan.h"

enum { BLOCK = 128, MOST_CTAS = 4096 };

template <class T> struct number {
    T x, y;
};

template <class T> static __device__ number<T> operator+(number<T> a, number<T> b)
{
    return {a.x + b.x, a.y + b.y};
}

template <class T> static __device__ number<T> operator-(number<T> a, number<T> b)
{
    return {a.x - b.x, a.y - b.y};
}

template <class T> static __device__ number<T> operator*(number<T> a, number<T> b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/* exp(sign * 2 pi i m / n): the table has those of the forward transform, whose sign is -1. */
template <class T> struct roots {
    const number<T> *at;
    int sign;

    __device__ number<T> operator[](int m) const
    {
        number<T> w = at[m];
        return {w.x, sign < 0 ? w.y : -w.y};
    }
    __device__ number<T> quarter(number<T> a) const /* a times exp(sign * pi i / 2) */
    {
        return sign < 0 ? number<T>{a.y, -a.x} : number<T>{-a.y, a.x};
    }
};

/* --- transforms of 2, 4 and 8 elements --- */

template <class T> static __device__ void short_transform(number<T> (&v)[2], roots<T>)
{
    number<T> a = v[0];
    v[0] = a + v[1], v[1] = a - v[1];
}

template <class T> static __device__ void short_transform(number<T> (&v)[4], roots<T> w)
{
    number<T> a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = w.quarter(v[1] - v[3]);
    v[0] = a + c, v[1] = b + d, v[2] = a - c, v[3] = b - d;
}

template <class T> static __device__ void short_transform(number<T> (&v)[8], roots<T> w)
{
    const T half = (T)0.70710678118654752440;
    number<T> even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
    number<T> eighth = {half, w.sign < 0 ? -half : half};
    short_transform(even, w);
    short_transform(odd, w);
    odd[1] = odd[1] * eighth;
    odd[2] = w.quarter(odd[2]);
    odd[3] = w.quarter(odd[3]) * eighth;
    for (int k = 0; k < 4; k++)
        v[k] = even[k] + odd[k], v[k + 4] = even[k] - odd[k];
}

/* --- a pass over a line, whose elements are `step` apart --- */

/* Threads that a pass has for a line. */
static __host__ __device__ int pass_threads(int n, int r)
{
    return r % 2 ? n : n / r;
}

template <int R, class T>
static __device__ void pass_of(const number<T> *in, number<T> *out, int n, int done, int j,
                               roots<T> w, long step)
{
    number<T> v[R];
    int at = j % done, turn = at * (n / (done * R)), to = (j - at) * R + at;
    for (int k = 0; k < R; k++)
        v[k] = in[(j + k * (n / R)) * step];
    for (int k = 1; k < R; k++)
        v[k] = v[k] * w[k * turn];
    short_transform(v, w);
    for (int k = 0; k < R; k++)
        out[(to + k * done) * step] = v[k];
}

/* Of an odd factor: element k of the r that begin with j. */
template <class T>
static __device__ void pass_of_odd(int r, const number<T> *in, number<T> *out, int n, int done,
                                   int thread, roots<T> w, long step)
{
    int apart = n / r, j = thread % apart, k = thread / apart, at = j % done;
    unsigned int angle = 0, turn = at * (apart / done) + k * apart; /* both are below n */
    number<T> sum = {0, 0};
#pragma unroll 1 /* several at once would not fit beside the short transforms */
    for (int q = 0; q < r; q++) {
        sum = sum + in[(j + q * apart) * step] * w[(int)angle];
        angle += turn;
        if (angle >= (unsigned int)n)
            angle -= n;
    }
    out[((j - at) * r + at + k * done) * step] = sum;
}

template <class T>
static __device__ void pass(int r, const number<T> *in, number<T> *out, int n, int done, int thread,
                            roots<T> w, long step)
{
    if (r == 8 && largest_factor(sizeof(number<T>)) == 8)
        pass_of<8>(in, out, n, done, thread, w, step);
    else if (r == 4)
        pass_of<4>(in, out, n, done, thread, w, step);
    else if (r == 2)
        pass_of<2>(in, out, n, done, thread, w, step);
    else
        pass_of_odd(r, in, out, n, done, thread, w, step);
}

/* --- lines: `step` of them lie side by side, so that it is from one element to the next, too --- */

static __device__ long line_begin(int line, int n, int step)
{
    return (long)(line / step) * n * step + line % step;
}

/*
 * Elements of lines `first` and on, between global memory, whose neighbours are for neighbouring
 * threads, and shared memory, where lines are whole.
 */
template <bool LOAD, class T>
static __device__ void move_lines(number<T> *global, number<T> *shared, int first, int count, int n,
                                  int step)
{
    for (int e = threadIdx.x; e < count * n; e += BLOCK) {
        int line = step > 1 ? e % count : e / n, i = step > 1 ? e / count : e % n;
        number<T> *there = &global[line_begin(first + line, n, step) + (long)i * step];
        number<T> *here = &shared[line * n + i];
        if (LOAD)
            *here = *there;
        else
            *there = *here;
    }
}

/* `per_cta` lines in shared memory; in and out may be the same. */
template <class T>
static __global__ void transform_shared(number<T> *in, number<T> *out, int n, int step, int n_line,
                                        int per_cta, factors f, roots<T> w)
{
    extern __shared__ __align__(16) unsigned char memory[];
    number<T> *from = (number<T> *)memory, *to = from + per_cta * n;
    int first = blockIdx.x * per_cta, count = min(per_cta, n_line - first);

    move_lines<true>(in, from, first, count, n, step);
    __syncthreads();
    for (int k = 0, done = 1; k < f.n; done *= f.at[k++]) {
        int threads = pass_threads(n, f.at[k]);
        for (int e = threadIdx.x; e < count * threads; e += BLOCK) {
            int line = e / threads * n;
            pass(f.at[k], from + line, to + line, n, done, e % threads, w, 1);
        }
        __syncthreads();
        number<T> *other = from;
        from = to, to = other;
    }
    move_lines<false>(out, from, first, count, n, step);
}

/* One pass over all lines, from an array to another. */
template <class T>
static __global__ void transform_global(int r, const number<T> *in, number<T> *out, int n, int step,
                                        int n_line, int done, roots<T> w)
{
    unsigned int threads = pass_threads(n, r), all = threads * n_line;
    for (unsigned int e = blockIdx.x * BLOCK + threadIdx.x; e < all; e += gridDim.x * BLOCK) {
        int line = step > 1 ? e % n_line : e / threads,
            thread = step > 1 ? e / n_line : e % threads;
        long begin = line_begin(line, n, step);
        pass(r, in + begin, out + begin, n, done, thread, w, step);
    }
}

/* --- from and to the caller's memory --- */

enum kind { COMPLEX, REAL, HALF }; /* HALF: the rest are conjugates of these */

/* The caller's elements, of one side. */
struct place {
    int n[DIMS];
    layout at;
    kind is;
};

/* Where is element e, and is it there as its conjugate?  That one is opposite in all dimensions. */
static __device__ long find(const place &p, unsigned int e, bool *conjugate)
{
    int i[DIMS];
    for (int k = DIMS - 1; k >= 0; e /= p.n[k--])
        i[k] = e % p.n[k];
    *conjugate = p.is == HALF && i[DIMS - 1] > p.n[DIMS - 1] / 2;
    for (int k = 0; k < DIMS; k++)
        i[k] = *conjugate && i[k] ? p.n[k] - i[k] : i[k];
    return e * p.at.dist + ((i[0] * p.at.embed[1] + i[1]) * p.at.embed[2] + i[2]) * p.at.stride;
}

template <class T>
static __global__ void gather(const void *in, place p, number<T> *work, unsigned int all)
{
    for (unsigned int e = blockIdx.x * BLOCK + threadIdx.x; e < all; e += gridDim.x * BLOCK) {
        bool conjugate;
        long at = find(p, e, &conjugate);
        number<T> v = {0, 0};
        if (p.is == REAL)
            v.x = ((const T *)in)[at];
        else
            v = ((const number<T> *)in)[at];
        work[e] = {v.x, conjugate ? -v.y : v.y};
    }
}

template <class T>
static __global__ void scatter(const number<T> *work, place p, void *out, unsigned int all)
{
    for (unsigned int e = blockIdx.x * BLOCK + threadIdx.x; e < all; e += gridDim.x * BLOCK) {
        bool conjugate;
        long at = find(p, e, &conjugate);
        if (p.is == REAL)
            ((T *)out)[at] = work[e].x;
        else if (!conjugate)
            ((number<T> *)out)[at] = work[e];
    }
}

/* --- a plan --- */

static unsigned int some_ctas(int threads)
{
    int n = (threads - 1) / BLOCK + 1;
    return (unsigned int)(n < MOST_CTAS ? n : MOST_CTAS);
}

/* So many that each thread has eight elements, which is what the largest factor takes. */
static int lines_of_cta(int n, int n_line)
{
    int most = n < 8 * BLOCK ? 8 * BLOCK / n : 1;
    return most < n_line ? most : n_line;
}

/* One dimension, from `in`, which may be work[0] or work[1], to one of these: which is returned. */
template <class T>
static number<T> *transform_lines(const plan *p, int k, number<T> *in, number<T> *const work[2],
                                  int sign)
{
    const dimension *d = &p->dim[k];
    roots<T> w = {(const number<T> *)d->roots, sign};
    int step = 1, n_line = p->n_all / d->n;
    for (int i = k + 1; i < DIMS; i++)
        step *= p->dim[i].n;
    if (d->n <= longest_shared(p->type)) {
        int per_cta = lines_of_cta(d->n, n_line);
        size_t shared = 2 * sizeof(number<T>) * (size_t)per_cta * (size_t)d->n;
        unsigned int ctas = (unsigned int)((n_line - 1) / per_cta + 1);
        transform_shared<T>
            <<<ctas, BLOCK, shared, p->stream>>>(in, work[0], d->n, step, n_line, per_cta, d->f, w);
        return work[0];
    }
    for (int i = 0, done = 1; i < d->f.n; done *= d->f.at[i++]) {
        int r = d->f.at[i], threads = pass_threads(d->n, r) * n_line;
        number<T> *out = in == work[0] ? work[1] : work[0];
        transform_global<T>
            <<<some_ctas(threads), BLOCK, 0, p->stream>>>(r, in, out, d->n, step, n_line, done, w);
        in = out;
    }
    return in;
}

/* All dimensions, the last first. */
template <class T>
static number<T> *transform_all(const plan *p, number<T> *in, number<T> *const work[2], int sign)
{
    for (int k = DIMS - 1; k >= 0; k--)
        if (p->dim[k].n > 1)
            in = transform_lines<T>(p, k, in, work, sign);
    return in;
}

template <class T> static void transform_plain(const plan *p, void *in, void *out, int sign)
{
    number<T> *const work[2] = {(number<T> *)out, (number<T> *)p->work[1]};
    number<T> *at = transform_all(p, (number<T> *)in, work, sign);
    if (at != work[0])
        cudaMemcpyAsync(out, at, sizeof(number<T>) * (size_t)p->n_all, cudaMemcpyDeviceToDevice,
                        p->stream);
}

template <class T>
static void transform_placed(const plan *p, void *in, kind in_is, void *out, kind out_is, int sign)
{
    place from = {{p->dim[0].n, p->dim[1].n, p->dim[2].n}, p->in, in_is};
    place to = {{p->dim[0].n, p->dim[1].n, p->dim[2].n}, p->out, out_is};
    if (p->is_basic && in == out) { /* rows of the real side are as long as the complex one's */
        layout *real = in_is == REAL ? &from.at : &to.at;
        real->embed[DIMS - 1] = 2 * (p->dim[DIMS - 1].n / 2 + 1);
        real->dist = real->embed[0] * real->embed[1] * real->embed[2];
    }
    number<T> *const work[2] = {(number<T> *)p->work[0], (number<T> *)p->work[1]};
    unsigned int all = (unsigned int)p->n_all, ctas = some_ctas(p->n_all);
    gather<T><<<ctas, BLOCK, 0, p->stream>>>(in, from, work[0], all);
    number<T> *at = transform_all(p, work[0], work, sign);
    scatter<T><<<ctas, BLOCK, 0, p->stream>>>(at, to, out, all);
}

template <class T>
static cufftResult transform(cufftHandle handle, cufftType type, void *in, kind in_is, void *out,
                             kind out_is, int sign)
{
    plan *p = plan_find(handle);
    if (!p || !p->is_made)
        return CUFFT_INVALID_PLAN;
    if (p->type != type)
        return CUFFT_INVALID_TYPE;
    if (!in || !out || (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    if (p->is_plain)
        transform_plain<T>(p, in, out, sign);
    else
        transform_placed<T>(p, in, in_is, out, out_is, sign);
    return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

#define EXEC_FUNCTIONS(C2C, R2C, C2R, T, complex)                                                  \
    API cufftResult cufftExec##C2C(cufftHandle plan, complex *in, complex *out, int direction)     \
    {                                                                                              \
        return transform<T>(plan, CUFFT_##C2C, in, COMPLEX, out, COMPLEX, direction);              \
    }                                                                                              \
    API cufftResult cufftExec##R2C(cufftHandle plan, T *in, complex *out)                          \
    {                                                                                              \
        return transform<T>(plan, CUFFT_##R2C, in, REAL, out, HALF, CUFFT_FORWARD);                \
    }                                                                                              \
    API cufftResult cufftExec##C2R(cufftHandle plan, complex *in, T *out)                          \
    {                                                                                              \
        return transform<T>(plan, CUFFT_##C2R, in, HALF, out, REAL, CUFFT_INVERSE);                \
    }

#endif
