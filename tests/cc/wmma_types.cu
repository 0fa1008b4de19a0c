// Fragments of every type and shape: loads in both layouts, elements, products, fill, saturation.
// options: -arch=sm_80 -O0
// run: -g v100 --set gpu.n_sm=4
// timing
#include "check.h"
#include <cfloat>
#include <climits>
#include <cmath>
#include <mma.h>

using namespace nvcuda;
using wmma::col_major;
using wmma::precision::tf32;
using wmma::row_major;

enum { PAD = 8, LARGEST = 32 * (32 + PAD) };

template <class T> struct stored {
    typedef T type;
};
template <> struct stored<tf32> {
    typedef float type;
};

/* What a program does with each element: of tf32 it rounds. */
template <class T> struct change {
    enum { times = 2 };
    static __device__ T of(T v)
    {
        return (T)(v + v);
    }
};
template <> struct change<tf32> {
    enum { times = 1 };
    static __device__ float of(float v)
    {
        return wmma::__float_to_tf32(v);
    }
};

template <class T, class Fragment> __device__ void change_all(Fragment &f)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = change<T>::of(f.x[i]);
}

/* A matrix in memory: its elements by rows or columns, and from one line to the next. */
template <class T> struct place {
    typename stored<T>::type *p;
    int line;
    wmma::layout_t layout;
};

template <int M, int N, int K, class T, class LA, class LB, class TD, class TC>
__global__ void product(place<T> a, place<T> b, place<TC> c, place<TD> d)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, TC> fc;
    wmma::fragment<wmma::accumulator, M, N, K, TD> fd;

    wmma::load_matrix_sync(fa, a.p, a.line);
    wmma::load_matrix_sync(fb, b.p, b.line);
    wmma::load_matrix_sync(fc, c.p, c.line, c.layout);
    change_all<T>(fa), change_all<T>(fb);
    wmma::mma_sync(fd, fa, fb, fc);
    change_all<TD>(fd);
    wmma::store_matrix_sync(d.p, fd, d.line, d.layout);
}

template <int M, int N, int K, class T, class Sum> __global__ void filled(place<Sum> d)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;

    wmma::fill_fragment(fa, 3);
    wmma::fill_fragment(fb, 2.0f);
    wmma::fill_fragment(sum, 1);
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(d.p, sum, d.line, d.layout);
}

/* --- matrices of the host, of numbers of any type --- */

struct matrix {
    int rows, cols;
    bool by_columns;
    double v[32][32];

    int line() const
    {
        return (by_columns ? rows : cols) + PAD;
    }
    int lines() const
    {
        return by_columns ? cols : rows;
    }
    double &at(int i) /* by its place in memory */
    {
        return by_columns ? v[i % line()][i / line()] : v[i / line()][i % line()];
    }
    bool between(int i) const
    {
        return i % line() >= line() - PAD || i / line() >= lines();
    }
};

static matrix a, b, c, d;

/* Small integers, so that sums are exact. */
static void make(matrix &m, int rows, int cols, bool by_columns, int low, int factor)
{
    m.rows = rows, m.cols = cols, m.by_columns = by_columns;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            m.v[row][col] = low + (row * factor + col * 5) % 7;
}

template <class T> struct kind {
    enum { low = -3 };
    static T of(double v)
    {
        return T((float)v);
    }
};
template <> struct kind<unsigned char> {
    enum { low = 118 }; /* twice that is no signed byte */
    static unsigned char of(double v)
    {
        return (unsigned char)v;
    }
};
template <> struct kind<tf32> {
    enum { low = -3 };
    static float of(double v) /* a bit less, which rounding mends and reading fewer bits does not */
    {
        return (float)(v - v / 4096);
    }
};

/* Memory of one of four matrices, with a number of its own between the lines. */
template <class T> static place<T> put(matrix &m, int which)
{
    typedef typename stored<T>::type S;
    static S *memory[4];
    S *&p = memory[which];

    if (!p)
        p = shared_array<S>(LARGEST);
    for (int i = 0; i < LARGEST; i++)
        p[i] = m.between(i) ? S(77) : kind<T>::of(m.at(i));
    place<T> at = {p, m.line(), m.by_columns ? wmma::mem_col_major : wmma::mem_row_major};
    return at;
}

template <class T> static void get(matrix &m, const place<T> &from)
{
    for (int i = 0; i < LARGEST; i++)
        if (m.between(i))
            CHECK((float)from.p[i] == 77);
        else
            m.at(i) = (double)(float)from.p[i];
}

/* --- one combination --- */

static void check_numbers(int times, int k_end)
{
    for (int row = 0; row < d.rows; row++)
        for (int col = 0; col < d.cols; col++) {
            double want = c.v[row][col];
            for (int k = 0; k < k_end; k++)
                want += times * times * a.v[row][k] * b.v[k][col];
            CHECK(d.v[row][col] == 2 * want);
        }
}

template <int M, int N, int K, class T, class TD, class TC, class LA, class LB>
static void check_layouts(bool a_cols, bool b_cols)
{
    for (int d_cols = 0; d_cols < 2; d_cols++) {
        make(a, M, K, a_cols, kind<T>::low, 3);
        make(b, K, N, b_cols, kind<T>::low, 11);
        make(c, M, N, !d_cols, kind<TC>::low, 2);
        make(d, M, N, d_cols, 50, 1);
        place<TD> to = put<TD>(d, 3);
        product<M, N, K, T, LA, LB><<<1, 32>>>(put<T>(a, 0), put<T>(b, 1), put<TC>(c, 2), to);
        finish_kernels();
        get(d, to);
        check_numbers(change<T>::times, K);
    }
}

