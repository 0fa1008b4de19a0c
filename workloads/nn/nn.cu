/*
 * nn -- nearest neighbours: the records closest to given places
 *
 * suite: Rodinia
 * stresses: global memory bandwidth, no reuse, square roots
 * papers: socgpu
 * kernels: nn_distance
 * size: 524288 records
 * large: 4194304 records
 * odd: 4099
 * tiny: 1027
 * time: 8.9 s
 *
 * For each place, nn_distance computes the distance to every record, one thread each; the host
 * picks the nearest ten.  Blocks of 256 threads, as in Rodinia; its list of hurricanes has 42764
 * records (--size 42764) and one place is asked for, here PLACES of them one after the other.  (The
 * NN of the gates paper is another program, a neural network.)
 *
 * Coordinates are multiples of 1/8 degree: square distances are then exact in a float, equal
 * distances are equal on every machine, and the record that comes first wins.
 */
#include "workload.h"

enum { PLACES = 16, NEAREST = 10, BLOCK = 256 };

struct position {
    float latitude, longitude;
};

__global__ void nn_distance(const struct position *record, float *distance, int n,
                            struct position place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float dy = record[i].latitude - place.latitude, dx = record[i].longitude - place.longitude;

    distance[i] = sqrtf(dy * dy + dx * dx);
}

/* The places in the list of the nearest are filled by insertion; `nearest` is in order. */
static void pick(const float *distance, int n, int *nearest)
{
    int n_picked = 0;

    for (int i = 0; i < n; i++) {
        int at = n_picked;

        if (at == NEAREST && distance[i] >= distance[nearest[at - 1]])
            continue;
        if (at == NEAREST)
            at--; /* the last one drops out */
        else
            n_picked++;
        for (; at > 0 && distance[i] < distance[nearest[at - 1]]; at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = i;
    }
}

/* The reference: each time the least of those that come after the last one found. */
static void pick_cpu(const double *distance, int n, int *nearest)
{
    int last = -1;

    for (int k = 0; k < NEAREST && k < n; k++) {
        int best = -1;

        for (int i = 0; i < n; i++) {
            bool after = last < 0 || distance[i] > distance[last] ||
                         (distance[i] == distance[last] && i > last);

            if (after && (best < 0 || distance[i] < distance[best]))
                best = i;
        }
        nearest[k] = last = best;
    }
}

static void distances_cpu(const struct position *record, double *distance, int n,
                          struct position place)
{
    for (int i = 0; i < n; i++) {
        double dy = (double)record[i].latitude - place.latitude;
        double dx = (double)record[i].longitude - place.longitude;

        distance[i] = sqrt(dy * dy + dx * dx);
    }
}

static struct position position_make(struct workload *w)
{
    struct position p = {(float)((int)workload_below(w, 1441) - 720) / 8,
                         (float)((int)workload_below(w, 2881) - 1440) / 8};

    return p;
}

static void search(struct workload *w, const struct position *record, int n)
{
    struct position *d_record = (struct position *)workload_upload(record, n * sizeof *record);
    float *got = (float *)workload_alloc(n * sizeof *got), *d_distance;
    float *want = (float *)workload_alloc(n * sizeof *want);
    double *exact = (double *)workload_alloc(n * sizeof *exact);

    CUDA(cudaMalloc((void **)&d_distance, n * sizeof *d_distance));
    for (int p = 0; p < PLACES; p++) {
        struct position place = position_make(w);
        int got_nearest[NEAREST] = {0}, want_nearest[NEAREST] = {0};

        nn_distance<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_record, d_distance, n, place);
        CUDA_LAUNCHED();
        CUDA(cudaMemcpy(got, d_distance, n * sizeof *got, cudaMemcpyDeviceToHost));
        pick(got, n, got_nearest);

        distances_cpu(record, exact, n, place);
        pick_cpu(exact, n, want_nearest);
        for (int i = 0; i < n; i++)
            want[i] = (float)exact[i];
        /* Only the root is rounded: correctly, or within 2 ulp if approximated. */
        workload_compare_f32(w, "distance", got, want, n, 2.0f / (1 << 23));
        workload_compare_i32(w, "nearest", got_nearest, want_nearest, NEAREST);
    }
    CUDA(cudaFree(d_record));
    CUDA(cudaFree(d_distance));
    free(got);
    free(want);
    free(exact);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "records", .usual = 524288, .large = 1 << 22, .least = 1, .most = 1 << 24});
    int n = (int)w.size;
    struct position *record = (struct position *)workload_alloc(n * sizeof *record);

    for (int i = 0; i < n; i++)
        record[i] = position_make(&w);
    search(&w, record, n);
    free(record);
    return workload_end(&w);
}
