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
 * mix: 128
 * time: 9.5 s
 *
 * Heat flows between the cells of a chip and to the air above it while each cell is fed its power
 * (the thermal model of Skadron et al., ISCA 2003), in explicit Euler steps.  A block of 16 x 16
 * threads does 2 steps per launch without asking other blocks: it loads power and temperatures with
 * a border of 2 cells around its own 12 x 12, and with each step one ring of threads has nothing
 * valid to compute any more (a pyramid in time).  At the edge of the chip a cell is its own
 * neighbour.
 *
 * Block, pyramid and chip are Rodinia's, 43 x 43 blocks a launch; STEPS steps are made.  As there,
 * every thread divides to get the step's coefficients, looks up how far its block reaches beyond
 * the chip, and computes a step in double, if from temperatures that are float.
 */
#include "workload.h"

#define BLOCK 16
#define DEPTH 2        /* steps of one launch */
#define STEPS 8        /* a multiple of that */
#define AMBIENT 353.0f /* K */

/* The material: J/K of a cell, K/W to its neighbours and to the air; and the time of a step, s. */
struct heat {
    float capacity, across, down, up, step;
};

/* The cells first..last of a block's row or column of cells that are on the chip. */
struct valid {
    int first, last;
};

/* Of a block whose first cell is this one of n. */
__device__ static struct valid valid_cells(int at, int n)
{
    int beyond = at + BLOCK - n; /* cells after the last one */

    return (struct valid){at < 0 ? -at : 0, beyond > 0 ? BLOCK - 1 - beyond : BLOCK - 1};
}

__device__ static bool within(int i, int first, int last)
{
    return i >= first && i <= last;
}

/* `steps` steps, at least one; a block has a border of as many cells. */
__global__ void hotspot_steps(const float *power, const float *from, float *to, int width,
                              int height, int steps, struct heat heat)
{
    __shared__ float t[BLOCK][BLOCK], watts[BLOCK][BLOCK], next[BLOCK][BLOCK];
    float per_joule = heat.step / heat.capacity;
    float across = 1 / heat.across, down = 1 / heat.down, up = 1 / heat.up;
    int inner = BLOCK - 2 * steps, i = threadIdx.x, j = threadIdx.y;
    int left = inner * (int)blockIdx.x - steps, top = inner * (int)blockIdx.y - steps;
    int x = left + i, y = top + j, cell = width * y + x;
    bool computed; /* by the last step */

    if (within(x, 0, width - 1) && within(y, 0, height - 1)) {
        t[j][i] = from[cell];
        watts[j][i] = power[cell];
    }
    __syncthreads();

    struct valid columns = valid_cells(left, width), rows = valid_cells(top, height);
    int west = max(i - 1, columns.first), east = min(i + 1, columns.last);
    int north = max(j - 1, rows.first), south = min(j + 1, rows.last);

    for (int s = 0; s < steps; s++) {
        computed = false;
        if (within(i, s + 1, BLOCK - 2 - s) && within(j, s + 1, BLOCK - 2 - s) &&
            within(i, columns.first, columns.last) && within(j, rows.first, rows.last)) {
            computed = true;
            next[j][i] = t[j][i] + per_joule * (watts[j][i] +
                                                (t[south][i] + t[north][i] - 2.0 * t[j][i]) * down +
                                                (t[j][east] + t[j][west] - 2.0 * t[j][i]) * across +
                                                (AMBIENT - t[j][i]) * up);
        }
        __syncthreads(); /* all have read */
        if (s == steps - 1)
            break;
        if (computed)
            t[j][i] = next[j][i];
        __syncthreads(); /* all have written */
    }
    if (computed)
        to[cell] = next[j][i];
}

/*
 * A silicon chip of 0.5 mm with square cells of 1/32 mm: conductivity 100 W/(m K), heat capacity
 * 1.75e6 J/(m^3 K), half of it effective, as the model's authors have it; steps of 0.15 us.
 * All four weights together are below 1, so that a step averages and no error grows.
 */
static struct heat chip(void)
{
    double side = 1e-3 / 32, thick = 0.5e-3, conductivity = 100;
    struct heat heat;

    heat.capacity = (float)(0.5 * 1.75e6 * thick * side * side);
    heat.across = heat.down = (float)(1 / (2 * conductivity * thick));
    heat.up = (float)(thick / (conductivity * side * side));
    heat.step = 0.15e-6f;
    return heat;
}

static void heat_on_gpu(const float *power, float *temp, int n, struct heat heat)
{
    size_t bytes = (size_t)n * n * sizeof(float);
    const int inner = BLOCK - 2 * DEPTH; /* cells of a block */
    dim3 block(BLOCK, BLOCK), grid((n + inner - 1) / inner, (n + inner - 1) / inner);
    float *d_power = (float *)workload_upload(power, bytes);
    float *from = (float *)workload_upload(temp, bytes), *to, *swap;

    CUDA(cudaMalloc((void **)&to, bytes));
    for (int done = 0; done < STEPS; done += DEPTH) {
        hotspot_steps<<<grid, block>>>(d_power, from, to, n, n, DEPTH, heat);
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

            double watts = power[y * n + x] + (west + east - 2 * *c) / heat.across +
                           (north + south - 2 * *c) / heat.down + (AMBIENT - *c) / heat.up;

            to[y * n + x] = *c + watts * heat.step / heat.capacity;
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
     * With u = 2^-24: a step's result is rounded to a float: u.  The sums of two neighbours are too,
     * times weights that are well below 1/4: another u.  The coefficients are off by some u, which
     * concerns only what a step adds, a fraction of the temperature: less than u.  A step does not
     * enlarge the errors of the one before.  One more: want is rounded to a float.
     */
    workload_compare_f32(&w, "temperature", got, want, n_cell, (3 * STEPS + 1) / 16777216.0f);
    free(power);
    free(got);
    free(want);
    return workload_end(&w);
}
