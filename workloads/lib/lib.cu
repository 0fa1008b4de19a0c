/*
 * lib -- prices a portfolio of swaptions by Monte Carlo in the LIBOR market model, with Greeks
 *
 * suite: ISPASS
 * stresses: local memory (arrays of rates per thread), constant memory, exponentials and divisions
 * papers: buddy, gates, amoeba
 * kernels: lib_portfolio, lib_greeks
 * size: 4096 paths
 * large: 4096 paths
 * odd: 31
 * tiny: 1
 * mix: 128 --steps 40
 * time: 15.1 s
 *
 * A thread simulates one path of 60 forward rates over 20 time steps and values 15 swaptions on
 * it.  lib_portfolio does only that, in an array of rates in local memory; lib_greeks keeps all
 * rates of all steps (13 KB of local memory a thread) and goes back through them with the adjoint
 * (Giles and Glasserman, "Smoking adjoints"), for the value's derivative by every rate of today.
 * What leaves the kernel is their sum, the change if the curve shifts by one percent.
 *
 * Two launches of 64 blocks of 64 threads, the arrays and the arithmetic, part of which is double
 * for its constants, are the original's.  It has 80 rates and 40 steps, --steps 40, which take twice
 * as long; draws of the normal distribution are ours, in the original all are 0.3.
 *
 * The CPU has the derivative by the tangent instead, forwards and in double.  A derivative jumps
 * where a swaption begins to be worth something: paths with one close to that are drawn again.
 */
#include "workload.h"

enum {
    STEPS = 40,   /* at most; a rate is fixed at each */
    PERIODS = 40, /* of the longest swap: the rates that are left then */
    RATES = STEPS + PERIODS,
    OPTIONS = 15,
    NOTIONAL = 100,
    BLOCK = 64,
    GRID = 64, /* blocks at most */
};

static const float PERCENT = 0.01f;

struct market {
    int n_rate, n_step, n_option;
    float period;             /* years that one rate is for */
    float rate[RATES];        /* of today */
    float volatility[RATES];  /* by the periods until the rate is fixed */
    int n_period[OPTIONS];    /* of the swap */
    float swap_rate[OPTIONS]; /* fixed, against which the rates are swapped */
};

static __constant__ struct market market;

/*
 * One time step of the rates that are not fixed yet, under the spot measure; `after`, if there is
 * one, gets them too.
 */
static __device__ __forceinline__ void rates_step(float *rate, int step, float normal, float *after)
{
    const float period = market.period;
    float noise = sqrtf(period) * normal, drift = 0;

    for (int i = step + 1; i < market.n_rate; i++) {
        float volatility = market.volatility[i - step - 1], weight = period * volatility;

        drift += __fdividef(weight * rate[i], 1 + period * rate[i]);
        rate[i] *= __expf((float)(weight * drift + volatility * (noise - 0.5 * weight)));
        if (after)
            after[i] = rate[i];
    }
}

static __device__ float discount(const float *rate)
{
    float bond = 1;

    for (int i = 0; i < market.n_step; i++)
        bond = __fdividef(bond, 1 + market.period * rate[i]);
    return bond;
}

/* After the last step: bonds that end with each rate, and annuities that pay until then. */
static __device__ void bonds_price(const float *rate, float *bond, float *annuity)
{
    float b = 1, a = 0;

    for (int i = 0; i < market.n_rate - market.n_step; i++) {
        b = __fdividef(b, 1 + market.period * rate[market.n_step + i]);
        a += market.period * b;
        bond[i] = b;
        annuity[i] = a;
    }
}

static __device__ float swaption_value(const float *bond, const float *annuity, int option)
{
    int last = market.n_period[option] - 1;

    return NOTIONAL * (1 - bond[last] - market.swap_rate[option] * annuity[last]);
}

static __device__ float portfolio_value(const float *rate)
{
    float bond[PERIODS], annuity[PERIODS], value = 0;

    bonds_price(rate, bond, annuity);
    for (int o = 0; o < market.n_option; o++) {
        float v = swaption_value(bond, annuity, o);

        if (v > 0)
            value += v;
    }
    return value * discount(rate);
}

/* `normal`: [n_step][n_path] */
__global__ void lib_portfolio(const float *normal, float *value, int n_path)
{
    float rate[RATES];
    int thread = blockIdx.x * blockDim.x + threadIdx.x, n_thread = gridDim.x * blockDim.x;

    for (int path = thread; path < n_path; path += n_thread) {
        for (int i = 0; i < market.n_rate; i++)
            rate[i] = market.rate[i];
        for (int step = 0; step < market.n_step; step++)
            rates_step(rate, step, normal[step * n_path + path], NULL);
        value[path] = portfolio_value(rate);
    }
}

