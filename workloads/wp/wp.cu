/*
 * wp -- cloud microphysics of a weather model: vapour, cloud water, cloud ice, rain and snow
 *
 * suite: ISPASS
 * stresses: local memory, registers, exp, log, pow and sqrt, divergence by temperature and moisture
 * papers: gates, amoeba
 * kernels: wp_microphysics
 * size: 72 columns of air from west to east
 * large: 72 columns of air from west to east
 * odd: 11
 * tiny: 4
 * time: 9.3 s
 *
 * After the single-moment scheme with five classes of water of Hong, Dudhia and Chen (2004).  A
 * thread has one column of 27 levels.  In each of two time steps it looks at all of them and keeps
 * what it finds - vapour at saturation, sizes of drops and powers of these, factors of speeds - in
 * arrays of its own, by level, in local memory, as the original does with some twenty; lets rain and
 * snow fall, in as many sub-steps as the fastest needs; and then goes through the levels: melting
 * and freezing, growth of rain, ice and snow, and condensation.  One launch, of blocks of 8 x 8
 * threads, so that a warp has four rows of eight columns; 72 x 64 columns make the suite's grid of
 * 9 x 8.
 *
 * CPU and GPU share the formulas, as a template: the CPU's are in double.  Nearly all of them are
 * continuous where a branch begins.  Where one is not, `exceeds` notes how close the decision was,
 * and columns with a close one are drawn again.
 */
#include "workload.h"

enum {
    LEVELS = 27,
    STEPS = 2,
    BLOCK_X = 8,
    BLOCK_Y = 8,
};

static const float STEP_S = 90;

/* Classes of water, in kg per kg of air. */
enum { VAPOUR, CLOUD, ICE, RAIN, SNOW, CLASSES };

/* A column of air, from the ground up; one level is `stride` elements from the next. */
template <class real> struct column {
    real *t; /* K */
    real *q[CLASSES];
    const real *p, *density, *thickness; /* Pa, kg/m3, m */
    int stride;
};

/* Of one kind of drops, by level: a length (see drop_size), powers of it, and how fast they fall. */
template <class real> struct sizes {
    real size[LEVELS], square[LEVELS], cube[LEVELS];
    real power[LEVELS]; /* to the speed_power of these drops */
    real speed[LEVELS]; /* m/s */
};

/* What is known of a column's levels before anything happens to them in a step. */
template <class real> struct profile {
    real over_water[LEVELS], over_ice[LEVELS]; /* vapour at saturation */
    real on_water[LEVELS], on_ice[LEVELS];     /* the vapour that there is, by that */
    real thin[LEVELS], flakes[LEVELS];         /* factors of speeds, and of the number of flakes */
    struct sizes<real> rain, snow;
};

/* What falls on the ground, in kg/m2. */
template <class real> struct fallen {
    real rain, snow;
};

/* Of one kind of drops: what a power of the slope of their size distribution is multiplied by. */
struct drops {
    float mass;  /* slope^4 density q */
    float speed; /* m/s, with slope^-speed_power */
    float speed_power;
    float accretion;         /* of cloud water */
    float still, ventilated; /* exchange of vapour: diffusion, and that by the drops' fall */
    float max_slope;         /* 1/m */
};

struct physics {
    struct drops rain, snow;
    float cloud_limit; /* kg/m3 of cloud water, above which it turns into rain */
    float autoconversion;
};

static __constant__ struct physics constant_physics;

static const float MELTING = 273.15f, TRIPLE = 273.16f, TRIPLE_PA = 610.78f; /* K, Pa */
static const float AIR_GAS = 287, VAPOUR_GAS = 461.6f, HEAT = 1004.5f;       /* J/(kg K) */
static const float VAPOUR_HEAT = 1846, WATER_HEAT = 4190, ICE_HEAT = 2106;   /* J/(kg K) */
static const float EVAPORATION = 2.5e6f, SUBLIMATION = 2.85e6f;              /* J/kg */
static const float FUSION = 3.5e5f;
static const float DENSITY_0 = 1.28f, WATER_DENSITY = 1000, SNOW_DENSITY = 100;
static const float PI = 3.14159265f, GRAVITY = 9.81f;
static const float SNOW_NUMBER = 2e6f, RAIN_NUMBER = 8e6f, CLOUD_NUMBER = 3e8f; /* m-4, m-4, m-3 */
static const float LEAST = 1e-9f; /* water that is worth anything, kg/kg */

