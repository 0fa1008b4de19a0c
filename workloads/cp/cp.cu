/*
 * cp -- coulombic potential of many atoms on a slice of space
 *
 * stresses: float arithmetic, reciprocal square roots, constant memory broadcasts
 * papers: buddy, amoeba
 * kernels: cp_slice
 * size: 256 points along each side
 * time: 0.6 s
 *
 * Direct summation of charge / distance over all atoms at every point of a square grid.  The atoms
 * are read by all threads at the same time, so they come from constant memory, a part of them per
 * launch, with the square distance from the slice's plane already worked out.  A thread has POINTS
 * points of a row, a block's width apart, so that it loads an atom once for all of them and its
 * stores coalesce.  (CUTCP, which the gates and share papers use, cuts the sum off at a distance.)
 */
#include "workload.h"

enum {
    WIDTH = 16, /* of a block of threads */
    HEIGHT = 8,
    POINTS = 4,   /* per thread */
    ATOMS = 1000, /* in all */
    PART = 512,   /* atoms in constant memory; the last part is not full */
};

#define SPACING 0.5f /* of the points; exact in binary, so the coordinates are */

struct atom {
    float x, y, z, charge;
};

/* z is (z - slice)^2 here. */
static __constant__ struct atom constant_atom[PART];

__global__ void cp_slice(float *potential, int n, int n_atom)
{
    int column = blockIdx.x * WIDTH * POINTS + threadIdx.x;
    int row = blockIdx.y * HEIGHT + threadIdx.y;
    float x = column * SPACING, y = row * SPACING, sum[POINTS] = {0};

    for (int i = 0; i < n_atom; i++) {
        struct atom a = constant_atom[i];
        float dx = x - a.x, dy = y - a.y, dyz2 = dy * dy + a.z;

        for (int p = 0; p < POINTS; p++) {
            sum[p] += a.charge * rsqrtf(dx * dx + dyz2);
            dx += WIDTH * SPACING;
        }
    }
    for (int p = 0; p < POINTS; p++)
        if (row < n && column + p * WIDTH < n)
            potential[row * n + column + p * WIDTH] += sum[p];
}

static void potential_gpu(const struct atom *atoms, float slice, float *potential, int n)
{
    size_t bytes = (size_t)n * n * sizeof *potential;
    dim3 block(WIDTH, HEIGHT);
    dim3 grid((n + WIDTH * POINTS - 1) / (WIDTH * POINTS), (n + HEIGHT - 1) / HEIGHT);
    float *d;

    CUDA(cudaMalloc((void **)&d, bytes));
    CUDA(cudaMemset(d, 0, bytes));
    for (int first = 0; first < ATOMS; first += PART) {
        int n_atom = ATOMS - first < PART ? ATOMS - first : PART;
        struct atom part[PART];

        for (int i = 0; i < n_atom; i++) {
            part[i] = atoms[first + i];
            part[i].z = (part[i].z - slice) * (part[i].z - slice);
        }
        CUDA(cudaMemcpyToSymbol(constant_atom, part, n_atom * sizeof *part));
        cp_slice<<<grid, block>>>(d, n, n_atom);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(potential, d, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d));
}

/* The reference: point by point, in double. */
static void potential_cpu(const struct atom *atoms, float slice, float *potential, int n)
{
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double sum = 0;

            for (int i = 0; i < ATOMS; i++) {
                double dx = column * (double)SPACING - atoms[i].x;
                double dy = row * (double)SPACING - atoms[i].y;
                double dz = (double)atoms[i].z - slice;

                sum += atoms[i].charge / sqrt(dx * dx + dy * dy + dz * dz);
            }
            potential[(size_t)row * n + column] = (float)sum;
        }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "points along each side", .usual = 256, .least = 1, .most = 4096});
    int n = (int)w.size;
    float side = n * SPACING;
    float *got = (float *)workload_alloc((size_t)n * n * sizeof *got);
    float *want = (float *)workload_alloc((size_t)n * n * sizeof *want);
    struct atom atoms[ATOMS];

    /* All above the slice, so that no distance is near 0. */
    for (int i = 0; i < ATOMS; i++) {
        atoms[i].x = workload_float(&w, 0, side);
        atoms[i].y = workload_float(&w, 0, side);
        atoms[i].z = workload_float(&w, 1, 9);
        atoms[i].charge = workload_float(&w, 0.25f, 2);
    }
    potential_gpu(atoms, 0.25f, got, n);
    potential_cpu(atoms, 0.25f, want, n);
    /*
     * All charges are positive: nothing cancels, and the bound is relative.  A term is wrong by
     * less than 32 half ulps: dx is as coarse as the distance of a thread's points, which matters
     * at most by 24 where the atom is near, and the root by 2 ulp.  Each of the ATOMS additions
     * adds one, on average to half of the final sum.
     */
    workload_compare_f32(&w, "potential", got, want, (size_t)n * n,
                         (ATOMS / 2 + 32) * (1.0f / (1 << 24)));

    free(got);
    free(want);
    return workload_end(&w);
}
