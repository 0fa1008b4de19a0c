/*
 * hotspot -- temperatures of a chip over time
 *
 * suite: Rodinia
 * stresses: stencil with ghost zones, shared memory, threads that drop out, floating point
 * papers: gates, share, socgpu
 * kernels: hotspot_steps
 * size: 512 rows and columns
 * large: 1024 rows and columns
 * odd: 61
 * tiny: 29
 * time: 8.5 s
 *
 * Heat flows between the cells of a chip and to the air above it while each cell is fed its power
 * (the thermal model of Skadron et al., ISCA 2003), in explicit Euler steps.  A block of 16 x 16
 * threads does 2 steps per launch without asking other blocks: it loads power and temperatures with
 * a border of 2 cells around its own 12 x 12, and with each step one ring of threads has nothing
 * valid to compute any more (a pyramid in time).  At the edge of the chip a cell is its own
 * neighbour.
 *
 * Block, pyramid and chip are Rodinia's, 43 x 43 blocks a launch; STEPS steps are made.
 */
#include "workload.h"

#define BLOCK 16
#define DEPTH 2 /* steps of one launch */
#define INNER (BLOCK - 2 * DEPTH)
#define STEPS 8
#define AMBIENT 353.0f /* K */

/* What a step adds: K per K of difference to a neighbour and to the air, and K per W. */
struct heat {
    float across, down, up, source;
};

/* Beyond the chip, the nearest cell of it stands in. */
__device__ static int cell_index(int x, int y, int n)
{
    return min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1);
}

/* `steps` steps of a chip of n x n cells, at most DEPTH. */
__global__ void hotspot_steps(const float *power, const float *from, float *to, int n, int steps,
                              struct heat heat)
{
    __shared__ float t[BLOCK][BLOCK], watts[BLOCK][BLOCK], next[BLOCK][BLOCK];
    int i = threadIdx.x, j = threadIdx.y;
    int x = (int)blockIdx.x * INNER + i - DEPTH, y = (int)blockIdx.y * INNER + j - DEPTH;
    bool on_chip = x >= 0 && x < n && y >= 0 && y < n;
    int west = max(i - (x > 0), 0), east = min(i + (x < n - 1), BLOCK - 1);
    int north = max(j - (y > 0), 0), south = min(j + (y < n - 1), BLOCK - 1);
    int cell = cell_index(x, y, n);

    t[j][i] = from[cell];
    watts[j][i] = power[cell];
    __syncthreads();
    for (int s = 1; s <= steps; s++) {
        bool valid = on_chip && i >= s && i < BLOCK - s && j >= s && j < BLOCK - s;

        if (valid) {
            float c = t[j][i];

            next[j][i] =
                c + heat.source * watts[j][i] + heat.across * (t[j][west] + t[j][east] - 2.0f * c) +
                heat.down * (t[north][i] + t[south][i] - 2.0f * c) + heat.up * (AMBIENT - c);
        }
        __syncthreads(); /* all have read */
        if (valid)
            t[j][i] = next[j][i];
        __syncthreads(); /* all have written */
    }
    if (on_chip && i >= DEPTH && i < BLOCK - DEPTH && j >= DEPTH && j < BLOCK - DEPTH)
        to[y * n + x] = t[j][i];
}

/*
 * A silicon chip of 0.5 mm with square cells of 1/32 mm: conductivity 100 W/(m K), heat capacity
 * 1.75e6 J/(m^3 K), half of it effective, as the model's authors have it; steps of 0.15 us.
 * All four weights together are below 1, so that a step averages and no error grows.
 */
static struct heat chip(void)
{
    double side = 1e-3 / 32, thick = 0.5e-3, conductivity = 100, step = 0.15e-6;
    double capacity = 0.5 * 1.75e6 * thick * side * side; /* J/K */
    double lateral = 2 * conductivity * thick;            /* W/K to a neighbour */
    double vertical = conductivity * side * side / thick; /* W/K to the air */
    struct heat heat;

    heat.across = heat.down = (float)(step / capacity * lateral);
    heat.up = (float)(step / capacity * vertical);
    heat.source = (float)(step / capacity);
    return heat;
}

static void heat_on_gpu(const float *power, float *temp, int n, struct heat heat)
{
    size_t bytes = (size_t)n * n * sizeof(float);
    dim3 block(BLOCK, BLOCK), grid((n + INNER - 1) / INNER, (n + INNER - 1) / INNER);
    float *d_power = (float *)workload_upload(power, bytes);
    float *from = (float *)workload_upload(temp, bytes), *to, *swap;

    CUDA(cudaMalloc((void **)&to, bytes));
    for (int done = 0; done < STEPS; done += DEPTH) {
        int steps = STEPS - done < DEPTH ? STEPS - done : DEPTH;

        hotspot_steps<<<grid, block>>>(d_power, from, to, n, steps, heat);
        CUDA_LAUNCHED();
        swap = from;
        from = to;
        to = swap;
    }
    CUDA(cudaMemcpy(temp, from, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_power));
    CUDA(cudaFree(from));
    CUDA(cudaFree(to));
}

/* One step over the whole chip, from its definition. */
static void step_on_cpu(const float *power, const double *from, double *to, int n, struct heat heat)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            const double *c = from + (size_t)y * n + x;
            double west = x > 0 ? c[-1] : *c, east = x < n - 1 ? c[1] : *c;
            double north = y > 0 ? c[-n] : *c, south = y < n - 1 ? c[n] : *c;

            to[y * n + x] = *c + heat.source * power[y * n + x] +
                            heat.across * (west + east - 2 * *c) +
                            heat.down * (north + south - 2 * *c) + heat.up * (AMBIENT - *c);
        }
}

static void heat_on_cpu(const float *power, float *temp, int n, struct heat heat)
{
    size_t n_cell = (size_t)n * n;
    double *from = (double *)workload_alloc(n_cell * sizeof(double));
    double *to = (double *)workload_alloc(n_cell * sizeof(double)), *swap;

    for (size_t i = 0; i < n_cell; i++)
        from[i] = temp[i];
    for (int s = 0; s < STEPS; s++) {
        step_on_cpu(power, from, to, n, heat);
        swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < n_cell; i++)
        temp[i] = (float)from[i];
    free(from);
    free(to);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 512, .large = 1024, .least = 1, .most = 4096});
    int n = (int)w.size;
    size_t n_cell = (size_t)n * n;
    float *power = (float *)workload_alloc(n_cell * sizeof(float));
    float *got = (float *)workload_alloc(n_cell * sizeof(float));
    float *want = (float *)workload_alloc(n_cell * sizeof(float));

    for (size_t i = 0; i < n_cell; i++) {
        power[i] = workload_float(&w, 0, 3e-3f);
        want[i] = got[i] = workload_float(&w, 320, 345);
    }
    heat_on_cpu(power, want, n, chip());
    heat_on_gpu(power, got, n, chip());
    /*
     * With u = 2^-24: the largest terms of a step's sum are as large as the result, and it has four
     * additions to it: 4 u.  The sums of neighbours round by as much again, times weights that are
     * well below 1/4: another u.  A step does not enlarge the errors of the one before.
     * One more: want is rounded to a float.
     */
    workload_compare_f32(&w, "temperature", got, want, n_cell, (5 * STEPS + 1) / 16777216.0f);
    free(power);
    free(got);
    free(want);
    return workload_end(&w);
}