/* ---- formulas, for both */

template <class real> static __host__ __device__ real least(real a, real b)
{
    return a < b ? a : b;
}

template <class real> static __host__ __device__ real most(real a, real b)
{
    return a > b ? a : b;
}

/* x > limit; *margin: how close such decisions came, by a scale for x. */
template <class real>
static __host__ __device__ bool exceeds(real x, real limit, real scale, real *margin)
{
    *margin = least(*margin, (real)fabs(x - limit) / scale);
    return x > limit;
}

/* Vapour at saturation over water or, with its latent heat and heat capacity, over ice. */
template <class real>
static __host__ __device__ real saturation(real t, real p, real latent, real heat)
{
    real a = -(VAPOUR_HEAT - heat) / VAPOUR_GAS, b = a + latent / (VAPOUR_GAS * TRIPLE);
    real ratio = TRIPLE / t;
    real pressure = TRIPLE_PA * exp(log(ratio) * a) * exp(b * (1 - ratio));

    pressure = least(pressure, (real)0.99f * p);
    return (real)0.622f * pressure / (p - pressure);
}

template <class real> static __host__ __device__ real water_saturation(real t, real p)
{
    return saturation(t, p, (real)EVAPORATION, (real)WATER_HEAT);
}

template <class real> static __host__ __device__ real ice_saturation(real t, real p)
{
    return t < TRIPLE ? saturation(t, p, (real)SUBLIMATION, (real)ICE_HEAT)
                      : water_saturation(t, p);
}

/* More and smaller flakes where it is colder. */
template <class real> static __host__ __device__ real flake_factor(real t)
{
    return most(least((real)exp((real)0.12f * (MELTING - t)), (real)5e4f), (real)1);
}

/* One by the slope of the exponential distribution of sizes: a length, in m. */
template <class real>
static __host__ __device__ real drop_size(const struct drops *d, real q, real density, real factor)
{
    real size = sqrt(sqrt(most(q, (real)LEAST) * density / (d->mass * factor)));

    return most(size, 1 / (real)d->max_slope);
}

template <class real>
static __host__ __device__ void size_put(const struct drops *d, real size, struct sizes<real> *to,
                                         int k)
{
    to->size[k] = size;
    to->square[k] = size * size;
    to->cube[k] = size * size * size;
    to->power[k] = pow(size, (real)d->speed_power);
}

template <class real>
static __host__ __device__ void sizes_put(const struct physics *c, real t, real rain, real snow,
                                          real density, struct profile<real> *to, int k)
{
    to->flakes[k] = flake_factor(t);
    size_put(&c->rain, drop_size(&c->rain, rain, density, (real)1), &to->rain, k);
    size_put(&c->snow, drop_size(&c->snow, snow, density, to->flakes[k]), &to->snow, k);
}

/* Ice crystals of mean size: their number by m3, size and speed. */
template <class real> struct crystals {
    real number, size, speed;
};

template <class real>
static __host__ __device__ struct crystals<real> crystals_of(real q, real density) {
    real mass = density * most(q, (real)LEAST);
    struct crystals<real> c;

    c.number = least(most((real)5.38e7f * (real)pow(mass, (real)0.75f), (real)1e3f), (real)1e6f);
    c.size = least((real)11.9f * (real)sqrt(mass / c.number), (real)500e-6f);
    c.speed = (real)1.49e4f * pow(c.size, (real)1.31f);
    return c;
}

/* What vapour meets on its way to a drop: the heat that it brings and how it spreads. */
template <class real>
static __host__ __device__ real resistance(real t, real p, real density, real latent, real vapour)
{
    real viscosity = (real)1.496e-6f * t * sqrt(t) / (t + 120);
    real conductivity = (real)1.414e3f * viscosity;
    real diffusivity = (real)8.794e-5f * (real)exp((real)log(t) * (real)1.81f) / p;

    return latent * latent / (conductivity * VAPOUR_GAS * t * t) +
           1 / (density * vapour * diffusivity);
}

