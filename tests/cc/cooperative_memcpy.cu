// Copies of cooperative_groups/memcpy_async.h: of whole blocks, of tiles, at any alignment.
// timing
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

enum { N = 96 };

__global__ void reverse(const int *from, int *to, int n)
{
    __shared__ int part[2][N];
    auto b = cg::this_thread_block();
    for (int first = 0, stage = 0; first < n; first += N, stage ^= 1) {
        int count = n - first < N ? n - first : N;
        cg::memcpy_async(b, part[stage], (size_t)N, from + first, (size_t)(n - first));
        if (stage)
            cg::wait_prior<0>(b);
        else
            cg::wait(b);
        for (int i = (int)b.thread_rank(); i < count; i += (int)b.size())
            to[first + i] = part[stage][count - 1 - i];
        b.sync();
    }
}

__global__ void bytes(const char *from, char *to, int shift)
{
    auto t = cg::tiled_partition<8>(cg::this_thread_block());
    int first = (int)t.meta_group_rank() * 16;
    cg::memcpy_async(t, to + first, from + first + shift, (size_t)(16 - shift));
    cg::wait(t);
}

int main()
{
    int *a = shared_array<int>(250), *b = shared_array<int>(250);
    for (int i = 0; i < 250; i++)
        a[i] = 3 * i;
    reverse<<<1, 64>>>(a, b, 250);
    finish_kernels();
    for (int i = 0; i < 250; i++) {
        int first = i / N * N, count = 250 - first < N ? 250 - first : N;
        CHECK(b[i] == a[first + count - 1 - (i - first)]);
    }
    char *from = shared_array<char>(80), *to = shared_array<char>(80);
    for (int shift = 0; shift < 9; shift++) {
        for (int i = 0; i < 80; i++)
            from[i] = (char)(i + 1), to[i] = 0;
        bytes<<<1, 32>>>(from, to, shift);
        finish_kernels();
        for (int i = 0; i < 80; i++)
            CHECK(to[i] == (i < 64 && i % 16 < 16 - shift ? i + shift + 1 : 0));
    }
    return finish();
}
