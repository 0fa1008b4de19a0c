// Warps of a block that communicate through shared memory without barriers.  Distances from the last
// vertex of a path, relaxed in place, until each is what it must become: the first warp waits for
// the last, which is the youngest and must have its turn whichever goes first.
// run: -g tiny
// timing
#include "check.h"

#define N 256

__global__ void relax(int *out)
{
    __shared__ volatile int dist[N];
    int v = threadIdx.x;
    dist[v] = v == N - 1 ? 0 : N;
    __syncthreads();
    while (dist[v] > N - 1 - v)
        if (dist[v + 1] + 1 < dist[v])
            dist[v] = dist[v + 1] + 1;
    out[v] = dist[v];
}

int main()
{
    int *p = shared_array<int>(N);
    relax<<<1, N>>>(p);
    finish_kernels();
    for (int i = 0; i < N; i++)
        CHECK(p[i] == N - 1 - i);
    return finish();
}