/* How much faster it goes around a falling drop. */
template <class real> static __host__ __device__ real ventilation(real t, real p, real density)
{
    real viscosity = (real)1.496e-6f * t * sqrt(t) / (t + 120) / density;
    real diffusivity = (real)8.794e-5f * (real)exp((real)log(t) * (real)1.81f) / p;

    return exp((real)log(viscosity / diffusivity) / 3) / sqrt(viscosity) *
           sqrt(sqrt(DENSITY_0 / density));
}

template <class real>
static __host__ __device__ real vapour_exchange(const struct drops *d, const struct sizes<real> *s,
                                                int k, real fanned)
{
    return s->square[k] *
           (d->still + d->ventilated * fanned * (real)sqrt(s->size[k] * s->power[k]));
}

/* ---- falling */

/* Levels, one after the other; returns how many sub-steps keep all from falling through a level. */
template <class real>
static __host__ __device__ int column_look(const struct physics *c, struct column<real> a,
                                           struct profile<real> *to, real *margin)
{
    real steps = 1;

    for (int k = 0; k < LEVELS; k++) {
        int i = k * a.stride;

        to->over_water[k] = water_saturation(a.t[i], a.p[i]);
        to->on_water[k] = a.q[VAPOUR][i] / to->over_water[k];
        to->over_ice[k] = ice_saturation(a.t[i], a.p[i]);
        to->on_ice[k] = a.q[VAPOUR][i] / to->over_ice[k];
    }
    for (int k = 0; k < LEVELS; k++) {
        int i = k * a.stride;
        real density = a.density[i], per_m = STEP_S / a.thickness[i];

        to->thin[k] = sqrt(DENSITY_0 / density);
        sizes_put(c, a.t[i], a.q[RAIN][i], a.q[SNOW][i], density, to, k);
        to->rain.speed[k] = to->snow.speed[k] = 0;
        if (a.q[RAIN][i] > LEAST)
            to->rain.speed[k] = c->rain.speed * to->rain.power[k] * to->thin[k];
        if (a.q[SNOW][i] > LEAST)
            to->snow.speed[k] = c->snow.speed * to->snow.power[k] * to->thin[k];
        steps = most(steps, 1 + per_m * most(to->rain.speed[k], to->snow.speed[k]));
    }
    if (steps > (real)1.5f)
        exceeds(steps, (real)(int)(steps + (real)0.5f), (real)1, margin);
    return (int)steps;
}

/* Rain and snow, from the top down. */
template <class real>
static __host__ __device__ void fall(struct column<real> a, const struct profile<real> *of,
                                     real time, struct fallen<real> *f)
{
    real rain_above = 0, snow_above = 0; /* flux from there, kg/(m2 s) */

    for (int k = LEVELS - 1; k >= 0; k--) {
        int i = k * a.stride;
        real mass = a.density[i] * a.thickness[i];
        real rain =
            least(a.density[i] * a.q[RAIN][i] * of->rain.speed[k], mass * a.q[RAIN][i] / time);
        real snow =
            least(a.density[i] * a.q[SNOW][i] * of->snow.speed[k], mass * a.q[SNOW][i] / time);

        a.q[RAIN][i] += (rain_above - rain) * time / mass;
        a.q[SNOW][i] += (snow_above - snow) * time / mass;
        rain_above = rain;
        snow_above = snow;
    }
    f->rain += rain_above * time;
    f->snow += snow_above * time;
}

/* ---- what happens at one level */

template <class real> struct air {
    real t, q[CLASSES], p, density;
};

template <class real> static __host__ __device__ void melt_ice(struct air<real> *a, real amount)
{
    a->q[ICE] -= amount;
    a->q[CLOUD] += amount;
    a->t -= FUSION / HEAT * amount;
}

/* Ice melts at once, snow as fast as heat reaches it. */
template <class real>
static __host__ __device__ void melt(const struct physics *c, const struct profile<real> *of, int k,
                                     struct air<real> *a)
{
    melt_ice(a, a->q[ICE]);
    if (a->q[SNOW] > LEAST) {
        real viscosity = (real)1.496e-6f * a->t * sqrt(a->t) / (a->t + 120);
        real rate = (real)1.414e3f * viscosity / FUSION * (a->t - MELTING) * PI / 2 *
                    of->flakes[k] *
                    vapour_exchange(&c->snow, &of->snow, k, ventilation(a->t, a->p, a->density)) /
                    a->density;
        real amount = least(rate * STEP_S, a->q[SNOW]);

        a->q[SNOW] -= amount;
        a->q[RAIN] += amount;
        a->t -= FUSION / HEAT * amount;
    }
}

