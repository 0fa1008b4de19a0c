/*
 * blackscholes -- prices European options by the formula of Black and Scholes
 *
 * suite: SDK
 * stresses: streaming loads and stores, floating point, special functions
 * papers: buddy
 * kernels: blackscholes_price
 * size: 4000000 options
 * large: 4000000 options
 * odd: 10007
 * tiny: 2003
 * time: 7.3 s
 *
 * A call and a put price from each option's stock price, strike price and years to maturity; one
 * interest rate and one volatility for all.  480 blocks of 128 threads walk over the options in
 * rounds.  The cumulative normal distribution is the polynomial of Abramowitz and Stegun, 26.2.17.
 * As in the SDK, the hardware's fast logarithm, exponential and division are used, so that
 * memory, not arithmetic, is what many SMs wait for.
 *
 * The launch and the number of options are those of Table II of the Buddy SM paper.
 */
#include "workload.h"

#define THREADS 128
#define BLOCKS 480
#define RATE 0.02f
#define VOLATILITY 0.30f

/* P(X < d) of a normal X, within 7.5e-8; the polynomial is made for d >= 0. */
__device__ static float normal_below(float d)
{
    float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * __expf(-0.5f * d * d) * k *
                 (0.319381530f + k * (-0.356563782f +
                                      k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));

    return d > 0 ? 1.0f - tail : tail;
}

__global__ void blackscholes_price(const float *stock, const float *strike, const float *years,
                                   float *call, float *put, int n, float rate, float volatility)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = stock[i], x = strike[i], t = years[i];
        float spread = volatility * sqrtf(t);
        float growth = (rate + 0.5f * volatility * volatility) * t;
        float d1 = __fdividef(__logf(__fdividef(s, x)) + growth, spread);
        float n1 = normal_below(d1), n2 = normal_below(d1 - spread);
        float today = x * __expf(-rate * t);

        call[i] = s * n1 - today * n2;
        put[i] = today * (1.0f - n2) - s * (1.0f - n1);
    }
}

struct options {
    float *stock, *strike, *years, *call, *put;
    int n;
};

static void price_on_gpu(const struct options *o)
{
    size_t bytes = o->n * sizeof(float);
    float *stock = (float *)workload_upload(o->stock, bytes), *call;
    float *strike = (float *)workload_upload(o->strike, bytes), *put;
    float *years = (float *)workload_upload(o->years, bytes);

    CUDA(cudaMalloc((void **)&call, bytes));
    CUDA(cudaMalloc((void **)&put, bytes));
    blackscholes_price<<<BLOCKS, THREADS>>>(stock, strike, years, call, put, o->n, RATE,
                                            VOLATILITY);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(o->call, call, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(o->put, put, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(stock));
    CUDA(cudaFree(strike));
    CUDA(cudaFree(years));
    CUDA(cudaFree(call));
    CUDA(cudaFree(put));
}

/*
 * In double, with the C library's error function instead of the polynomial, and the put price from
 * parity: a call less a put is worth the stock less the strike price of today.
 */
static void price_on_cpu(const struct options *o, float *call, float *put)
{
    for (int i = 0; i < o->n; i++) {
        double s = o->stock[i], x = o->strike[i], t = o->years[i];
        double r = RATE, v = VOLATILITY, spread = v * sqrt(t);
        double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / spread, d2 = d1 - spread;
        double today = x * exp(-r * t);
        double worth = s * 0.5 * erfc(-d1 * M_SQRT1_2) - today * 0.5 * erfc(-d2 * M_SQRT1_2);

        call[i] = (float)worth;
        put[i] = (float)(worth - s + today);
    }
}

static struct options make_options(struct workload *w)
{
    struct options o;

    o.n = (int)w->size;
    o.stock = (float *)workload_alloc(o.n * sizeof(float));
    o.strike = (float *)workload_alloc(o.n * sizeof(float));
    o.years = (float *)workload_alloc(o.n * sizeof(float));
    o.call = (float *)workload_alloc(o.n * sizeof(float));
    o.put = (float *)workload_alloc(o.n * sizeof(float));
    for (int i = 0; i < o.n; i++) {
        o.stock[i] = workload_float(w, 5, 30);
        o.strike[i] = workload_float(w, 1, 100);
        o.years[i] = workload_float(w, 0.25f, 10);
    }
    return o;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "options", .usual = 4000000, .large = 4000000, .least = 1, .most = 1 << 25});
    struct options o = make_options(&w);
    float *call = (float *)workload_alloc(o.n * sizeof(float));
    float *put = (float *)workload_alloc(o.n * sizeof(float));

    price_on_cpu(&o, call, put);
    price_on_gpu(&o);
    /*
     * With u = 2^-24: a price is a difference of two terms, at most stock + strike = 130 together,
     * each a product with a probability N.  The fast logarithm is off by 2 u ln 2 times the binary
     * one (below 7) and 4 u, a division by 4 u; divided by a spread of at least 0.15, that moves d
     * by up to 120 u, and N by 0.4 of it.  The exponentials, inexact only where they are small, and
     * the polynomial add 10 u, the remaining products 5 u.
     */
    float tolerance = 130 * 64 / 16777216.0f;
    workload_compare_f32(&w, "call", o.call, call, o.n, tolerance);
    workload_compare_f32(&w, "put", o.put, put, o.n, tolerance);
    free(o.stock);
    free(o.strike);
    free(o.years);
    free(o.call);
    free(o.put);
    free(call);
    free(put);
    return workload_end(&w);
}
