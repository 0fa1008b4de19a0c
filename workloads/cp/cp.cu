/*
 * cp -- coulombic potential of many atoms on a slice of space
 *
 * suite: ISPASS
 * stresses: float arithmetic, reciprocal square roots, constant memory broadcasts
 * papers: buddy, amoeba
 * kernels: cp_slice
 * size: 1024 points of width
 * large: 1024 points of width
 * odd: 203
 * tiny: 67
 * time: 3.6 s
 *
 * Direct summation of charge / distance over all atoms at every point of a grid, four times as wide
 * as high.  The atoms are read by all threads at the same time, so they come from constant memory,
 * with the square distance from the slice's plane already worked out.  A thread has 8 points of a
 * row, a block's width apart, so that it loads an atom once for all of them and its stores
 * coalesce.  (CUTCP, which the gates and share papers use, cuts the sum off at a distance.)
 *
 * The launch is that of Table II of the Buddy SM paper: 8 x 32 blocks of 16 x 8 threads.  With 100
 * atoms it has about as many instructions, too.
 */
#include "workload.h"

enum {
    WIDTH = 16, /* of a block of threads */
    HEIGHT = 8,
    POINTS = 8, /* per thread */
    ATOMS = 100,
};

#define SPACING 0.5f /* of the points; exact in binary, so the coordinates are */

struct atom {
    float x, y, z, charge;
};

/* z is (z - slice)^2 here. */
static __constant__ struct atom constant_atom[ATOMS];

__global__ void cp_slice(float *potential, int width, int height)
{
    int column = blockIdx.x * WIDTH * POINTS + threadIdx.x;
    int row = blockIdx.y * HEIGHT + threadIdx.y;
    float x = column * SPACING, y = row * SPACING, sum[POINTS] = {0};

    for (int i = 0; i < ATOMS; i++) {
        struct atom a = constant_atom[i];
        float dx = x - a.x, dy = y - a.y, dyz2 = dy * dy + a.z;

#pragma unroll
        for (int p = 0; p < POINTS; p++) {
            sum[p] += a.charge * rsqrtf(dx * dx + dyz2);
            dx += WIDTH * SPACING;
        }
    }
#pragma unroll
    for (int p = 0; p < POINTS; p++)
        if (row < height && column + p * WIDTH < width)
            potential[row * width + column + p * WIDTH] += sum[p];
}

static void potential_gpu(const struct atom *atoms, float slice, float *potential, int width,
                          int height)
{
    size_t bytes = (size_t)width * height * sizeof *potential;
    dim3 block(WIDTH, HEIGHT);
    dim3 grid((width + WIDTH * POINTS - 1) / (WIDTH * POINTS), (height + HEIGHT - 1) / HEIGHT);
    struct atom in_slice[ATOMS];
    float *d;

    for (int i = 0; i < ATOMS; i++) {
        in_slice[i] = atoms[i];
        in_slice[i].z = (atoms[i].z - slice) * (atoms[i].z - slice);
    }
    CUDA(cudaMalloc((void **)&d, bytes));
    CUDA(cudaMemset(d, 0, bytes));
    CUDA(cudaMemcpyToSymbol(constant_atom, in_slice, sizeof in_slice));
    cp_slice<<<grid, block>>>(d, width, height);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(potential, d, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d));
}

/* The reference: point by point, in double. */
static void potential_cpu(const struct atom *atoms, float slice, float *potential, int width,
                          int height)
{
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            double sum = 0;

            for (int i = 0; i < ATOMS; i++) {
                double dx = column * (double)SPACING - atoms[i].x;
                double dy = row * (double)SPACING - atoms[i].y;
                double dz = (double)atoms[i].z - slice;

                sum += atoms[i].charge / sqrt(dx * dx + dy * dy + dz * dz);
            }
            potential[(size_t)row * width + column] = (float)sum;
        }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "points of width", .usual = 1024, .large = 1024, .least = 1, .most = 8192});
    int width = (int)w.size, height = (width + 3) / 4;
    size_t n_point = (size_t)width * height;
    float *got = (float *)workload_alloc(n_point * sizeof *got);
    float *want = (float *)workload_alloc(n_point * sizeof *want);
    struct atom atoms[ATOMS];

    /* All above the slice, so that no distance is near 0. */
    for (int i = 0; i < ATOMS; i++) {
        atoms[i].x = workload_float(&w, 0, width * SPACING);
        atoms[i].y = workload_float(&w, 0, height * SPACING);
        atoms[i].z = workload_float(&w, 1, 9);
        atoms[i].charge = workload_float(&w, 0.25f, 2);
    }
    potential_gpu(atoms, 0.25f, got, width, height);
    potential_cpu(atoms, 0.25f, want, width, height);
    /*
     * All charges are positive: nothing cancels, and the bound is relative.  A term is wrong by
     * less than 32 half ulps: dx is as coarse as the distance of a thread's points, which matters
     * at most by 24 where the atom is near, and the root by 2 ulp.  Each of the ATOMS additions
     * adds one, on average to half of the final sum.
     */
    workload_compare_f32(&w, "potential", got, want, n_point,
                         (ATOMS / 2 + 32) * (1.0f / (1 << 24)));

    free(got);
    free(want);
    return workload_end(&w);
}