/* The portfolio's value; its derivative by each rate at the last step takes the rate's place. */
static __device__ float portfolio_adjoint(float *rate)
{
    float bond[PERIODS], annuity[PERIODS];
    float bond_bar[PERIODS], annuity_bar[PERIODS];
    const float period = market.period, today = discount(rate);
    const int n_period = market.n_rate - market.n_step;
    float value = 0, carry = 0, coupons = 0;

    bonds_price(rate, bond, annuity);
    for (int i = 0; i < n_period; i++)
        bond_bar[i] = annuity_bar[i] = 0;
    for (int o = 0; o < market.n_option; o++) {
        float v = swaption_value(bond, annuity, o);
        int last = market.n_period[o] - 1;

        if (v > 0) {
            value += v;
            bond_bar[last] -= NOTIONAL * today;
            annuity_bar[last] -= NOTIONAL * today * market.swap_rate[o];
        }
    }
    value *= today;
    for (int i = n_period - 1; i >= 0; i--) {
        float *r = &rate[market.n_step + i], growth = 1 + period * *r;

        coupons += annuity_bar[i];
        carry = __fdividef(carry + bond_bar[i] + period * coupons, growth);
        *r = -period * bond[i] * carry;
    }
    for (int i = 0; i < market.n_step; i++)
        rate[i] = __fdividef(-period * value, 1 + period * rate[i]);
    return value;
}

/*
 * One time step back: `bar`, derivatives by the rates after the step, become those by the rates
 * before it.  `before` and `after` are the rates themselves.
 */
static __device__ void rates_step_adjoint(float *bar, const float *before, const float *after,
                                          int step)
{
    const float period = market.period;
    float drift_bar = 0;

    for (int i = market.n_rate - 1; i > step; i--) {
        float volatility = market.volatility[i - step - 1];
        float slope = __fdividef(period, 1 + period * before[i]);

        drift_bar += volatility * after[i] * bar[i];
        bar[i] = bar[i] * __fdividef(after[i], before[i]) + drift_bar * volatility * slope * slope;
    }
}

__global__ void lib_greeks(const float *normal, float *value, float *delta, int n_path)
{
    float rate[RATES], history[(STEPS + 1) * RATES];
    int thread = blockIdx.x * blockDim.x + threadIdx.x, n_thread = gridDim.x * blockDim.x;

    for (int path = thread; path < n_path; path += n_thread) {
        float sum = 0;

        for (int i = 0; i < market.n_rate; i++)
            history[i] = rate[i] = market.rate[i];
        for (int step = 0; step < market.n_step; step++)
            rates_step(rate, step, normal[step * n_path + path], history + (step + 1) * RATES);
        value[path] = portfolio_adjoint(rate);
        for (int step = market.n_step - 1; step >= 0; step--)
            rates_step_adjoint(rate, history + step * RATES, history + (step + 1) * RATES, step);
        for (int i = 0; i < market.n_rate; i++)
            sum += rate[i];
        delta[path] = sum * PERCENT;
    }
}

struct result {
    float *portfolio;     /* of lib_portfolio, by path */
    float *value, *delta; /* of lib_greeks */
};

static void price_gpu(const struct market *m, const float *normal, int n_path, struct result r)
{
    const int blocks = (n_path + BLOCK - 1) / BLOCK, grid = blocks < GRID ? blocks : GRID;
    size_t bytes = n_path * sizeof *normal;
    float *d_normal = (float *)workload_upload(normal, m->n_step * bytes), *d_value, *d_delta;

    CUDA(cudaMalloc((void **)&d_value, bytes));
    CUDA(cudaMalloc((void **)&d_delta, bytes));
    CUDA(cudaMemcpyToSymbol(market, m, sizeof *m));
    lib_portfolio<<<grid, BLOCK>>>(d_normal, d_value, n_path);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(r.portfolio, d_value, bytes, cudaMemcpyDeviceToHost));
    lib_greeks<<<grid, BLOCK>>>(d_normal, d_value, d_delta, n_path);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(r.value, d_value, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.delta, d_delta, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_normal));
    CUDA(cudaFree(d_value));
    CUDA(cudaFree(d_delta));
}

/* A number and its derivative by a parallel shift of today's rates. */
struct dual {
    double v, d;
};

static struct dual bond_cpu(struct dual bond, struct dual rate, double period)
{
    double growth = 1 + period * rate.v;

    return (struct dual){bond.v / growth, (bond.d - bond.v / growth * period * rate.d) / growth};
}

static void rates_cpu(const struct market *m, const float *normal, struct dual *rate)
{
    for (int i = 0; i < m->n_rate; i++)
        rate[i] = (struct dual){m->rate[i], 1};
    for (int step = 0; step < m->n_step; step++) {
        struct dual drift = {0, 0};

        for (int i = step + 1; i < m->n_rate; i++) {
            double volatility = m->volatility[i - step - 1], weight = m->period * volatility;
            double growth = 1 + m->period * rate[i].v, factor;

            drift.v += weight * rate[i].v / growth;
            drift.d += weight * rate[i].d / (growth * growth);
            factor =
                exp(weight * drift.v + volatility * (sqrt(m->period) * normal[step] - weight / 2));
            rate[i].d = factor * (rate[i].d + rate[i].v * weight * drift.d);
            rate[i].v *= factor;
        }
    }
}

