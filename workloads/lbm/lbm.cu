/*
 * lbm -- flow in a lid-driven cavity by the lattice Boltzmann method, 19 velocities in 3D (D3Q19)
 *
 * suite: Parboil
 * stresses: memory bandwidth with unaligned stores, registers, a diverging branch at the walls
 * papers: gates, share
 * kernels: lbm_stream_collide
 * size: 24 cells along y
 * large: 120 cells along y
 * odd: 5
 * tiny: 3
 * mix: 24
 * time: 5.7 s
 *
 * A block of 120 threads has a row of 120 cells along x; the grid has a block for each y and z, and
 * z is 5/4 of y, as in the suite's cavity of 120 x 120 x 150 cells (`large`).  A time step is one
 * launch: a thread reads the 19 densities of its cell, relaxes them towards equilibrium (or, at a
 * wall, turns them around), and stores each into the cell it flows to, in the other of two grids.
 * In the layers next to the bottom and to the lid the velocity is given.  Densities are planes of a
 * structure of arrays, the cell's flags are the plane after them, and rows are padded to 128 cells.
 * As in the original, these lengths are compiled into the kernel; up to 24 cells along y have
 * smaller planes.  --steps sets the number of steps; the suite's short run has 100.
 *
 * The relaxation is stable: rounding errors are some 3e-7 after a few steps and 2e-6 after 3000.
 */
#include "workload.h"

enum {
    X = 120,     /* cells in a row, and threads in a block */
    PITCH = 128, /* of a row */
    USUAL = 24,  /* cells along y */
    LARGE = 120,
    OBSTACLE = 1,
    DRIVEN = 2, /* flags of a cell */
};

/* clang-format off */
enum { /* velocities: at rest, along the axes, along the diagonals; pairs of opposite ones */
    C, E, W, N, S, T, B, NE, SW, NW, SE, NT, SB, NB, ST, ET, WB, EB, WT, VELOCITIES,
    FLAGS = VELOCITIES, PLANES
};
/* clang-format on */

#define OMEGA 1.95f    /* relaxation in a step */
#define DRIVE_X 0.005f /* velocity of a driven cell */
#define DRIVE_Y 0.002f
#define WEIGHT_C (1.0f / 3) /* of the velocities in equilibrium */
#define WEIGHT_AXIS (1.0f / 18)
#define WEIGHT_DIAGONAL (1.0f / 36)

/* Cells of the cavity along y and z. */
struct shape {
    int y, z;
};

/*
 * A grid in memory: planes of layers of rows, with two layers before and behind the cavity.  It has
 * room for a cavity of Y cells along y; the kernel is compiled for the room, so that the distance
 * of two cells is a number in its instructions.
 */
template <int Y> struct room {
    enum {
        LAYER = PITCH * Y,
        PLANE = LAYER * (Y * 5 / 4 + 4),
    };

    static __host__ __device__ int at(int x, int y, int z)
    {
        return (z + 2) * LAYER + y * PITCH + x;
    }
};

/* A velocity's component along x, y or z: 0, 1, 2. */
static __host__ __device__ int component(int velocity, int axis)
{
    constexpr int components[VELOCITIES][3] = {
        {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
        {1, 1, 0},  {-1, -1, 0}, {-1, 1, 0},  {1, -1, 0}, {0, 1, 1},  {0, -1, -1}, {0, 1, -1},
        {0, -1, 1}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}};

    return components[velocity][axis];
}

/* A velocity's density after relaxation; `along` is the flow's velocity in its direction. */
static __device__ float relaxed(float f, float weight, float along, float square)
{
    return (1 - OMEGA) * f + weight * (along * (4.5f * along + 3) - square);
}

