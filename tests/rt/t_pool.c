/* Memory pools: stream-ordered allocations, what a pool counts, what it refuses. */
#include "tests/rt/rt_test.h"

#include <cuda.h>
#include <stdint.h>

static uint64_t told(cudaMemPool_t p, enum cudaMemPoolAttr attr)
{
    uint64_t v = 0;

    RT_OK(cudaMemPoolGetAttribute(p, attr, &v));
    return v;
}

static cudaMemPool_t default_pool(void)
{
    cudaMemPool_t p = NULL;

    RT_OK(cudaDeviceGetDefaultMemPool(&p, 0));
    assert_non_null(p);
    return p;
}

static cudaMemPool_t new_pool(void)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {cudaMemLocationTypeDevice, 0}};
    cudaMemPool_t p = NULL;

    RT_OK(cudaMemPoolCreate(&p, &props));
    return p;
}

static void memory_in_stream_order_is_memory(void **state)
{
    (void)state;
    cudaStream_t s;
    int *p, v = 5, n = 32;
    void *none = &none;

    RT_OK(cudaStreamCreate(&s));
    RT_OK(cudaMallocAsync((void **)&p, 32 * sizeof *p, s));
    RT_OK(cudaMemsetAsync(p, 0, 32 * sizeof *p, s));
    LAUNCH(kernel_add, 1, 32, ARGS(&p, &v, &n));
    assert_int_equal(int_at(p, 31), 5);
    RT_OK(cudaFreeAsync(p, s));
    RT_ERR(cudaMemset(p, 0, 4), cudaErrorInvalidValue);
    RT_ERR(cudaFreeAsync(p, s), cudaErrorInvalidValue);
    RT_OK(cudaMallocAsync(&none, 0, s));
    assert_null(none);
    RT_OK(cudaFreeAsync(NULL, s));
    RT_OK(cudaStreamDestroy(s));
    RT_ERR(cudaMallocAsync(&none, 4, s), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaMallocAsync(NULL, 4, NULL), cudaErrorInvalidValue);
    RT_ERR(cudaMallocAsync(&none, 1 << 30, NULL), cudaErrorMemoryAllocation);
}

static void pools_count_what_comes_from_them(void **state)
{
    (void)state;
    cudaMemPool_t p = default_pool();
    void *a, *b;
    uint64_t zero = 0;

    RT_OK(cudaMallocAsync(&a, 1000, NULL));
    RT_OK(cudaMallocAsync(&b, 500, NULL));
    assert_int_equal(told(p, cudaMemPoolAttrUsedMemCurrent), 1500);
    RT_OK(cudaFree(a)); /* the plain function takes it too */
    assert_int_equal(told(p, cudaMemPoolAttrUsedMemCurrent), 500);
    assert_int_equal(told(p, cudaMemPoolAttrReservedMemCurrent), 500);
    assert_int_equal(told(p, cudaMemPoolAttrUsedMemHigh), 1500);
    RT_OK(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &zero));
    assert_int_equal(told(p, cudaMemPoolAttrUsedMemHigh), 500);
    RT_OK(cudaFreeAsync(b, NULL));
    assert_int_equal(told(p, cudaMemPoolAttrUsedMemCurrent), 0);
    RT_OK(cudaMemPoolTrimTo(p, 0));
}

static void attributes_are_kept(void **state)
{
    (void)state;
    cudaMemPool_t p = default_pool();
    uint64_t much = UINT64_MAX;
    int no = 0, yes = -1;

    assert_int_equal(told(p, cudaMemPoolAttrReleaseThreshold), 0);
    RT_OK(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &much));
    assert_true(told(p, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX);
    RT_OK(cudaMemPoolGetAttribute(p, cudaMemPoolReuseAllowOpportunistic, &yes));
    assert_int_equal(yes, 1);
    RT_OK(cudaMemPoolSetAttribute(p, cudaMemPoolReuseAllowOpportunistic, &no));
    RT_OK(cudaMemPoolGetAttribute(p, cudaMemPoolReuseAllowOpportunistic, &yes));
    assert_int_equal(yes, 0);
    RT_ERR(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemCurrent, &much), cudaErrorInvalidValue);
    RT_ERR(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &much), cudaErrorInvalidValue);
    RT_ERR(cudaMemPoolGetAttribute(p, 99, &much), cudaErrorInvalidValue);
    RT_ERR(cudaMemPoolGetAttribute((cudaMemPool_t)&no, cudaMemPoolAttrUsedMemHigh, &much),
           cudaErrorInvalidValue);
}