/* Below -40 degrees cloud water freezes at once, above it some of the drops that meet a nucleus. */
template <class real>
static __host__ __device__ void freeze(const struct profile<real> *of, int k, struct air<real> *a,
                                       real *margin)
{
    real cold = MELTING - a->t, chance = (real)100 * (exp((real)0.66f * least(cold, (real)50)) - 1);

    if (exceeds(cold, (real)40, (real)1, margin)) {
        melt_ice(a, -a->q[CLOUD]);
    } else if (a->q[CLOUD] > LEAST) {
        real rate = chance * a->density / WATER_DENSITY / CLOUD_NUMBER * a->q[CLOUD] * a->q[CLOUD];

        melt_ice(a, -least(rate * STEP_S, a->q[CLOUD]));
    }
    if (a->q[RAIN] > LEAST) {
        real cube = of->rain.cube[k];
        real rate = 20 * PI * PI * RAIN_NUMBER * WATER_DENSITY / a->density * chance * cube * cube *
                    of->rain.size[k];
        real amount = least(rate * STEP_S, a->q[RAIN]);

        a->q[RAIN] -= amount;
        a->q[SNOW] += amount;
        a->t += FUSION / HEAT * amount;
    }
}

/* kg/kg in a second, from the first named to the second. */
template <class real> struct rates {
    real cloud_rain, cloud_drops, vapour_rain; /* autoconversion, accretion, condensation */
    real vapour_new_ice, vapour_ice, vapour_snow;
    real ice_snow, ice_flakes, cloud_flakes; /* aggregation, accretion, riming */
};

template <class real>
static __host__ __device__ void rain_rates(const struct physics *c, const struct profile<real> *of,
                                           int k, const struct air<real> *a, struct rates<real> *r,
                                           real *margin)
{
    real vapour = of->over_water[k], excess = (a->q[VAPOUR] - vapour) / STEP_S;

    if (exceeds(a->q[CLOUD] * a->density / c->cloud_limit, (real)1, (real)1, margin))
        r->cloud_rain = least((real)c->autoconversion * (real)pow(a->q[CLOUD], (real)(7.0f / 3)),
                              a->q[CLOUD] / STEP_S);
    if (a->q[RAIN] > LEAST) {
        real power = of->rain.cube[k] * of->rain.power[k], rate;

        r->cloud_drops = least((real)c->rain.accretion * power * a->q[CLOUD] * of->thin[k],
                               a->q[CLOUD] / STEP_S);
        rate = (of->on_water[k] - 1) *
               vapour_exchange(&c->rain, &of->rain, k, ventilation(a->t, a->p, a->density)) /
               (resistance(a->t, a->p, a->density, (real)EVAPORATION, vapour) * a->density);
        if (rate < 0)
            r->vapour_rain = most(most(rate, -a->q[RAIN] / STEP_S), excess / 2);
        else
            r->vapour_rain = least(rate, excess / 2);
    }
}

/* Flakes that catch ice and cloud drops on their way. */
template <class real>
static __host__ __device__ void flake_rates(const struct physics *c, const struct profile<real> *of,
                                            int k, const struct air<real> *a, struct rates<real> *r)
{
    real factor = of->flakes[k], size = of->snow.size[k], cube = of->snow.cube[k];

    if (a->q[ICE] > LEAST) {
        struct crystals<real> ice = crystals_of(a->q[ICE], a->density);
        real stick = exp((real)0.07f * (a->t - MELTING));
        real reach = 2 * cube + 2 * ice.size * of->snow.square[k] + ice.size * ice.size * size;
        real speed = fabs(c->snow.speed * of->snow.power[k] * of->thin[k] - ice.speed);

        r->ice_flakes = least(PI / 4 * stick * SNOW_NUMBER * factor * speed * reach * a->q[ICE],
                              a->q[ICE] / STEP_S);
    }
    if (a->q[CLOUD] > LEAST) {
        real power = cube * of->snow.power[k];

        r->cloud_flakes =
            least((real)c->snow.accretion * factor * power * a->q[CLOUD] * of->thin[k],
                  a->q[CLOUD] / STEP_S);
    }
}

