// cuFFT: every type, there and back, of many lengths and layouts, held against the definition in
// double precision; nothing is written between the elements; mistakes are told by their codes.
// options: -lcufft
// timing
#include "check.h"
#include <complex>
#include <cufft.h>
#include <float.h>
#include <initializer_list>
#include <math.h>
#include <vector>

#define OK(call) CHECK((call) == CUFFT_SUCCESS)

typedef std::complex<double> number;
typedef std::vector<number> numbers; /* [batch][n0][n1][n2] */

template <class T> struct of;
template <> struct of<float> {
    typedef cufftComplex complex;
    enum { c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R };
    static double epsilon() { return FLT_EPSILON; }
};
template <> struct of<double> {
    typedef cufftDoubleComplex complex;
    enum { c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D };
    static double epsilon() { return DBL_EPSILON; }
};

static cufftResult exec(cufftHandle p, cufftComplex *in, cufftComplex *out, int direction)
{
    return cufftExecC2C(p, in, out, direction);
}

static cufftResult exec(cufftHandle p, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{
    return cufftExecZ2Z(p, in, out, direction);
}

static cufftResult exec(cufftHandle p, float *in, cufftComplex *out)
{
    return cufftExecR2C(p, in, out);
}

static cufftResult exec(cufftHandle p, double *in, cufftDoubleComplex *out)
{
    return cufftExecD2Z(p, in, out);
}

static cufftResult exec(cufftHandle p, cufftComplex *in, float *out)
{
    return cufftExecC2R(p, in, out);
}

static cufftResult exec(cufftHandle p, cufftDoubleComplex *in, double *out)
{
    return cufftExecZ2D(p, in, out);
}

/* --- shapes: lengths, of which the unused come first and are 1, and where elements lie --- */

struct shape {
    int n[3], batch;

    int one() const { return n[0] * n[1] * n[2]; }
    int all() const { return batch * one(); }
    int rank() const { return n[0] > 1 ? 3 : n[1] > 1 ? 2 : 1; }
    int half() const { return n[2] / 2 + 1; }
};

struct layout {
    int embed[3], stride, dist;

    int at(const shape &s, int e) const
    {
        int k = e % s.n[2], j = e / s.n[2] % s.n[1], i = e / (s.n[2] * s.n[1]) % s.n[0];
        return e / s.one() * dist + ((i * embed[1] + j) * embed[2] + k) * stride;
    }
    int size(const shape &s) const { return at(s, s.all() - 1) + 1; }
};

static layout dense(const shape &s, int last)
{
    return {{s.n[0], s.n[1], last}, 1, s.n[0] * s.n[1] * last};
}

static cufftHandle planned(const shape &s, bool is_basic, layout in, layout out, int type)
{
    cufftHandle p = 0;
    int unused = 3 - s.rank(), n[3] = {s.n[0], s.n[1], s.n[2]};
    OK(cufftPlanMany(&p, s.rank(), n + unused, is_basic ? NULL : in.embed + unused, in.stride,
                     in.dist, is_basic ? NULL : out.embed + unused, out.stride, out.dist,
                     (cufftType)type, s.batch));
    return p;
}

/* --- the definition --- */

/* Along one dimension, whose elements are `step` apart. */
static void transform_along(numbers *x, int n, int step, int sign)
{
    numbers roots(n), line(n);
    for (int i = 0; i < n; i++)
        roots[i] = std::polar(1.0, sign * 2 * M_PI * i / n);
    for (size_t e = 0; e < x->size(); e++) {
        if (e / step % n)
            continue;
        for (int k = 0; k < n; k++) {
            number sum = 0;
            for (int i = 0, m = 0; i < n; i++, m = m + k < n ? m + k : m + k - n)
                sum += (*x)[e + i * step] * roots[m];
            line[k] = sum;
        }
        for (int k = 0; k < n; k++)
            (*x)[e + k * step] = line[k];
    }
}

static numbers transformed(numbers x, const shape &s, int sign)
{
    for (int k = 2, step = 1; k >= 0; step *= s.n[k--])
        transform_along(&x, s.n[k], step, sign);
    return x;
}

/* Multiples of 1/128, which both precisions have, between -1 and 1. */
static double value(unsigned i)
{
    return ((int)(i * 2654435761u >> 24) - 128) / 128.0;
}

static numbers values(const shape &s, bool is_real)
{
    numbers x(s.all());
    for (int e = 0; e < s.all(); e++)
        x[e] = number(value(e), is_real ? 0 : value(e + 1000));
    return x;
}

/* What rounding may do: in proportion to the size of a transform's result. */
static double bound(const numbers &want, const shape &s, double epsilon)
{
    double squares = 0;
    for (number v : want)
        squares += norm(v);
    return epsilon * (1 + log2(s.one())) * (1e-3 + sqrt(squares / s.batch));
}

/* --- elements in the caller's memory --- */

static const double gap = 77;

static void put(float *at, number v) { *at = (float)v.real(); }
static void put(double *at, number v) { *at = v.real(); }
static void put(float2 *at, number v) { *at = make_float2((float)v.real(), (float)v.imag()); }
static void put(double2 *at, number v) { *at = make_double2(v.real(), v.imag()); }

static number get(float v) { return v; }
static number get(double v) { return v; }
static number get(float2 v) { return number(v.x, v.y); }
static number get(double2 v) { return number(v.x, v.y); }

/* Elements whose last index is `last` or above are not there. */
template <class E>
static void write(E *to, const layout &l, const shape &s, int last, const numbers &x)
{
    for (int e = 0; e < s.all(); e++)
        if (e % s.n[2] < last)
            put(&to[l.at(s, e)], x[e]);
}

template <class E> static void fill(E *to, int n)
{
    for (int i = 0; i < n; i++)
        put(&to[i], number(gap, gap));
}

/* Are the elements those of `want`, and is between them what was there? */
template <class E>
static void compare(const E *from, const layout &l, const shape &s, int last, const numbers &want,
                    double error, bool has_gaps)
{
    std::vector<bool> is_element(l.size(s));
    for (int e = 0; e < s.all(); e++) {
        if (e % s.n[2] >= last)
            continue;
        is_element[l.at(s, e)] = true;
        CHECK(abs(get(from[l.at(s, e)]) - want[e]) <= error);
    }
    for (int i = 0; has_gaps && i < l.size(s); i++)
        CHECK(is_element[i] || get(from[i]).real() == gap);
}

/* --- a shape --- */

template <class T>
static void of_complex(const shape &s, bool is_basic, layout in, layout out, bool in_place,
                       std::initializer_list<int> signs = {CUFFT_FORWARD, CUFFT_INVERSE})
{
    typedef typename of<T>::complex complex;
    complex *a = shared_array<complex>(in.size(s));
    complex *b = in_place ? a : shared_array<complex>(out.size(s));
    numbers x = values(s, false);
    cufftHandle p = planned(s, is_basic, in, out, of<T>::c2c);
    for (int sign : signs) {
        numbers want = transformed(x, s, sign);
        fill(b, out.size(s));
        fill(a, in.size(s));
        write(a, in, s, s.n[2], x);
        OK(exec(p, a, b, sign));
        finish_kernels();
        compare(b, out, s, s.n[2], want, bound(want, s, of<T>::epsilon()), true);
        if (!in_place)
            compare(a, in, s, s.n[2], x, 0, true);
    }
    OK(cufftDestroy(p));
    cudaFree(a);
    if (!in_place)
        cudaFree(b);
}

/* From real numbers to half of their transform, and from there to the numbers. */
template <class T>
static void of_real(const shape &s, bool is_basic, layout real, layout half, bool in_place)
{
    typedef typename of<T>::complex complex;
    complex *h = shared_array<complex>(half.size(s) + 1); /* room for an odd row of real numbers */
    T *r = in_place ? (T *)h : shared_array<T>(real.size(s));
    numbers x = values(s, true), want = transformed(x, s, CUFFT_FORWARD), back = x;
    for (number &v : back)
        v *= s.one();
    cufftHandle there = planned(s, is_basic, real, half, of<T>::r2c);
    cufftHandle again = planned(s, is_basic, half, real, of<T>::c2r);
    fill(h, half.size(s));
    fill(r, real.size(s));
    write(r, real, s, s.n[2], x);
    OK(exec(there, r, h));
    finish_kernels();
    compare(h, half, s, s.half(), want, bound(want, s, of<T>::epsilon()), !in_place);
    write(h, half, s, s.half(), want);
    if (!in_place)
        fill(r, real.size(s));
    OK(exec(again, h, r));
    finish_kernels();
    compare(r, real, s, s.n[2], back, bound(back, s, of<T>::epsilon()), !in_place);
    OK(cufftDestroy(there));
    OK(cufftDestroy(again));
    cudaFree(h);
    if (!in_place)
        cudaFree(r);
}

/* The two precisions, and complex and real numbers, take turns at being in place. */
template <class T> static void basic(const shape &s)
{
    layout whole = dense(s, s.n[2]), half = dense(s, s.half()), padded = dense(s, 2 * s.half());
    static bool in_place = sizeof(T) == sizeof(float);
    in_place = !in_place;
    of_complex<T>(s, true, whole, whole, in_place);
    of_real<T>(s, true, in_place ? whole : padded, half, !in_place);
}

template <class T> static void all_shapes(void)
{
    for (int n : {1, 2, 8, 12, 15, 17, 64, 100})
        basic<T>({{1, 1, n}, n % 4 ? 3 : 1});
    basic<T>({{1, 8, 12}, 1});
    basic<T>({{1, 5, 17}, 2});
    basic<T>({{4, 3, 10}, 1});
    /* interleaved, spread out, and parts of larger arrays */
    shape lines = {{1, 1, 15}, 3}, planes = {{1, 6, 7}, 2}, solid = {{2, 3, 4}, 2};
    of_complex<T>(lines, false, {{1, 1, 15}, 3, 1}, {{1, 1, 15}, 2, 40}, false);
    of_complex<T>(lines, false, {{1, 1, 15}, 3, 1}, {{1, 1, 15}, 3, 1}, true);
    of_real<T>(lines, false, {{1, 1, 15}, 3, 1}, {{1, 1, 8}, 2, 17}, false);
    of_real<T>(planes, false, {{1, 6, 9}, 2, 110}, {{1, 7, 4}, 1, 28}, false);
    of_complex<T>(solid, false, {{2, 4, 5}, 1, 40}, {{3, 3, 6}, 2, 108}, false);
}

/* Lines that are too long for shared memory: passes through global memory. */
static void long_lines(void)
{
    shape columns = {{1, 2560, 2}, 1}, rows = {{1, 2, 1280}, 1};
    of_complex<float>(columns, true, dense(columns, 2), dense(columns, 2), false,
                      {CUFFT_FORWARD});
    of_complex<double>(rows, true, dense(rows, 1280), dense(rows, 1280), true,
                       {CUFFT_INVERSE});
}

static void mistakes_in_plans(void)
{
    cufftHandle p = 0;
    int n[4] = {2, 2, 2, 2};
    CHECK(cufftPlan1d(&p, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    CHECK(cufftPlan1d(&p, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
    CHECK(cufftPlan2d(&p, 8, -1, CUFFT_D2Z) == CUFFT_INVALID_SIZE);
    CHECK(cufftPlan3d(&p, 2048, 1024, 1024, CUFFT_C2C) == CUFFT_INVALID_SIZE);
    CHECK(cufftPlan1d(&p, 8, (cufftType)0x77, 1) == CUFFT_INVALID_TYPE);
    CHECK(cufftPlan1d(NULL, 8, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
    CHECK(cufftPlanMany(&p, 4, n, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
    CHECK(cufftPlanMany(&p, 1, NULL, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
    CHECK(cufftPlanMany(&p, 1, n, n, 0, 2, n, 1, 2, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
    CHECK(cufftDestroy(p) == CUFFT_INVALID_PLAN && cufftDestroy(0) == CUFFT_INVALID_PLAN);
}

static void mistakes_in_use(void)
{
    cufftHandle p = 0;
    size_t size = 1;
    int version = 0;
    cufftComplex *a = shared_array<cufftComplex>(8);
    OK(cufftCreate(&p));
    CHECK(cufftExecC2C(p, a, a, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    CHECK(cufftMakePlan1d(p, 0, CUFFT_C2C, 1, &size) == CUFFT_INVALID_SIZE);
    OK(cufftMakePlan1d(p, 8, CUFFT_R2C, 1, &size));
    CHECK(size == 8 * sizeof(cufftComplex));
    CHECK(cufftMakePlan1d(p, 8, CUFFT_R2C, 1, &size) == CUFFT_INVALID_PLAN);
    CHECK(cufftExecC2C(p, a, a, CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
    CHECK(cufftExecR2C(p, NULL, a) == CUFFT_INVALID_VALUE);
    OK(cufftDestroy(p));
    CHECK(cufftExecR2C(p, (float *)a, a) == CUFFT_INVALID_PLAN);
    CHECK(cufftSetStream(p, 0) == CUFFT_INVALID_PLAN && cufftGetSize(p, &size) == CUFFT_INVALID_PLAN);
    OK(cufftPlan1d(&p, 8, CUFFT_C2C, 1));
    CHECK(cufftExecC2C(p, a, a, 0) == CUFFT_INVALID_VALUE);
    OK(cufftDestroy(p));
    CHECK(cufftGetVersion(&version) == CUFFT_SUCCESS && version == CUFFT_VERSION);
}

int main()
{
    all_shapes<float>();
    all_shapes<double>();
    long_lines();
    mistakes_in_plans();
    mistakes_in_use();
    return finish();
}
