// The conjugate gradient method in one kernel: all CTAs are resident, and grid.sync() stands where
// others launch anew.  The matrix is that of a grid of points, each tied to its neighbours, by
// rows.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <helper_cuda.h>

#include "verdict.h"

namespace cg = cooperative_groups;

enum { SIDE = 20, N = SIDE * SIDE, BLOCK = 64, MOST = 200 };

struct equations { /* matrix by compressed rows, and vectors */
    const int *row, *column;
    const float *value;
    float *x, *r, *p, *ap;
    float *dots; /* of every step: p*Ap and r*r */
};

__device__ static float product_row(const equations &s, const float *v, int i)
{
    float sum = 0;
    for (int k = s.row[i]; k < s.row[i + 1]; k++)
        sum += s.value[k] * v[s.column[k]];
    return sum;
}

/* Adds up what all threads of the block have, and adds that to *to. */
__device__ static void add_up(const cg::thread_block &block, float v, float *to)
{
    __shared__ float of_warp[BLOCK / 32];
    auto warp = cg::tiled_partition<32>(block);
    v = cg::reduce(warp, v, cg::plus<float>());
    if (warp.thread_rank() == 0)
        of_warp[warp.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int i = 1; i < BLOCK / 32; i++)
            v += of_warp[i];
        atomicAdd(to, v);
    }
    block.sync();
}

__global__ void solve(equations s, float tolerance, int *steps)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    const int first = (int)grid.thread_rank(), by = (int)grid.size();
    float part = 0;
    for (int i = first; i < N; i += by) { /* x is 0: the residual is the right side */
        s.p[i] = s.r[i];
        part += s.r[i] * s.r[i];
    }
    add_up(block, part, &s.dots[1]);
    grid.sync();
    int k = 0;
    float rr = s.dots[1];
    for (; k < MOST && rr > tolerance * tolerance; k++) {
        float *pap = &s.dots[2 * k + 2], *next = pap + 1;
        part = 0;
        for (int i = first; i < N; i += by) {
            s.ap[i] = product_row(s, s.p, i);
            part += s.p[i] * s.ap[i];
        }
        add_up(block, part, pap);
        grid.sync();
        float alpha = rr / *pap;
        part = 0;
        for (int i = first; i < N; i += by) {
            s.x[i] += alpha * s.p[i];
            s.r[i] -= alpha * s.ap[i];
            part += s.r[i] * s.r[i];
        }
        add_up(block, part, next);
        grid.sync();
        float beta = *next / rr;
        rr = *next;
        for (int i = first; i < N; i += by)
            s.p[i] = s.r[i] + beta * s.p[i];
        grid.sync();
    }
    if (first == 0)
        *steps = k;
}

template <class T> static T *managed(int n)
{
    T *p;
    checkCudaErrors(cudaMallocManaged(&p, n * sizeof(T)));
    for (int i = 0; i < n; i++)
        p[i] = 0;
    return p;
}

/* 4.5 on the diagonal, -1 to each neighbour. */
static int fill(int *row, int *column, float *value)
{
    int n = 0;
    for (int i = 0; i < N; i++) {
        const int x = i % SIDE, y = i / SIDE;
        const int to[5] = {y > 0 ? i - SIDE : -1, x > 0 ? i - 1 : -1, i, x + 1 < SIDE ? i + 1 : -1,
                           y + 1 < SIDE ? i + SIDE : -1};
        row[i] = n;
        for (int k = 0; k < 5; k++)
            if (to[k] >= 0)
                column[n] = to[k], value[n++] = to[k] == i ? 4.5f : -1;
    }
    return row[N] = n;
}

int main()
{
    int can = 0, per_sm = 0, sms = 0, *steps = managed<int>(1), *row = managed<int>(N + 1);
    int *column = managed<int>(5 * N);
    float *value = managed<float>(5 * N), *x = managed<float>(N), *r = managed<float>(N);
    static float right[N];
    checkCudaErrors(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    expect("cooperative launches on device", 0, can, 1);
    fill(row, column, value);
    unsigned seed = 17;
    for (int i = 0; i < N; i++)
        right[i] = r[i] = (float)(draw(&seed) % 2000) / 1000 - 1;
    equations s = {row,
                   column,
                   value,
                   x,
                   r,
                   managed<float>(N),
                   managed<float>(N),
                   managed<float>(2 * MOST + 2)};
    float tolerance = 1e-4f;
    void *args[] = {&s, &tolerance, &steps};
    checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, solve, BLOCK, 0));
    checkCudaErrors(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    int grid = min(per_sm * sms, (N + BLOCK - 1) / BLOCK);
    checkCudaErrors(cudaLaunchCooperativeKernel((void *)solve, grid, BLOCK, args, 0, NULL));
    checkCudaErrors(cudaDeviceSynchronize());

    double worst = 0;
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += (double)value[k] * x[column[k]];
        worst = fmax(worst, fabs(sum - right[i]));
    }
    expect("the residual is small after steps", *steps, worst, 0, 1e-3);
    expect("steps are few:", *steps, *steps > 5 && *steps < MOST, 1);
    return verdict();
}