/* Deposition or sublimation that neither overshoots saturation nor takes what is not there. */
template <class real> static __host__ __device__ real deposited(real rate, real excess, real there)
{
    if (rate < 0)
        return most(most(rate, -there / STEP_S), least(excess, (real)0));
    return least(rate, most(excess, (real)0));
}

/* Vapour onto ice and flakes, and into new crystals; below the melting point. */
template <class real>
static __host__ __device__ void ice_rates(const struct physics *c, const struct profile<real> *of,
                                          int k, const struct air<real> *a, struct rates<real> *r)
{
    real vapour = of->over_ice[k], excess = (a->q[VAPOUR] - vapour) / STEP_S;
    real wet = of->on_ice[k] - 1;
    real slow = resistance(a->t, a->p, a->density, (real)SUBLIMATION, vapour) * a->density;

    if (a->q[ICE] > LEAST) {
        struct crystals<real> ice = crystals_of(a->q[ICE], a->density);

        r->vapour_ice = deposited(4 * ice.size * ice.number * wet / slow, excess, a->q[ICE]);
        excess -= r->vapour_ice;
    }
    if (a->q[SNOW] > LEAST) {
        real fanned = ventilation(a->t, a->p, a->density);
        real rate = wet * of->flakes[k] * vapour_exchange(&c->snow, &of->snow, k, fanned) / slow;

        r->vapour_snow = deposited(rate, excess, a->q[SNOW]);
        excess -= r->vapour_snow;
    }
    if (excess > 0) {
        real nuclei = (real)1e3f * (real)exp((real)0.1f * (MELTING - a->t));
        real mass = (real)4.92e-11f * (real)pow(nuclei, (real)1.33f) / a->density;

        r->vapour_new_ice = least(most(mass - a->q[ICE], (real)0) / STEP_S, excess);
    }
    r->ice_snow = most(a->q[ICE] - (real)8e-5f / a->density, (real)0) / STEP_S;
}

/* What each class loses must be there: all that leaves it is cut in the same proportion. */
template <class real> static __host__ __device__ real share(real there, real rate)
{
    real taken = rate * STEP_S;

    return taken > there ? there / taken : (real)1;
}

template <class real>
static __host__ __device__ void conserve(const struct air<real> *a, struct rates<real> *r)
{
    real part = share(a->q[CLOUD], r->cloud_rain + r->cloud_drops + r->cloud_flakes);

    r->cloud_rain *= part;
    r->cloud_drops *= part;
    r->cloud_flakes *= part;
    part = share(a->q[ICE], r->ice_snow + r->ice_flakes + most(-r->vapour_ice, (real)0));
    r->ice_snow *= part;
    r->ice_flakes *= part;
    if (r->vapour_ice < 0)
        r->vapour_ice *= part;
}

template <class real>
static __host__ __device__ void apply(struct air<real> *a, const struct rates<real> *r, bool cold)
{
    real frozen = r->vapour_ice + r->vapour_new_ice + r->vapour_snow;
    real rimed = cold ? r->cloud_flakes : (real)0; /* flakes that melt shed what they catch */

    a->q[VAPOUR] -= (frozen + r->vapour_rain) * STEP_S;
    a->q[CLOUD] -= (r->cloud_rain + r->cloud_drops + r->cloud_flakes) * STEP_S;
    a->q[ICE] += (r->vapour_ice + r->vapour_new_ice - r->ice_snow - r->ice_flakes) * STEP_S;
    a->q[RAIN] +=
        (r->cloud_rain + r->cloud_drops + r->vapour_rain + r->cloud_flakes - rimed) * STEP_S;
    a->q[SNOW] += (r->vapour_snow + r->ice_snow + r->ice_flakes + rimed) * STEP_S;
    a->t += (SUBLIMATION * frozen + EVAPORATION * r->vapour_rain + FUSION * rimed) * STEP_S / HEAT;
}

/* Vapour to saturation, as far as cloud water goes. */
template <class real> static __host__ __device__ void condense(struct air<real> *a)
{
    real vapour = water_saturation(a->t, a->p);
    real slope = EVAPORATION / HEAT * EVAPORATION / VAPOUR_GAS * vapour / (a->t * a->t);
    real amount = most((a->q[VAPOUR] - vapour) / (1 + slope), -a->q[CLOUD]);

    a->q[VAPOUR] -= amount;
    a->q[CLOUD] += amount;
    a->t += EVAPORATION / HEAT * amount;
}

