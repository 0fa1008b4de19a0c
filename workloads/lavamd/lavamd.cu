/*
 * lavamd -- potential of and force on the particles in a box of space, from those nearby
 *
 * suite: Rodinia
 * stresses: double arithmetic, exponentials, shared memory broadcasts, long loops between barriers
 * papers: gates, socgpu
 * kernels: lavamd_forces
 * size: 64 boxes
 * large: 1000 boxes
 * odd: 3
 * tiny: 1
 * mix: 2
 * time: 12.8 s
 *
 * Space has boxes with 100 particles each, --side boxes of width and height: a cube of 10 x 10 x 10
 * in the suite and with --size large; by default a row of 64, which are the blocks of the suite's
 * smaller 4 x 4 x 4 (--side 4) with a fifth of its work.  The cutoff is that a particle feels those
 * of its own box and of the up to 26 around it.  As in the original a block of 128 threads has a
 * box, keeps the box's particles and in turn each neighbour's in shared memory, and a thread adds
 * up what all of these do to its particle: a potential that falls with exp(-distance^2), and the
 * force.  All is double, and the sums stay in global memory, which each pair reads and writes.
 *
 * Places are multiples of 1/64 below 4096, so that a.v + b.v - a . b, half the square distance of
 * two particles, is exact.  What is left are the error of the exponential and that of a sum of up
 * to 2700 terms of up to 2: together some 1e-13 of each term.  The results are compared as means
 * over the terms, to 1e-12.
 */
#include "workload.h"

enum {
    PARTICLES = 100, /* in a box */
    BLOCK = 128,
    NEIGHBOURS = 26, /* at most, without the box itself */
    PAIRS = (NEIGHBOURS + 1) * PARTICLES,
    SUITE = 1000, /* boxes */
    PLACES = 64,  /* in a box, along each side */
};

#define ALPHA 0.5 /* how fast the potential falls */

/* Of a particle: half its square distance from the origin and its place, or potential and force. */
struct vector {
    double v, x, y, z;
};

struct box {
    int first; /* of its particles */
    int n_neighbour;
    int neighbour[NEIGHBOURS];
};

/* Adds what a box's particles do to the one at `at`. */
static __device__ void box_forces(struct vector *force, const struct vector *at,
                                  const struct vector *other, const double *charge)
{
    const double a2 = 2 * ALPHA * ALPHA;

    for (int j = 0; j < PARTICLES; j++) {
        double dot = at->x * other[j].x + at->y * other[j].y + at->z * other[j].z;
        double potential = exp(-a2 * (at->v + other[j].v - dot));
        double slope = 2 * potential;

        force->v += charge[j] * potential;
        force->x += charge[j] * (slope * (at->x - other[j].x));
        force->y += charge[j] * (slope * (at->y - other[j].y));
        force->z += charge[j] * (slope * (at->z - other[j].z));
    }
}

__global__ void lavamd_forces(const struct box *boxes, const struct vector *places,
                              const double *charges, struct vector *forces)
{
    __shared__ struct vector home[PARTICLES], other[PARTICLES];
    __shared__ double charge[PARTICLES];
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
                       const double *charges, struct vector *forces)
{
    size_t n = (size_t)n_box * PARTICLES;
    struct box *d_boxes = (struct box *)workload_upload(boxes, n_box * sizeof *boxes);
    struct vector *d_places = (struct vector *)workload_upload(places, n * sizeof *places);
    double *d_charges = (double *)workload_upload(charges, n * sizeof *charges);
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
                           const double *charge)
{
    for (int j = 0; j < PARTICLES; j++) {
        double d[3] = {at->x - other[j].x, at->y - other[j].y, at->z - other[j].z};
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        double potential = charge[j] * exp(-ALPHA * ALPHA * square);

        sum[0] += potential;
        for (int k = 0; k < 3; k++)
            sum[k + 1] += 2 * potential * d[k];
    }
}

/* Without lists: all boxes that differ by at most one along each side. */
static void forces_cpu(int n_box, int side, const struct vector *places, const double *charges,
                       struct vector *forces)
{
    for (int i = 0; i < n_box * PARTICLES; i++) {
        int box = i / PARTICLES, x = box % side, y = box / side % side, z = box / side / side;
        double sum[4] = {0};

        for (int b = 0; b < n_box; b++)
            if (abs(b % side - x) <= 1 && abs(b / side % side - y) <= 1 &&
                abs(b / side / side - z) <= 1)
                box_forces_cpu(sum, &places[i], places + b * PARTICLES, charges + b * PARTICLES);
        forces[i] = (struct vector){sum[0], sum[1], sum[2], sum[3]};
    }
}

/* As means over PAIRS pairs. */
static void compare(struct workload *w, struct vector *got, struct vector *want, size_t n)
{
    double *g = (double *)got, *f = (double *)want;

    for (size_t i = 0; i < 4 * n; i++) {
        g[i] /= PAIRS;
        f[i] /= PAIRS;
    }
    workload_compare_f64(w, "force", g, f, 4 * n, 1e-12);
}

static void neighbours_make(struct box *box, int n_box, int side, int x, int y, int z)
{
    for (int k = 0; k < 27; k++) {
        int nx = x + k % 3 - 1, ny = y + k / 3 % 3 - 1, nz = z + k / 9 - 1;
        bool inside = nx >= 0 && nx < side && ny >= 0 && ny < side && nz >= 0;
        int neighbour = (nz * side + ny) * side + nx;

        if (inside && neighbour < n_box && k != 13) /* 13: the box itself */
            box->neighbour[box->n_neighbour++] = neighbour;
    }
}

/* A place inside the box, see PLACES. */
static struct vector place_make(struct workload *w, int x, int y, int z)
{
    struct vector p = {0, x + (double)workload_below(w, PLACES) / PLACES,
                       y + (double)workload_below(w, PLACES) / PLACES,
                       z + (double)workload_below(w, PLACES) / PLACES};

    p.v = (p.x * p.x + p.y * p.y + p.z * p.z) / 2;
    return p;
}

static void space_make(struct workload *w, int n_box, int side, struct box *boxes,
                       struct vector *places, double *charges)
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

/* Of the smallest cube with this many boxes, if they are as many as in the suite; of a row if not. */
static int side_of(int n_box)
{
    int side = 1;

    while (n_box >= SUITE && side * side * side < n_box)
        side++;
    return side;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "boxes",
            .usual = 64,
            .large = SUITE,
            .least = 1,
            .most = 4096,
            .extra = {"--side", "boxes of width and height; 0: 1, or a cube's from 1000 boxes on",
                      0, 0, 16}});
    int n_box = (int)w.size, side = w.extra ? (int)w.extra : side_of(n_box);
    size_t n = (size_t)n_box * PARTICLES;
    struct box *boxes = (struct box *)workload_alloc(n_box * sizeof *boxes);
    struct vector *places = (struct vector *)workload_alloc(n * sizeof *places);
    double *charges = (double *)workload_alloc(n * sizeof *charges);
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
