/* plan.cpp -- plans: made, found by their handles, destroyed. */
#include <limits.h>
#include <math.h>

#include <map>
#include <mutex>
#include <vector>

#include "plan.h"

static std::map<cufftHandle, plan> plans;
static cufftHandle last_handle; /* the first one is 1: a handle that nobody has set is none */
static std::mutex plans_lock;

plan *plan_find(cufftHandle handle)
{
    std::lock_guard<std::mutex> hold(plans_lock);
    auto at = plans.find(handle);
    return at == plans.end() ? NULL : &at->second;
}

/* As cufftCreate left it, but for the stream. */
static void clear(plan *p)
{
    cudaStream_t stream = p->stream;
    for (dimension &d : p->dim)
        cudaFree(d.roots);
    for (void *work : p->work)
        cudaFree(work);
    *p = plan();
    p->stream = stream;
}

/* --- what the kernels need --- */

/* The largest of 8, 4 and 2 as often as it goes, then the smaller ones, then odd primes. */
static factors factorise(int n, int largest)
{
    factors f = {};
    for (int r = largest; r > 1; r /= 2)
        for (; n % r == 0; n /= r)
            f.at[f.n++] = r;
    for (int r = 3; n > 1; r += 2) {
        if (r > n / r)
            r = n;
        for (; n % r == 0; n /= r)
            f.at[f.n++] = r;
    }
    return f;
}

template <class T> static bool make_roots(dimension *d)
{
    std::vector<T> roots(2 * (size_t)d->n);
    for (int i = 0; i < d->n; i++) {
        long double angle = 6.283185307179586476925L * i / d->n;
        roots[2 * (size_t)i] = (T)cosl(angle);
        roots[2 * (size_t)i + 1] = (T)-sinl(angle);
    }
    size_t size = roots.size() * sizeof(T);
    return cudaMalloc(&d->roots, size) == cudaSuccess &&
           cudaMemcpy(d->roots, roots.data(), size, cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool allocate(plan *p)
{
    bool is_long = false;
    for (dimension &d : p->dim) {
        d.f = factorise(d.n, largest_factor((size_t)complex_size(p->type)));
        is_long = is_long || d.n > longest_shared(p->type);
        if (d.n > 1 && !(is_double(p->type) ? make_roots<double>(&d) : make_roots<float>(&d)))
            return false;
    }
    bool needed[2] = {!p->is_plain, is_long};
    size_t size = (size_t)p->n_all * (size_t)complex_size(p->type);
    for (int i = 0; i < 2; i++) {
        if (needed[i] && cudaMalloc(&p->work[i], size) != cudaSuccess)
            return false;
        p->work_size += needed[i] ? size : 0;
    }
    return true;
}

/* --- layouts --- */

/* Without gaps; of complex numbers that stand for real ones the last dimension has the first half. */
static layout default_layout(const plan *p, bool half)
{
    layout l = {{p->dim[0].n, p->dim[1].n, p->dim[2].n}, 1, 1};
    if (half)
        l.embed[DIMS - 1] = l.embed[DIMS - 1] / 2 + 1;
    l.dist = l.embed[0] * l.embed[1] * l.embed[2];
    return l;
}

static layout given_layout(int rank, const int *embed, int stride, int dist)
{
    layout l = {{1, 1, 1}, stride, dist};
    for (int i = 0; i < rank; i++)
        l.embed[DIMS - rank + i] = embed[i];
    return l;
}

/* --- making --- */

static bool is_type(cufftType type)
{
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || is_double(type);
}

/* Takes over the sizes, if they can be had. */
static bool set_sizes(plan *p, int rank, const int *n, int batch)
{
    long all = batch;
    for (int i = 0; i < DIMS; i++) {
        int size = i < DIMS - rank ? 1 : n[i - (DIMS - rank)];
        if (size < 1 || all < 1 || all > INT_MAX / size)
            return false;
        p->dim[i].n = size;
        all *= size;
    }
    p->batch = batch, p->n_all = (int)all;
    return true;
}

API cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                                  int idist, int *onembed, int ostride, int odist, cufftType type,
                                  int batch, size_t *work)
{
    plan *p = plan_find(handle);
    if (!p || p->is_made)
        return CUFFT_INVALID_PLAN;
    if (!is_type(type))
        return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > DIMS || !n || (inembed && onembed && (istride < 1 || ostride < 1)))
        return CUFFT_INVALID_VALUE;
    if (!set_sizes(p, rank, n, batch))
        return CUFFT_INVALID_SIZE;
    p->type = type;
    p->is_basic = !inembed || !onembed;
    p->is_plain = p->is_basic && (type == CUFFT_C2C || type == CUFFT_Z2Z);
    p->in = p->is_basic ? default_layout(p, type == CUFFT_C2R || type == CUFFT_Z2D)
                        : given_layout(rank, inembed, istride, idist);
    p->out = p->is_basic ? default_layout(p, type == CUFFT_R2C || type == CUFFT_D2Z)
                         : given_layout(rank, onembed, ostride, odist);
    p->is_made = allocate(p);
    if (!p->is_made) {
        clear(p);
        return CUFFT_ALLOC_FAILED;
    }
    if (work)
        *work = p->work_size;
    return CUFFT_SUCCESS;
}

API cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *work)
{
    return cufftMakePlanMany(handle, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch, work);
}

API cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *work)
{
    int n[] = {nx, ny};
    return cufftMakePlanMany(handle, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1, work);
}

API cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                                size_t *work)
{
    int n[] = {nx, ny, nz};
    return cufftMakePlanMany(handle, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1, work);
}

API cufftResult cufftCreate(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    std::lock_guard<std::mutex> hold(plans_lock);
    *handle = ++last_handle;
    plans[*handle] = plan();
    return CUFFT_SUCCESS;
}

API cufftResult cufftDestroy(cufftHandle handle)
{
    plan *p = plan_find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    clear(p);
    std::lock_guard<std::mutex> hold(plans_lock);
    plans.erase(handle);
    return CUFFT_SUCCESS;
}

API cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch)
{
    cufftResult result = cufftCreate(handle);
    if (result != CUFFT_SUCCESS)
        return result;
    result = cufftMakePlanMany(*handle, rank, n, inembed, istride, idist, onembed, ostride, odist,
                               type, batch, NULL);
    if (result != CUFFT_SUCCESS)
        cufftDestroy(*handle);
    return result;
}

API cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch)
{
    return cufftPlanMany(handle, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch);
}

API cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type)
{
    int n[] = {nx, ny};
    return cufftPlanMany(handle, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}

API cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type)
{
    int n[] = {nx, ny, nz};
    return cufftPlanMany(handle, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}

/* --- settings and questions --- */

API cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    plan *p = plan_find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}

API cufftResult cufftGetSize(cufftHandle handle, size_t *work)
{
    plan *p = plan_find(handle);
    if (!p || !p->is_made)
        return CUFFT_INVALID_PLAN;
    if (!work)
        return CUFFT_INVALID_VALUE;
    *work = p->work_size;
    return CUFFT_SUCCESS;
}

API cufftResult cufftGetVersion(int *version)
{
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

API cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUFFT_INVALID_VALUE;
    *value = version[type];
    return CUFFT_SUCCESS;
}