static __device__ void collide(float f[VELOCITIES], bool driven)
{
    float density = 0;
    float x = f[E] - f[W] + f[NE] - f[SW] + f[SE] - f[NW] + f[ET] - f[WB] + f[EB] - f[WT];
    float y = f[N] - f[S] + f[NE] - f[SW] + f[NW] - f[SE] + f[NT] - f[SB] + f[NB] - f[ST];
    float z = f[T] - f[B] + f[NT] - f[SB] + f[ST] - f[NB] + f[ET] - f[WB] + f[WT] - f[EB];

#pragma unroll
    for (int v = 0; v < VELOCITIES; v++)
        density += f[v];
    x = driven ? DRIVE_X : x / density;
    y = driven ? DRIVE_Y : y / density;
    z = driven ? 0 : z / density;

    float square = 1.5f * (x * x + y * y + z * z) - 1;
    float axis = OMEGA * WEIGHT_AXIS * density, diagonal = OMEGA * WEIGHT_DIAGONAL * density;

    f[C] = (1 - OMEGA) * f[C] - OMEGA * WEIGHT_C * density * square;
    f[E] = relaxed(f[E], axis, x, square);
    f[W] = relaxed(f[W], axis, -x, square);
    f[N] = relaxed(f[N], axis, y, square);
    f[S] = relaxed(f[S], axis, -y, square);
    f[T] = relaxed(f[T], axis, z, square);
    f[B] = relaxed(f[B], axis, -z, square);
    f[NE] = relaxed(f[NE], diagonal, x + y, square);
    f[SW] = relaxed(f[SW], diagonal, -x - y, square);
    f[NW] = relaxed(f[NW], diagonal, y - x, square);
    f[SE] = relaxed(f[SE], diagonal, x - y, square);
    f[NT] = relaxed(f[NT], diagonal, y + z, square);
    f[SB] = relaxed(f[SB], diagonal, -y - z, square);
    f[NB] = relaxed(f[NB], diagonal, y - z, square);
    f[ST] = relaxed(f[ST], diagonal, z - y, square);
    f[ET] = relaxed(f[ET], diagonal, x + z, square);
    f[WB] = relaxed(f[WB], diagonal, -x - z, square);
    f[EB] = relaxed(f[EB], diagonal, x - z, square);
    f[WT] = relaxed(f[WT], diagonal, z - x, square);
}

static __device__ void turn_around(float f[VELOCITIES])
{
#pragma unroll
    for (int v = 1; v < VELOCITIES; v += 2) {
        float there = f[v];

        f[v] = f[v + 1];
        f[v + 1] = there;
    }
}

/*
 * What flows out of the cavity goes into the padding, or into a cell of the wall at the other side
 * of it, which only ever sends it out again.
 */
template <int Y> __global__ void lbm_stream_collide(const float *from, float *to)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    int flags = __float_as_int(from[FLAGS * room<Y>::PLANE + room<Y>::at(x, y, z)]);
    float f[VELOCITIES];

#pragma unroll
    for (int v = 0; v < VELOCITIES; v++)
        f[v] = from[v * room<Y>::PLANE + room<Y>::at(x, y, z)];
    if (flags & OBSTACLE)
        turn_around(f);
    else
        collide(f, flags & DRIVEN);
#pragma unroll
    for (int v = 0; v < VELOCITIES; v++)
        to[v * room<Y>::PLANE +
           room<Y>::at(x + component(v, 0), y + component(v, 1), z + component(v, 2))] = f[v];
}