template <class real>
static __host__ __device__ void level_step(const struct physics *c, struct profile<real> *of, int k,
                                           struct air<real> *a, real *margin)
{
    struct rates<real> r = {
    };
    bool cold = !exceeds(a->t, (real)MELTING, (real)1, margin);

    if (cold)
        freeze(of, k, a, margin);
    else
        melt(c, of, k, a);
    sizes_put(c, a->t, a->q[RAIN], a->q[SNOW], a->density, of, k);
    rain_rates(c, of, k, a, &r, margin);
    cold = !exceeds(a->t, (real)MELTING, (real)1, margin);
    if (cold || a->q[SNOW] > LEAST) {
        if (a->q[SNOW] > LEAST)
            flake_rates(c, of, k, a, &r);
        if (cold)
            ice_rates(c, of, k, a, &r);
    }
    conserve(a, &r);
    apply(a, &r, cold);
    condense(a);
    for (int q = 0; q < CLASSES; q++)
        a->q[q] = a->q[q] > LEAST ? a->q[q] : 0;
}

template <class real>
static __host__ __device__ struct fallen<real> column_run(const struct physics *c,
                                                          struct column<real> col, real *margin) {
    struct fallen<real> f = {
        0, 0
    };
    struct profile<real> profile;

    for (int step = 0; step < STEPS; step++) {
        int n = column_look(c, col, &profile, margin);

        for (int i = 0; i < n; i++)
            fall(col, &profile, (real)STEP_S / n, &f);
        for (int k = 0; k < LEVELS; k++) {
            int i = k * col.stride;
            struct air<real> a = {
                col.t[i], {}, col.p[i], col.density[i]
            };

            for (int q = 0; q < CLASSES; q++)
                a.q[q] = col.q[q][i];
            level_step(c, &profile, k, &a, margin);
            col.t[i] = a.t;
            for (int q = 0; q < CLASSES; q++)
                col.q[q][i] = a.q[q];
        }
    }
    return f;
}

/* ---- GPU */

/* Arrays of [LEVELS][n_y][n_x], and `fallen` by column. */
__global__ void
wp_microphysics(struct column<float> air, float *rain, float *snow, int n_x, int n_y)
{
    int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
    int at = y * n_x + x;
    struct fallen<float> f;
    float margin = 1; /* nobody asks for it: the compiler leaves it out */

    if (x >= n_x || y >= n_y)
        return;
    air.t += at;
    air.p += at;
    air.density += at;
    air.thickness += at;
    for (int q = 0; q < CLASSES; q++)
        air.q[q] += at;
    f = column_run(&constant_physics, air, &margin);
    rain[at] = f.rain;
    snow[at] = f.snow;
}

/* The whole field: [FIELDS][LEVELS][n_y][n_x] */
enum { TEMPERATURE = CLASSES, RESULTS, PRESSURE = RESULTS, DENSITY, THICKNESS, FIELDS };

struct field {
    int n_x, n_y, n;    /* columns */
    float *value;       /* [FIELDS][LEVELS][n] */
    float *rain, *snow; /* [n] */
};

template <class real>
static struct column<real> column_at(real *value, size_t n_value, int stride) {
    struct column<real> c;

    for (int q = 0; q < CLASSES; q++)
        c.q[q] = value + q * n_value;
    c.t = value + TEMPERATURE * n_value;
    c.p = value + PRESSURE * n_value;
    c.density = value + DENSITY * n_value;
    c.thickness = value + THICKNESS * n_value;
    c.stride = stride;
    return c;
}