template <int M, int N, int K, class T, class TD, class TC> static void check_product(void)
{
    check_layouts<M, N, K, T, TD, TC, row_major, row_major>(false, false);
    check_layouts<M, N, K, T, TD, TC, row_major, col_major>(false, true);
    check_layouts<M, N, K, T, TD, TC, col_major, row_major>(true, false);
    check_layouts<M, N, K, T, TD, TC, col_major, col_major>(true, true);
}

template <int M, int N, int K, class T, class Sum> static void check_type(void)
{
    make(d, M, N, false, 50, 1);
    place<Sum> to = put<Sum>(d, 3);
    filled<M, N, K, T><<<1, 32>>>(to);
    finish_kernels();
    get(d, to);
    for (int i = 0; i < M * N; i++)
        CHECK(d.v[i / N][i % N] == 3 * 2 * K + 1);
    check_product<M, N, K, T, Sum, Sum>();
}

template <int M, int N> static void check_shape(void)
{
    check_type<M, N, 16, half, half>();
    check_type<M, N, 16, half, float>();
    check_product<M, N, 16, half, half, float>();
    check_product<M, N, 16, half, float, half>();
    check_type<M, N, 16, signed char, int>();
    check_type<M, N, 16, unsigned char, int>();
    check_type<M, N, 16, __nv_bfloat16, float>();
}

/* --- saturation --- */

/* A and B are full of a and b, C of c; what becomes of one element without satf and with it. */
template <class T, class Sum> __global__ void saturated(T a, T b, Sum c, Sum *d)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> fc, fd;

    wmma::fill_fragment(fa, a);
    wmma::fill_fragment(fb, b);
    wmma::fill_fragment(fc, c);
    wmma::mma_sync(fd, fa, fb, fc);
    d[0] = fd.x[fd.num_elements - 1];
    wmma::mma_sync(fd, fa, fb, fc, true);
    d[1] = fd.x[fd.num_elements - 1];
}

template <class T, class Sum, class A, class C> static const Sum *saturate(A a, A b, C c)
{
    static Sum *d = shared_array<Sum>(2);
    saturated<T, Sum><<<1, 32>>>(T(a), T(b), Sum(c), d);
    finish_kernels();
    return d;
}

static void check_saturation(void)
{
    const int *i = saturate<signed char, int>(100, 100, INT_MAX - 10);
    CHECK(i[0] == INT_MIN + (160000 - 10 - 1) && i[1] == INT_MAX);
    i = saturate<signed char, int>(100, -100, INT_MIN + 10);
    CHECK(i[0] == INT_MAX - (160000 - 10 - 1) && i[1] == INT_MIN);
    i = saturate<unsigned char, int>(255, 255, INT_MAX - 16 * 255 * 255);
    CHECK(i[0] == INT_MAX && i[1] == INT_MAX);
    const half *h = saturate<half, half>(100.0f, 100.0f, 0.0f);
    CHECK(std::isinf((float)h[0]) && (float)h[0] > 0 && (float)h[1] == 65504);
    h = saturate<half, half>(2.0f, 3.0f, 5.0f);
    CHECK((float)h[0] == 101 && (float)h[1] == 101);
    const float *f = saturate<half, float>(1.0f, 1.0f, -INFINITY);
    CHECK(std::isinf(f[0]) && f[0] < 0 && f[1] == -FLT_MAX);
    f = saturate<half, float>(INFINITY, 0.0f, 1.0f);
    CHECK(std::isnan(f[0]) && f[1] == 0);
}

/* --- what programs find in a fragment's type --- */

template <class A, class B> struct same {
    enum { yes = false };
};
template <class A> struct same<A, A> {
    enum { yes = true };
};

#define CHECK_FRAGMENT(n, stores, use, M, N, K, ...)                                               \
    do {                                                                                           \
        typedef wmma::fragment<wmma::use, M, N, K, __VA_ARGS__> f;                                 \
        CHECK((int)f::num_elements == n && (int)f::num_storage_elements == n);                     \
        CHECK((same<f::storage_element_type, stores>::yes));                                       \
        CHECK(sizeof(f) == n * sizeof(stores));                                                    \
    } while (0)

static void check_types(void)
{
    CHECK_FRAGMENT(16, half, matrix_a, 16, 16, 16, half, row_major);
    CHECK_FRAGMENT(16, half, matrix_b, 32, 8, 16, half, col_major);
    CHECK_FRAGMENT(8, half, accumulator, 8, 32, 16, half);
    CHECK_FRAGMENT(8, float, accumulator, 16, 16, 16, float);
    CHECK_FRAGMENT(16, signed char, matrix_a, 32, 8, 16, signed char, row_major);
    CHECK_FRAGMENT(4, unsigned char, matrix_b, 32, 8, 16, unsigned char, row_major);
    CHECK_FRAGMENT(8, int, accumulator, 32, 8, 16, int);
    CHECK_FRAGMENT(4, __nv_bfloat16, matrix_a, 8, 32, 16, __nv_bfloat16, row_major);
    CHECK_FRAGMENT(4, float, matrix_a, 16, 16, 8, tf32, row_major);
    CHECK_FRAGMENT(1, double, matrix_b, 8, 8, 4, double, col_major);
    CHECK_FRAGMENT(2, double, accumulator, 8, 8, 4, double);
    CHECK((same<wmma::fragment<wmma::matrix_a, 16, 16, 8, tf32, row_major>::element_type, tf32>::yes));
}

int main()
{
    check_types();
    check_shape<16, 16>();
    check_shape<32, 8>();
    check_shape<8, 32>();
    check_type<16, 16, 8, tf32, float>();
    check_type<8, 8, 4, double, double>();
    check_saturation();
    return finish();
}