template <int Y> static void flow_gpu(struct shape s, float *grid, int steps)
{
    size_t bytes = (size_t)room<Y>::PLANE * PLANES * sizeof *grid;
    float *from = (float *)workload_upload(grid, bytes),
          *to = (float *)workload_upload(grid, bytes);

    for (int step = 0; step < steps; step++) {
        float *last = from;

        lbm_stream_collide<Y><<<dim3(s.y, s.z), X>>>(from, to);
        CUDA_LAUNCHED();
        from = to;
        to = last;
    }
    CUDA(cudaMemcpy(grid, from, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(from));
    CUDA(cudaFree(to));
}

static int flags_of(struct shape s, int x, int y, int z)
{
    bool wall = x == 0 || x == X - 1 || y == 0 || y == s.y - 1 || z == 0 || z == s.z - 1;
    bool inner = x > 1 && x < X - 2 && y > 1 && y < s.y - 2;

    return wall ? OBSTACLE : inner && (z == 1 || z == s.z - 2) ? DRIVEN : 0;
}

static double weight_of(int v)
{
    int n_axis = abs(component(v, 0)) + abs(component(v, 1)) + abs(component(v, 2));

    return n_axis == 0 ? WEIGHT_C : n_axis == 1 ? WEIGHT_AXIS : WEIGHT_DIAGONAL;
}

/* A cavity at rest, but for a little noise in the densities. */
template <int Y> static void grid_fill(struct workload *w, struct shape s, float *grid)
{
    size_t plane = room<Y>::PLANE;

    for (int z = 0; z < s.z; z++)
        for (int y = 0; y < s.y; y++)
            for (int x = 0; x < X; x++) {
                float *cell = grid + room<Y>::at(x, y, z);
                int flags = flags_of(s, x, y, z);

                memcpy(cell + FLAGS * plane, &flags, sizeof flags);
                for (int v = 0; v < VELOCITIES; v++)
                    cell[v * plane] = (float)weight_of(v) * workload_float(w, 0.99f, 1.01f);
            }
}

/* ---- the reference: velocity by velocity, in double */

static void collide_cpu(bool driven, double f[VELOCITIES])
{
    double density = 0, u[3] = {0};

    for (int v = 0; v < VELOCITIES; v++) {
        density += f[v];
        for (int axis = 0; axis < 3; axis++)
            u[axis] += component(v, axis) * f[v];
    }
    u[0] = driven ? DRIVE_X : u[0] / density;
    u[1] = driven ? DRIVE_Y : u[1] / density;
    u[2] = driven ? 0 : u[2] / density;
    for (int v = 0; v < VELOCITIES; v++) {
        double along = component(v, 0) * u[0] + component(v, 1) * u[1] + component(v, 2) * u[2];
        double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        double equilibrium = 1 + 3 * along + 4.5 * along * along - 1.5 * square;

        f[v] += OMEGA * (weight_of(v) * density * equilibrium - f[v]);
    }
}

template <int Y>
static void cell_cpu(struct shape s, int x, int y, int z, const float *from, float *to)
{
    int flags = flags_of(s, x, y, z);
    size_t plane = room<Y>::PLANE;
    double f[VELOCITIES];

    for (int v = 0; v < VELOCITIES; v++) {
        int opposite = v == C ? C : v % 2 ? v + 1 : v - 1;

        f[v] = from[(flags & OBSTACLE ? opposite : v) * plane + room<Y>::at(x, y, z)];
    }
    if (!(flags & OBSTACLE))
        collide_cpu(flags & DRIVEN, f);
    for (int v = 0; v < VELOCITIES; v++)
        to[v * plane + room<Y>::at(x + component(v, 0), y + component(v, 1), z + component(v, 2))] =
            (float)f[v];
}

template <int Y> static void flow_cpu(struct shape s, float *grid, int steps)
{
    size_t bytes = (size_t)room<Y>::PLANE * PLANES * sizeof *grid;
    float *next = (float *)workload_alloc(bytes);

    memcpy(next, grid, bytes);
    for (int step = 0; step < steps; step++) {
        for (int z = 0; z < s.z; z++)
            for (int y = 0; y < s.y; y++)
                for (int x = 0; x < X; x++)
                    cell_cpu<Y>(s, x, y, z, step % 2 ? next : grid, step % 2 ? grid : next);
    }
    if (steps % 2)
        memcpy(grid, next, bytes);
    free(next);
}

template <int Y> static void flow_check(struct workload *w)
{
    struct shape s = {(int)w->size, (int)w->size * 5 / 4};
    size_t n = (size_t)room<Y>::PLANE * PLANES;
    float *got = (float *)workload_alloc(n * sizeof *got);
    float *want = (float *)workload_alloc(n * sizeof *want);

    grid_fill<Y>(w, s, got);
    memcpy(want, got, n * sizeof *want);
    flow_gpu<Y>(s, got, (int)w->extra);
    flow_cpu<Y>(s, want, (int)w->extra);
    workload_compare_f32(w, "density", got, want, n, 1e-6f + 2e-9f * w->extra);

    free(got);
    free(want);
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){.unit = "cells along y",
                                              .usual = USUAL,
                                              .large = LARGE,
                                              .least = 3,
                                              .most = LARGE,
                                              .extra = {"--steps", "steps of time", 4, 1, 3000}});

    if (w.size <= USUAL)
        flow_check<USUAL>(&w);
    else
        flow_check<LARGE>(&w);
    return workload_end(&w);
}