static void
run_gpu(const struct physics *physics, struct field f)
{
    const size_t n_value = (size_t)f.n * LEVELS, bytes = f.n * sizeof *f.rain;
    dim3 grid((f.n_x + BLOCK_X - 1) / BLOCK_X, (f.n_y + BLOCK_Y - 1) / BLOCK_Y);
    float *d_value = (float *)workload_upload(f.value, FIELDS * n_value * sizeof *f.value);
    float *d_rain, *d_snow;

    CUDA(cudaMalloc((void **)&d_rain, bytes));
    CUDA(cudaMalloc((void **)&d_snow, bytes));
    CUDA(cudaMemcpyToSymbol(constant_physics, physics, sizeof *physics));
    wp_microphysics<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(column_at(d_value, n_value, f.n), d_rain,
                                                      d_snow, f.n_x, f.n_y);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(f.value, d_value, RESULTS * n_value * sizeof *f.value, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(f.rain, d_rain, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(f.snow, d_snow, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_value));
    CUDA(cudaFree(d_rain));
    CUDA(cudaFree(d_snow));
}

/* ---- host */

static struct drops drops_make(float number, float density, float speed, float power,
                               float max_slope)
{
    struct drops d;

    d.mass = PI * density * number;
    d.speed = speed * tgammaf(4 + power) / 6;
    d.speed_power = power;
    d.accretion = PI / 4 * number * speed * tgammaf(3 + power);
    d.max_slope = max_slope;
    return d;
}

static struct physics physics_make(void)
{
    const float radius = 8e-6f, efficiency = 0.55f, viscosity = 1.718e-5f; /* m, 1, kg/(m s) */
    struct physics c;

    c.rain = drops_make(RAIN_NUMBER, WATER_DENSITY, 841.9f, 0.8f, 8e4f);
    c.rain.still = 2 * PI * RAIN_NUMBER * 0.78f;
    c.rain.ventilated = 2 * PI * RAIN_NUMBER * 0.31f * sqrtf(841.9f) * tgammaf(2.9f);
    c.snow = drops_make(SNOW_NUMBER, SNOW_DENSITY, 11.72f, 0.41f, 1e5f);
    c.snow.still = 4 * SNOW_NUMBER * 0.65f;
    c.snow.ventilated = 4 * SNOW_NUMBER * 0.44f * sqrtf(11.72f) * tgammaf(2.705f);
    c.cloud_limit = 4 * PI / 3 * WATER_DENSITY * radius * radius * radius * CLOUD_NUMBER;
    c.autoconversion = 0.104f * GRAVITY * efficiency / cbrtf(CLOUD_NUMBER * WATER_DENSITY) /
                       viscosity * powf(DENSITY_0, 4.0f / 3);
    return c;
}

enum weather { FAIR, CLOUDY, STORMY };

struct storm {
    float x, y, radius;
};

/* Around the eye of a storm it rains, and around that it is cloudy. */
static enum weather weather_at(const struct storm *storm, int n_storm, float x, float y)
{
    enum weather weather = FAIR;

    for (int i = 0; i < n_storm; i++) {
        float away = hypotf(x - storm[i].x, y - storm[i].y) / storm[i].radius;

        if (away < 1)
            return STORMY;
        if (away < 1.6f)
            weather = CLOUDY;
    }
    return weather;
}

/* A column [FIELDS][LEVELS], hydrostatic, with standard lapse rate and clouds between heights. */
static void column_draw(struct workload *w, enum weather weather, float *value)
{
    struct column<float> c = column_at(value, LEVELS, 1);
    float ground = workload_float(w, 266, 303), p = workload_float(w, 9.6e4f, 1.02e5f), z = 0;
    float base = workload_float(w, 500, 2500), top = base + workload_float(w, 800, 9000);
    float humidity = workload_float(w, 0.3f, 0.9f);

    memset(value, 0, FIELDS * LEVELS * sizeof *value);
    for (int k = 0; k < LEVELS; k++) {
        float thickness = 80 + 38 * k, middle = z + thickness / 2;
        float t = fmaxf(ground - 6.5e-3f * middle, 205) + workload_float(w, -0.5f, 0.5f);
        bool cloud = weather != FAIR && middle > base && middle < top, storm = weather == STORMY;
        float level = p * expf(-GRAVITY * thickness / 2 / (AIR_GAS * t));

        p *= expf(-GRAVITY * thickness / (AIR_GAS * t));
        z += thickness;
        c.t[k] = t;
        value[PRESSURE * LEVELS + k] = level;
        value[DENSITY * LEVELS + k] = level / (AIR_GAS * t);
        value[THICKNESS * LEVELS + k] = thickness;
        c.q[VAPOUR][k] = water_saturation(t, level) * (cloud ? workload_float(w, 0.97f, 1.03f)
                                                             : humidity * fminf(level / 1e5f, 1));
        if (cloud && t > MELTING - 38)
            c.q[CLOUD][k] = workload_float(w, 0, 1.5e-3f);
        if (cloud && t < MELTING - 5)
            c.q[ICE][k] = workload_float(w, 0, 3e-4f);
        if (storm && middle < top && t > MELTING - 15)
            c.q[RAIN][k] = workload_float(w, 0, 3e-3f);
        if (storm && middle < top && t < MELTING + 3)
            c.q[SNOW][k] = workload_float(w, 0, 2e-3f);
    }
}

/* The column's future, in double; returns how close a decision of the scheme was. */
static double column_cpu(const struct physics *physics, const float *from, float *to,
                         struct fallen<double> *f)
{
    double value[FIELDS * LEVELS], margin = 1;

    for (int i = 0; i < FIELDS * LEVELS; i++)
        value[i] = from[i];
    *f = column_run(physics, column_at(value, LEVELS, 1), &margin);
    for (int i = 0; i < FIELDS * LEVELS; i++)
        to[i] = (float)value[i];
    return margin;
}

static void column_put(struct field f, int at, const float *value)
{
    for (int i = 0; i < FIELDS * LEVELS; i++)
        f.value[(size_t)i * f.n + at] = value[i];
}

/* Columns of today and what they become. */
static void fields_make(struct workload *w, const struct physics *physics, struct field today,
                        struct field future)
{
    enum { STORMS = 10 };
    const double close = 1e-3;
    struct storm storm[STORMS];

    for (int i = 0; i < STORMS; i++) {
        storm[i].x = workload_float(w, 0, today.n_x);
        storm[i].y = workload_float(w, 0, today.n_y);
        storm[i].radius = workload_float(w, 0.03f, 0.08f) * today.n_x;
    }
    for (int at = 0; at < today.n; at++) {
        enum weather weather = weather_at(storm, STORMS, at % today.n_x, at / today.n_x);
        float from[FIELDS * LEVELS], to[FIELDS * LEVELS];
        struct fallen<double> f;

        do
            column_draw(w, weather, from);
        while (column_cpu(physics, from, to, &f) < close);
        column_put(today, at, from);
        column_put(future, at, to);
        future.rain[at] = (float)f.rain;
        future.snow[at] = (float)f.snow;
    }
}

static struct field field_make(int n_x, int n_y)
{
    int n = n_x * n_y;

    return (struct field){n_x,
                          n_y,
                          n,
                          (float *)workload_alloc((size_t)n * LEVELS * FIELDS * sizeof(float)),
                          (float *)workload_alloc(n * sizeof(float)),
                          (float *)workload_alloc(n * sizeof(float))};
}

static void field_free(struct field f)
{
    free(f.value);
    free(f.rain);
    free(f.snow);
}

/* Water is compared in g/kg, temperature in K. */
static void compare(struct workload *w, struct field got, struct field want)
{
    static const char *const name[RESULTS] = {"vapour", "cloud", "ice",
                                              "rain",   "snow",  "temperature"};
    const size_t n_value = (size_t)got.n * LEVELS;

    for (size_t i = 0; i < CLASSES * n_value; i++) {
        got.value[i] *= 1000;
        want.value[i] *= 1000;
    }
    for (int f = 0; f < RESULTS; f++)
        workload_compare_f32(w, name[f], got.value + f * n_value, want.value + f * n_value, n_value,
                             f == TEMPERATURE ? 1e-6f : 1e-4f);
    workload_compare_f32(w, "fallen rain", got.rain, want.rain, got.n, 1e-4f);
    workload_compare_f32(w, "fallen snow", got.snow, want.snow, got.n, 1e-4f);
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){.unit = "columns of air from west to east",
                                              .usual = 72,
                                              .large = 72,
                                              .least = 1,
                                              .most = 1024});
    int n_x = (int)w.size, n_y = (n_x * 8 + 8) / 9;
    struct physics physics = physics_make();
    struct field got = field_make(n_x, n_y), want = field_make(n_x, n_y);

    fields_make(&w, &physics, got, want);
    run_gpu(&physics, got);
    compare(&w, got, want);

    field_free(got);
    field_free(want);
    return workload_end(&w);
}
