/*
 * lavamd -- potential of and force on the particles in a box of space, from those nearby
 *
 * suite: Rodinia
 * stresses: float arithmetic, exponentials, shared memory broadcasts, long loops between barriers
 * papers: gates, socgpu
 * kernels: lavamd_forces
 * size: 64 boxes
 * large: 1000 boxes
 * odd: 5
 * tiny: 1
 * time: 7.9 s
 *
 * Space is a cube of boxes with 100 particles each (where the size is no cube, the last boxes are
 * missing): 10 x 10 x 10 in the suite, many waves of blocks; 4 x 4 x 4 by default, less than one.
 * The cutoff is that a particle feels those of its own box and of the up to 26 around it.  As in
 * the original a block of 128 threads has a box, keeps the box's particles and in turn each
 * neighbour's in shared memory, and a thread adds up what all of these do to its particle: a
 * potential that falls with exp(-distance^2), and the force.  The original's type is double; this
 * is float, as the FP units are that the papers are about.
 *
 * Places are multiples of 1/64 below 16, so that a.v + b.v - a . b, half the square distance of
 * two particles, is exact in a float.  What is left are the error of the exponential and that of a
 * sum of up to 2700 terms of up to 2: together some 1e-7 of each term.  The CPU adds up in double,
 * and the results are compared as means over the terms, to 2e-6.
 */
#include "workload.h"

enum {
    PARTICLES = 100, /* in a box */
    BLOCK = 128,
    NEIGHBOURS = 26, /* at most, without the box itself */
    PAIRS = (NEIGHBOURS + 1) * PARTICLES,
    PLACES = 64, /* in a box, along each side */
};

#define ALPHA 0.5f /* how fast the potential falls */

/* Of a particle: half its square distance from the origin and its place, or potential and force. */
struct vector {
    float v, x, y, z;
};

struct box {
    int first; /* of its particles */
    int n_neighbour;
    int neighbour[NEIGHBOURS];
};

/* Adds what a box's particles do to the one at `at`. */
static __device__ void box_forces(struct vector *force, const struct vector *at,
                                  const struct vector *other, const float *charge)
{
    const float a2 = 2 * ALPHA * ALPHA;
    struct vector sum = *force;

    for (int j = 0; j < PARTICLES; j++) {
        float dot = at->x * other[j].x + at->y * other[j].y + at->z * other[j].z;
        float potential = expf(-a2 * (at->v + other[j].v - dot));
        float slope = 2 * potential;

        sum.v += charge[j] * potential;
        sum.x += charge[j] * slope * (at->x - other[j].x);
        sum.y += charge[j] * slope * (at->y - other[j].y);
        sum.z += charge[j] * slope * (at->z - other[j].z);
    }
    *force = sum;
}

__global__ void lavamd_forces(const struct box *boxes, const struct vector *places,
                              const float *charges, struct vector *forces)
{
    __shared__ struct vector home[PARTICLES], other[PARTICLES];
    __shared__ float charge[PARTICLES];
    const struct box *box = &boxes[blockIdx.x];
    int first = box->first, t = threadIdx.x;

    for (int i = t; i < PARTICLES; i += BLOCK)
        home[i] = places[first + i];
    __syncthreads();

    for (int k = 0; k <= box->n_neighbour; k++) { /* the box itself is the first */
        int from = k == 0 ? first : boxes[box->neighbour[k - 1]].first;

        for (int i = t; i < PARTICLES; i += BLOCK) {
            other[i] = places[from + i];
            charge[i] = charges[from + i];
        }
        __syncthreads();
        for (int i = t; i < PARTICLES; i += BLOCK)
            box_forces(&forces[first + i], &home[i], other, charge);
        __syncthreads();
    }
}

static void forces_gpu(const struct box *boxes, int n_box, const struct vector *places,
                       const float *charges, struct vector *forces)
{
    size_t n = (size_t)n_box * PARTICLES;
    struct box *d_boxes = (struct box *)workload_upload(boxes, n_box * sizeof *boxes);
    struct vector *d_places = (struct vector *)workload_upload(places, n * sizeof *places);
    float *d_charges = (float *)workload_upload(charges, n * sizeof *charges);
    struct vector *d_forces = (struct vector *)workload_upload(forces, n * sizeof *forces);

    lavamd_forces<<<n_box, BLOCK>>>(d_boxes, d_places, d_charges, d_forces);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(forces, d_forces, n * sizeof *forces, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_boxes));
    CUDA(cudaFree(d_places));
    CUDA(cudaFree(d_charges));
    CUDA(cudaFree(d_forces));
}

