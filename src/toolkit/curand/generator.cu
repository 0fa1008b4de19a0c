/*
 * generator.cu -- cuRAND's arrays of random numbers.
 *
 * A generator is STREAMS states, one for each subsequence; element n is drawn from state
 * n mod STREAMS, counted from the first element ever.  A kernel has a thread for each state.
 * States are made by the host: from one subsequence to the next is one jump.
 */
#include <curand_kernel.h>

#include <vector>

enum { STREAMS = 4096, BLOCK = 256 };

#define API extern "C" __attribute__((visibility("default")))

typedef curandStateXORWOW_t xorwow;
typedef curandStatePhilox4_32_10_t philox;
typedef curandStateMRG32k3a_t mrg32k3a;

struct curandGenerator_st {
    curandRngType_t type;
    bool on_host;
    cudaStream_t stream;
    unsigned long long seed, offset;
    bool is_ready;              /* are the states those of seed and offset, or later ones? */
    unsigned long long n_drawn; /* elements so far, the offset among them */
    void *states;               /* of the host or of the device; freed with the generator */
};

/* --- what is drawn --- */

namespace
{

struct bits {
    template <class State> __host__ __device__ unsigned int operator()(State *s) const
    {
        return curand(s);
    }
};

struct uniform_floats {
    template <class State> __host__ __device__ float operator()(State *s) const
    {
        return curand_uniform(s);
    }
};

struct uniform_doubles {
    template <class State> __host__ __device__ double operator()(State *s) const
    {
        return curand_uniform_double(s);
    }
};

struct normal_floats {
    float mean, stddev;
    bool log;
    template <class State> __host__ __device__ float operator()(State *s) const
    {
        float v = mean + stddev * curand_normal(s);
        return log ? expf(v) : v;
    }
};

struct normal_doubles {
    double mean, stddev;
    bool log;
    template <class State> __host__ __device__ double operator()(State *s) const
    {
        double v = mean + stddev * curand_normal_double(s);
        return log ? exp(v) : v;
    }
};

} // namespace

/* The elements of one state: `first` is where the array's first element is in the sequence. */
template <class State, class Draw, class T>
static __host__ __device__ void draw(State *states, unsigned int stream, Draw what,
                                     unsigned int first, T *out, size_t n)
{
    State s = states[stream];
    for (size_t i = (stream + STREAMS - first) % STREAMS; i < n; i += STREAMS)
        out[i] = what(&s);
    states[stream] = s;
}

template <class State, class Draw, class T>
static __global__ void generate(State *states, Draw what, unsigned int first, T *out, size_t n)
{
    draw(states, blockIdx.x * BLOCK + threadIdx.x, what, first, out, n);
}

/* --- states --- */

template <class State> static void next_subsequence(State *s)
{
    skipahead_sequence(1, s);
}

static void next_subsequence(mrg32k3a *s)
{
    skipahead_subsequence(1, s);
}

template <class State> static std::vector<State> make_states(const curandGenerator_st *g)
{
    std::vector<State> all(STREAMS);
    State s;
    curand_init(g->seed, 0, 0, &s);
    for (unsigned int i = 0; i < STREAMS; i++, next_subsequence(&s)) {
        all[i] = s;
        skipahead(g->offset / STREAMS + (i < g->offset % STREAMS), &all[i]);
    }
    return all;
}

template <class State> static curandStatus_t prepare(curandGenerator_st *g)
{
    if (g->is_ready)
        return CURAND_STATUS_SUCCESS;
    std::vector<State> all = make_states<State>(g);
    size_t size = STREAMS * sizeof(State);
    if (g->on_host) {
        if (!g->states)
            g->states = ::operator new(size);
        memcpy(g->states, all.data(), size);
    } else {
        if (!g->states && cudaMalloc(&g->states, size) != cudaSuccess)
            return CURAND_STATUS_ALLOCATION_FAILED;
        cudaError_t e = cudaStreamSynchronize(g->stream); /* who draws from the old ones */
        if (e != cudaSuccess || cudaMemcpy(g->states, all.data(), size, cudaMemcpyHostToDevice))
            return CURAND_STATUS_PREEXISTING_FAILURE;
    }
    g->n_drawn = g->offset;
    g->is_ready = true;
    return CURAND_STATUS_SUCCESS;
}

template <class State, class Draw, class T>
static curandStatus_t fill(curandGenerator_st *g, Draw what, T *out, size_t n)
{
    curandStatus_t status = prepare<State>(g);
    State *states = (State *)g->states;
    unsigned int first = (unsigned int)(g->n_drawn % STREAMS);
    if (status != CURAND_STATUS_SUCCESS || n == 0)
        return status;
    if (g->on_host)
        for (unsigned int i = 0; i < STREAMS; i++)
            draw(states, i, what, first, out, n);
    else
        generate<<<STREAMS / BLOCK, BLOCK, 0, g->stream>>>(states, what, first, out, n);
    g->n_drawn += n;
    return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                : CURAND_STATUS_LAUNCH_FAILURE;
}

/* What a generic lambda does, for the states of this generator: it gets one of them. */
template <class Work> static curandStatus_t by_type(const curandGenerator_st *g, Work work)
{
    switch (g->type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        return work(philox());
    case CURAND_RNG_PSEUDO_MRG32K3A:
        return work(mrg32k3a());
    default:
        return work(xorwow());
    }
}

template <class Draw, class T>
static curandStatus_t fill_any(curandGenerator_t g, Draw what, T *out, size_t n, bool pairs)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (n && !out)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (pairs && n % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return by_type(g, [=](auto s) { return fill<decltype(s)>(g, what, out, n); });
}

/* --- the functions --- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW &&
        type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && type != CURAND_RNG_PSEUDO_MRG32K3A)
        return CURAND_STATUS_TYPE_ERROR;
    *generator = new curandGenerator_st();
    (*generator)->type = type;
    (*generator)->on_host = on_host;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}

API curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

API curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (g->on_host)
        ::operator delete(g->states);
    else
        cudaFree(g->states);
    delete g;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = version[type];
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->seed = seed;
    g->is_ready = false;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->offset = offset;
    g->is_ready = false;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_LEGACY)
        return CURAND_STATUS_OUT_OF_RANGE;
    g->is_ready = false;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandGenerateSeeds(curandGenerator_t g)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    return by_type(g, [=](auto s) { return prepare<decltype(s)>(g); });
}

API curandStatus_t curandGenerate(curandGenerator_t g, unsigned int *out, size_t n)
{
    return fill_any(g, bits(), out, n, false);
}

API curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    return fill_any(g, uniform_floats(), out, n, false);
}

API curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n)
{
    return fill_any(g, uniform_doubles(), out, n, false);
}

API curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean,
                                        float stddev)
{
    return fill_any(g, normal_floats{mean, stddev, false}, out, n, true);
}

API curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n,
                                              double mean, double stddev)
{
    return fill_any(g, normal_doubles{mean, stddev, false}, out, n, true);
}

API curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean,
                                           float stddev)
{
    return fill_any(g, normal_floats{mean, stddev, true}, out, n, true);
}

API curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n,
                                                 double mean, double stddev)
{
    return fill_any(g, normal_doubles{mean, stddev, true}, out, n, true);
}
