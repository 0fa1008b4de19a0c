/*
 * binomialoptions -- prices European call options by binomial trees
 *
 * suite: SDK
 * stresses: float arithmetic, shared memory, barriers, constant memory
 * papers: buddy
 * kernels: binomial_options
 * size: 64 options
 * large: 64 options
 * odd: 1
 * tiny: 1
 * time: 21 s
 *
 * A block prices one option on a tree of 2048 steps.  A level of the tree lies in global memory:
 * first the payoffs at expiry, then the expected, discounted values 32 steps before, and so on to
 * today's single value.  To go back 32 steps, the block moves a tile of 256 values over the level;
 * the tile lives in two arrays of shared memory, loses a value at its end with every step and is
 * stored 32 values shorter, so tiles overlap by 32.  The paper's launch has 64 blocks of 256
 * threads, and so has this one.
 *
 * The reference uses the same probabilities in double.  A step rounds twice, so that 2048 of them
 * cannot be further off than 4096 * 2^-24 = 0.00025 of the price; the exponential functions of the
 * payoffs add less than 0.00001.
 */
#include "workload.h"

enum {
    STEPS = 2048, /* of the tree */
    CACHE = 256,  /* values of a tile, and threads of a block */
    DELTA = 32,   /* steps that a tile goes back before it is stored; divides STEPS */
    STRIDE = CACHE - DELTA,
    PITCH = STEPS + 32, /* of the levels in global memory; each starts at a whole line */
    MAX_OPTIONS = 512,
};

struct option {
    float price, strike;
    float volatility; /* of the logarithm of the price, per step */
    float up, down;   /* discounted probabilities of a step */
};

static __constant__ struct option constant_option[MAX_OPTIONS];

/* What the option is worth at expiry after i of STEPS steps were upwards. */
static __device__ float payoff(const struct option *o, int i)
{
    float gain = o->price * expf(o->volatility * (float)(2 * i - STEPS)) - o->strike;

    return gain > 0 ? gain : 0;
}

__global__ void binomial_options(float *levels, float *value)
{
    __shared__ float a[CACHE + 1], b[CACHE + 1]; /* what is behind the last value does not matter */
    const struct option *o = &constant_option[blockIdx.x];
    float *level = levels + blockIdx.x * PITCH, up = o->up, down = o->down;
    int t = threadIdx.x;

    if (t == 0)
        a[CACHE] = b[CACHE] = 0;
    for (int i = t; i <= STEPS; i += CACHE)
        level[i] = payoff(o, i);
    for (int left = STEPS; left > 0; left -= DELTA)
        for (int base = 0; base < left; base += STRIDE) {
            int last = min(CACHE - 1, left - base);

            __syncthreads();
            if (t <= last)
                a[t] = level[base + t];
            for (int step = 0; step < DELTA; step += 2) {
                __syncthreads();
                b[t] = up * a[t + 1] + down * a[t];
                __syncthreads();
                a[t] = up * b[t + 1] + down * b[t];
            }
            __syncthreads();
            if (t <= last - DELTA)
                level[base + t] = a[t];
        }
    if (t == 0)
        value[blockIdx.x] = a[0];
}

static void price_gpu(const struct option *option, int n, float *value)
{
    float *d_levels, *d_value;

    CUDA(cudaMalloc((void **)&d_levels, (size_t)n * PITCH * sizeof *d_levels));
    CUDA(cudaMalloc((void **)&d_value, n * sizeof *d_value));
    CUDA(cudaMemcpyToSymbol(constant_option, option, n * sizeof *option));
    binomial_options<<<n, CACHE>>>(d_levels, d_value);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(value, d_value, n * sizeof *value, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_levels));
    CUDA(cudaFree(d_value));
}

/* The reference: the whole tree in one array, in double. */
static double price_cpu(const struct option *o)
{
    double level[STEPS + 1];

    for (int i = 0; i <= STEPS; i++)
        level[i] = fmax(0, o->price * exp((double)o->volatility * (2 * i - STEPS)) - o->strike);
    for (int left = STEPS; left > 0; left--)
        for (int i = 0; i < left; i++)
            level[i] = o->up * level[i + 1] + o->down * level[i];
    return level[0];
}

/* A random option; the tree is that of Cox, Ross and Rubinstein (1979). */
static struct option option_make(struct workload *w)
{
    struct option o = {workload_float(w, 5, 30), workload_float(w, 1, 40), 0, 0, 0};
    double years = workload_float(w, 0.25f, 10), step = years / STEPS;
    double interest = workload_float(w, 0.02f, 0.08f), volatility = workload_float(w, 0.1f, 0.4f);
    double growth = exp(interest * step), rise = exp(volatility * sqrt(step));
    double probability = (growth - 1 / rise) / (rise - 1 / rise);

    o.volatility = (float)(volatility * sqrt(step));
    o.up = (float)(probability / growth);
    o.down = (float)((1 - probability) / growth);
    return o;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "options", .usual = 64, .large = 64, .least = 1, .most = MAX_OPTIONS});
    int n = (int)w.size;
    struct option option[MAX_OPTIONS];
    float got[MAX_OPTIONS], want[MAX_OPTIONS];

    for (int i = 0; i < n; i++)
        option[i] = option_make(&w);
    price_gpu(option, n, got);
    for (int i = 0; i < n; i++)
        want[i] = (float)price_cpu(&option[i]);
    workload_compare_f32(&w, "value", got, want, n, 3e-4f);
    return workload_end(&w);
}
