// Thrust as Debian packages it: vectors, and the algorithms that programs use most.
// tier: all
// timing
#include "check.h"
#include <algorithm>
#include <numeric>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <vector>

enum { N = 1000 };

struct is_odd {
    __host__ __device__ bool operator()(int v) const
    {
        return v & 1;
    }
};

struct saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const
    {
        return a * x + y;
    }
};

/* Is the point of this number within the quarter of the circle? */
struct within {
    __host__ __device__ int operator()(unsigned i) const
    {
        unsigned a = i * 2654435761u, b = (i + 77) * 2246822519u;
        float x = (float)(a >> 8) / 16777216.0f, y = (float)(b >> 8) / 16777216.0f;
        return x * x + y * y < 1;
    }
};

static std::vector<int> values(void)
{
    std::vector<int> v(N);
    for (int i = 0; i < N; i++)
        v[i] = (int)((unsigned)i * 2654435761u >> 20) - 2000;
    return v;
}

template <class Device, class Host> static bool same(const Device &d, const Host &h)
{
    thrust::host_vector<typename Host::value_type> copy(d);
    return copy.size() == h.size() && std::equal(h.begin(), h.end(), copy.begin());
}

static void orders(void)
{
    std::vector<int> h = values();
    thrust::device_vector<int> d(h.begin(), h.end());
    CHECK(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
    CHECK(thrust::count_if(d.begin(), d.end(), is_odd()) ==
          std::count_if(h.begin(), h.end(), is_odd()));
    thrust::sort(d.begin(), d.end());
    std::sort(h.begin(), h.end());
    CHECK(same(d, h));
    d.erase(thrust::unique(d.begin(), d.end()), d.end());
    h.erase(std::unique(h.begin(), h.end()), h.end());
    CHECK(same(d, h));
}

static void passes(void)
{
    std::vector<int> h = values(), sums(N);
    thrust::device_vector<int> d(h.begin(), h.end()), to(N);
    thrust::inclusive_scan(d.begin(), d.end(), to.begin());
    std::partial_sum(h.begin(), h.end(), sums.begin());
    CHECK(same(to, sums));
    thrust::exclusive_scan(d.begin(), d.end(), d.begin(), 5);
    CHECK(d[0] == 5 && d[N - 1] == 5 + sums[N - 2]);
    to.resize(thrust::copy_if(to.begin(), to.end(), d.begin(), is_odd()) - d.begin());
    CHECK((long)to.size() == std::count_if(sums.begin(), sums.end(), is_odd()));
}

static void maps(void)
{
    thrust::device_vector<float> x(N), y(N, 1.0f);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{2});
    CHECK(y[0] == 1 && y[N - 1] == 2 * N - 1);
    float squares = thrust::transform_reduce(x.begin(), x.begin() + 100, thrust::square<float>(),
                                             0.0f, thrust::plus<float>());
    CHECK(squares == 328350);
    CHECK(thrust::inner_product(x.begin(), x.begin() + 100, y.begin(), 0.0f) == 661650);
    thrust::counting_iterator<unsigned> first(0);
    int want = 0;
    int inside = thrust::transform_reduce(first, first + N, within(), 0, thrust::plus<int>());
    for (unsigned i = 0; i < N; i++)
        want += within()(i);
    CHECK(inside == want && inside > N / 2);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    CHECK(thrust::get<1>(*(pairs + 7)) == 15);
}

int main()
{
    orders();
    passes();
    maps();
    return finish();
}