static void programs_have_pools_of_their_own(void **state)
{
    (void)state;
    cudaMemPool_t own = new_pool(), now = NULL;
    void *a, *b, *c;

    RT_OK(cudaMallocFromPoolAsync(&a, 256, own, NULL));
    assert_int_equal(told(own, cudaMemPoolAttrUsedMemCurrent), 256);
    RT_OK(cudaDeviceSetMemPool(0, own));
    RT_OK(cudaDeviceGetMemPool(&now, 0));
    assert_ptr_equal(now, own);
    RT_OK(cudaMallocAsync(&b, 64, NULL));
    assert_int_equal(told(own, cudaMemPoolAttrUsedMemCurrent), 320);
    RT_OK(cudaMemPoolDestroy(own));
    RT_ERR(cudaMallocFromPoolAsync(&c, 4, own, NULL), cudaErrorInvalidValue);
    RT_OK(cudaDeviceGetMemPool(&now, 0));
    assert_ptr_equal(now, default_pool());
    RT_OK(cudaMemset(a, 0, 256)); /* what came from it stays until it is freed */
    RT_OK(cudaFreeAsync(a, NULL));
    RT_OK(cudaFreeAsync(b, NULL));
    RT_ERR(cudaMemPoolDestroy(now), cudaErrorInvalidValue);
    RT_ERR(cudaMemPoolCreate(&own, NULL), cudaErrorInvalidValue);
    RT_ERR(cudaDeviceSetMemPool(1, now), cudaErrorInvalidDevice);
}

static void the_device_has_access(void **state)
{
    (void)state;
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    struct cudaMemAccessDesc d = {here, cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;

    RT_OK(cudaMemPoolGetAccess(&flags, default_pool(), &here));
    assert_int_equal(flags, cudaMemAccessFlagsProtReadWrite);
    RT_OK(cudaMemPoolSetAccess(default_pool(), &d, 1));
    d.location.id = 1;
    RT_ERR(cudaMemPoolSetAccess(default_pool(), &d, 1), cudaErrorInvalidDevice);
}

/* A pool of the program's, one that it dropped, and memory from both. */
static void a_reset_forgets_pools(void **state)
{
    (void)state;
    cudaMemPool_t kept = new_pool(), dropped = new_pool();
    void *p;
    int yes = 0;

    for (int i = 0; i < 3; i++) {
        RT_OK(cudaMallocFromPoolAsync(&p, 64, kept, NULL));
        RT_OK(cudaMallocFromPoolAsync(&p, 64, dropped, NULL));
    }
    RT_OK(cudaMemPoolDestroy(dropped));
    RT_OK(cudaDeviceReset());
    RT_ERR(cudaMallocFromPoolAsync(&p, 4, kept, NULL), cudaErrorInvalidValue);
    assert_int_equal(told(default_pool(), cudaMemPoolAttrUsedMemHigh), 0);
    RT_OK(cudaDeviceGetAttribute(&yes, cudaDevAttrMemoryPoolsSupported, 0));
    assert_int_equal(yes, 1);
}

static void the_driver_has_the_same_pools(void **state)
{
    (void)state;
    CUmemoryPool p, own;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUdeviceptr a, b;
    uint64_t used = 0;

    RT_OK(cudaFree(NULL));
    assert_int_equal(cuInit(0), CUDA_SUCCESS);
    assert_int_equal(cuDeviceGetDefaultMemPool(&p, 0), CUDA_SUCCESS);
    assert_ptr_equal(p, default_pool());
    assert_int_equal(cuMemAllocAsync(&a, 128, NULL), CUDA_SUCCESS);
    assert_int_equal(cuMemPoolGetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used),
                     CUDA_SUCCESS);
    assert_int_equal(used, 128);
    assert_int_equal(cuMemFreeAsync(a, NULL), CUDA_SUCCESS);
    assert_int_equal(cuMemFreeAsync(a, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemPoolCreate(&own, &props), CUDA_SUCCESS);
    assert_int_equal(cuMemAllocFromPoolAsync(&b, 64, own, NULL), CUDA_SUCCESS);
    assert_int_equal(cuMemAllocAsync(&b, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuDeviceSetMemPool(0, own), CUDA_SUCCESS);
    assert_int_equal(cuDeviceGetMemPool(&p, 0), CUDA_SUCCESS);
    assert_ptr_equal(p, own);
    assert_int_equal(cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &used),
                     CUDA_SUCCESS);
    assert_int_equal(cuMemPoolTrimTo(p, 0), CUDA_SUCCESS);
    assert_int_equal(cuMemPoolDestroy(own), CUDA_SUCCESS);
}

static const struct CMUnitTest tests[] = {
    RT_CASE(memory_in_stream_order_is_memory),
    RT_CASE(pools_count_what_comes_from_them),
    RT_CASE(attributes_are_kept),
    RT_CASE(programs_have_pools_of_their_own),
    RT_CASE(the_device_has_access),
    RT_CASE(a_reset_forgets_pools),
    RT_CASE(the_driver_has_the_same_pools),
};

TEST_MAIN(tests)