/* *margin: how close a swaption of the portfolio comes to being worth nothing. */
static struct dual portfolio_cpu(const struct market *m, const float *normal, double *margin)
{
    struct dual rate[RATES], value = {0, 0}, bond = {1, 0}, today = {1, 0}, annuity = {0, 0};

    *margin = NOTIONAL;
    rates_cpu(m, normal, rate);
    for (int i = 0; i < m->n_step; i++)
        today = bond_cpu(today, rate[i], m->period);
    for (int i = m->n_step; i < m->n_rate; i++) {
        bond = bond_cpu(bond, rate[i], m->period);
        annuity.v += m->period * bond.v;
        annuity.d += m->period * bond.d;
        for (int o = 0; o < OPTIONS; o++) {
            double v = NOTIONAL * (1 - bond.v - m->swap_rate[o] * annuity.v);

            if (m->n_period[o] - 1 != i - m->n_step)
                continue;
            *margin = fmin(*margin, fabs(v));
            value.v += v > 0 ? v : 0;
            value.d += v > 0 ? NOTIONAL * (-bond.d - m->swap_rate[o] * annuity.d) : 0;
        }
    }
    return (struct dual){value.v * today.v, value.d * today.v + value.v * today.d};
}

static float normal_draw(struct workload *w)
{
    float u = workload_float(w, 1.0f / (1 << 24), 1), v = workload_float(w, 0, 1);

    return sqrtf(-2 * logf(u)) * cosf(6.2831853f * v); /* Box and Muller */
}

/* The normals of every path and what is right for them. */
static void paths_make(struct workload *w, const struct market *m, float *normal, int n_path,
                       struct result want)
{
    const double near_money = 0.01;

    for (int path = 0; path < n_path; path++) {
        float n[STEPS];
        struct dual value;
        double margin;

        do {
            for (int step = 0; step < m->n_step; step++)
                n[step] = normal_draw(w);
            value = portfolio_cpu(m, n, &margin);
        } while (margin < near_money);
        for (int step = 0; step < m->n_step; step++)
            normal[(size_t)step * n_path + path] = n[step];
        want.portfolio[path] = want.value[path] = (float)value.v;
        want.delta[path] = (float)(value.d * PERCENT);
    }
}

static struct market market_make(struct workload *w, int n_step)
{
    static const int n_period[OPTIONS / 3] = {4, 8, 20, 28, PERIODS};
    struct market m = {n_step + PERIODS, n_step, OPTIONS, 0.25f, {0}, {0}, {0}, {0}};

    for (int i = 0; i < m.n_rate; i++) {
        m.rate[i] = workload_float(w, 0.045f, 0.055f);
        m.volatility[i] = workload_float(w, 0.15f, 0.25f);
    }
    for (int o = 0; o < OPTIONS; o++) {
        m.n_period[o] = n_period[o / 3];
        m.swap_rate[o] = 0.045f + 0.005f * (o % 3);
    }
    return m;
}

static struct result result_make(int n_path)
{
    size_t bytes = n_path * sizeof(float);

    return (struct result){(float *)workload_alloc(bytes), (float *)workload_alloc(bytes),
                           (float *)workload_alloc(bytes)};
}

static void result_free(struct result r)
{
    free(r.portfolio);
    free(r.value);
    free(r.delta);
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){
                           .unit = "paths",
                           .usual = 4096,
                           .large = 4096,
                           .least = 1,
                           .most = 1 << 18,
                           .extra = {"--steps", "time steps; rates are 40 more", 20, 1, STEPS}});
    int n_path = (int)w.size;
    struct market m = market_make(&w, (int)w.extra);
    float *normal = (float *)workload_alloc((size_t)n_path * m.n_step * sizeof *normal);
    struct result got = result_make(n_path), want = result_make(n_path);

    /*
     * A bond is the quotient of up to 40 divisions that are off by up to 2^-23 each, one way or the
     * other: by sqrt(40) times that, 7e-7, which 15 swaptions on 100 have in common.  Half of them
     * are worth something, and most are shorter.
     */
    const float tolerance = 7e-7f * OPTIONS * NOTIONAL / 2;

    paths_make(&w, &m, normal, n_path, want);
    price_gpu(&m, normal, n_path, got);
    workload_compare_f32(&w, "portfolio", got.portfolio, want.portfolio, n_path, tolerance);
    workload_compare_f32(&w, "value", got.value, want.value, n_path, tolerance);
    workload_compare_f32(&w, "delta", got.delta, want.delta, n_path, 2e-4f);

    free(normal);
    result_free(got);
    result_free(want);
    return workload_end(&w);
}