/* The same for the reference, from the differences of the places. */
static void box_forces_cpu(double sum[4], const struct vector *at, const struct vector *other,
                           const float *charge)
{
    for (int j = 0; j < PARTICLES; j++) {
        float d[3] = {at->x - other[j].x, at->y - other[j].y, at->z - other[j].z};
        float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        double potential = charge[j] * expf(-ALPHA * ALPHA * square);

        sum[0] += potential;
        for (int k = 0; k < 3; k++)
            sum[k + 1] += 2 * potential * d[k];
    }
}

/* Without lists: all boxes that differ by at most one along each side. */
static void forces_cpu(int n_box, int side, const struct vector *places, const float *charges,
                       struct vector *forces)
{
    for (int i = 0; i < n_box * PARTICLES; i++) {
        int box = i / PARTICLES, x = box % side, y = box / side % side, z = box / side / side;
        double sum[4] = {0};

        for (int b = 0; b < n_box; b++)
            if (abs(b % side - x) <= 1 && abs(b / side % side - y) <= 1 &&
                abs(b / side / side - z) <= 1)
                box_forces_cpu(sum, &places[i], places + b * PARTICLES, charges + b * PARTICLES);
        forces[i] = (struct vector){(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]};
    }
}

/* As means over PAIRS pairs. */
static void compare(struct workload *w, struct vector *got, struct vector *want, size_t n)
{
    float *g = (float *)got, *f = (float *)want;

    for (size_t i = 0; i < 4 * n; i++) {
        g[i] /= PAIRS;
        f[i] /= PAIRS;
    }
    workload_compare_f32(w, "force", g, f, 4 * n, 2e-6f);
}

static void neighbours_make(struct box *box, int n_box, int side, int x, int y, int z)
{
    for (int k = 0; k < 27; k++) {
        int nx = x + k % 3 - 1, ny = y + k / 3 % 3 - 1, nz = z + k / 9 - 1;
        bool inside = nx >= 0 && nx < side && ny >= 0 && ny < side && nz >= 0 && nz < side;
        int neighbour = (nz * side + ny) * side + nx;

        if (inside && neighbour < n_box && k != 13) /* 13: the box itself */
            box->neighbour[box->n_neighbour++] = neighbour;
    }
}

/* A place inside the box, see PLACES. */
static struct vector place_make(struct workload *w, int x, int y, int z)
{
    struct vector p = {0, x + (float)workload_below(w, PLACES) / PLACES,
                       y + (float)workload_below(w, PLACES) / PLACES,
                       z + (float)workload_below(w, PLACES) / PLACES};

    p.v = (p.x * p.x + p.y * p.y + p.z * p.z) / 2;
    return p;
}

static void space_make(struct workload *w, int n_box, int side, struct box *boxes,
                       struct vector *places, float *charges)
{
    for (int b = 0; b < n_box; b++) {
        int x = b % side, y = b / side % side, z = b / side / side;

        boxes[b].first = b * PARTICLES;
        neighbours_make(&boxes[b], n_box, side, x, y, z);
        for (int i = b * PARTICLES; i < (b + 1) * PARTICLES; i++) {
            places[i] = place_make(w, x, y, z);
            charges[i] = workload_float(w, 0.1f, 1);
        }
    }
}

/* Of the smallest cube with this many boxes. */
static int side_of(int n_box)
{
    int side = 1;

    while (side * side * side < n_box)
        side++;
    return side;
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){
                           .unit = "boxes", .usual = 64, .large = 1000, .least = 1, .most = 4096});
    int n_box = (int)w.size, side = side_of(n_box);
    size_t n = (size_t)n_box * PARTICLES;
    struct box *boxes = (struct box *)workload_alloc(n_box * sizeof *boxes);
    struct vector *places = (struct vector *)workload_alloc(n * sizeof *places);
    float *charges = (float *)workload_alloc(n * sizeof *charges);
    struct vector *got = (struct vector *)workload_alloc(n * sizeof *got);
    struct vector *want = (struct vector *)workload_alloc(n * sizeof *want);

    space_make(&w, n_box, side, boxes, places, charges);
    forces_gpu(boxes, n_box, places, charges, got);
    forces_cpu(n_box, side, places, charges, want);
    compare(&w, got, want, n);

    free(boxes);
    free(places);
    free(charges);
    free(got);
    free(want);
    return workload_end(&w);
}
