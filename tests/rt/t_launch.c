/* Launches: both ABIs, arguments, what is refused, what breaks the context. */
#include "tests/rt/rt_test.h"

static void arguments_arrive_in_order(void **state)
{
    (void)state;
    int v = 3, n = 40, *d = new_ints(64, 10);

    LAUNCH(kernel_add, 2, 32, ARGS(&d, &v, &n));
    assert_int_equal(int_at(d, 0), 13);
    assert_int_equal(int_at(d, 39), 13);
    assert_int_equal(int_at(d, 40), 10);
}

static void arguments_of_mixed_sizes_are_aligned(void **state)
{
    (void)state;
    signed char a = -3;
    double b = 0.5, *d = new_bytes(sizeof *d), got = 0;
    short c = 300;

    LAUNCH(kernel_mixed, 1, 1, ARGS(&a, &b, &c, &d));
    RT_OK(cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost));
    assert_true(got == 297.5);
}

static void configuration_is_pushed_and_popped(void **state)
{
    (void)state;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream, own;

    RT_OK(cudaStreamCreate(&own));
    assert_int_equal(__cudaPushCallConfiguration((dim3){2, 3, 4}, (dim3){5, 6, 7}, 8, own), 0);
    RT_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(grid.z, 4);
    assert_int_equal(block.y, 6);
    assert_int_equal(shared, 8);
    assert_ptr_equal(stream, own);
    RT_ERR(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
           cudaErrorMissingConfiguration);
}

static void configurations_nest(void **state)
{
    (void)state;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    __cudaPushCallConfiguration(DIM(1), DIM(1), 1, NULL);
    __cudaPushCallConfiguration(DIM(2), DIM(2), 2, NULL);
    RT_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(shared, 2);
    RT_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(shared, 1);
}

static void the_old_abi_launches_too(void **state)
{
    (void)state;
    int v = 4, n = 8, *d = new_ints(8, 1);

    RT_OK(cudaConfigureCall(DIM(1), DIM(32), 0, NULL));
    RT_OK(cudaSetupArgument(&d, sizeof d, 0));
    RT_OK(cudaSetupArgument(&v, sizeof v, 8));
    RT_OK(cudaSetupArgument(&n, sizeof n, 12));
    RT_OK(cudaLaunch(kernel_add));
    assert_int_equal(int_at(d, 7), 5);
}

static void the_old_abi_needs_a_configuration(void **state)
{
    (void)state;
    int v = 1;

    RT_ERR(cudaSetupArgument(&v, sizeof v, 0), cudaErrorMissingConfiguration);
    RT_ERR(cudaLaunch(kernel_add), cudaErrorMissingConfiguration);
    RT_OK(cudaConfigureCall(DIM(1), DIM(1), 0, NULL));
    RT_ERR(cudaSetupArgument(&v, sizeof v, 4093), cudaErrorInvalidValue);
    RT_ERR(cudaLaunch(kernel_add), cudaErrorInvalidValue); /* arguments are missing */
    RT_ERR(cudaLaunch(kernel_add), cudaErrorMissingConfiguration);
}

/* --- refused, but nothing is broken --- */

static void refuse(const void *kernel, dim3 grid, dim3 block, size_t shared, cudaError_t code)
{
    int v = 1, n = 1, *d = new_ints(1, 1);

    RT_ERR(cudaLaunchKernel(kernel, grid, block, ARGS(&d, &v, &n), shared, NULL), code);
    RT_ERR(cudaPeekAtLastError(), code);
    RT_ERR(cudaGetLastError(), code);
    RT_OK(cudaGetLastError());
    LAUNCH(kernel_add, 1, 1, ARGS(&d, &v, &n));
    assert_int_equal(int_at(d, 0), 2);
}

static void too_many_threads_are_an_invalid_configuration(void **state)
{
    (void)state;
    refuse(kernel_add, DIM(1), DIM(257), 0, cudaErrorInvalidConfiguration); /* tiny has 256 */
    refuse(kernel_add, DIM(1), DIM(4096), 0, cudaErrorInvalidConfiguration);
}

static void empty_and_huge_shapes_are_an_invalid_configuration(void **state)
{
    (void)state;
    refuse(kernel_add, DIM(0), DIM(1), 0, cudaErrorInvalidConfiguration);
    refuse(kernel_add, DIM(1), DIM(0), 0, cudaErrorInvalidConfiguration);
    refuse(kernel_add, (dim3){1, 65536, 1}, DIM(1), 0, cudaErrorInvalidConfiguration);
    refuse(kernel_add, DIM(1), (dim3){1, 1, 65}, 0, cudaErrorInvalidConfiguration);
}

static void too_much_shared_memory_is_an_invalid_configuration(void **state)
{
    (void)state;
    refuse(kernel_add, DIM(1), DIM(1), 16 * 1024 + 1, cudaErrorInvalidConfiguration);
    refuse(kernel_add, DIM(1), DIM(1), 1ul << 40, cudaErrorInvalidConfiguration);
}

static void more_threads_than_the_kernel_is_made_for(void **state)
{
    (void)state;
    refuse(kernel_bounded, DIM(1), DIM(65), 0, cudaErrorInvalidConfiguration);
}

static void what_is_no_kernel_is_an_invalid_function(void **state)
{
    (void)state;
    refuse("no kernel", DIM(1), DIM(1), 0, cudaErrorInvalidDeviceFunction);
    refuse(kernel_missing, DIM(1), DIM(1), 0, cudaErrorInvalidDeviceFunction);
    refuse(NULL, DIM(1), DIM(1), 0, cudaErrorInvalidDeviceFunction);
}

static void a_stream_that_is_none_is_an_invalid_handle(void **state)
{
    (void)state;
    char none[64];
    int v = 1, n = 1, *d = new_ints(1, 1);

    RT_ERR(cudaLaunchKernel(kernel_add, DIM(1), DIM(1), ARGS(&d, &v, &n), 0, (cudaStream_t)none),
           cudaErrorInvalidResourceHandle);
}

static void missing_arguments_are_an_invalid_value(void **state)
{
    (void)state;
    RT_ERR(cudaLaunchKernel(kernel_add, DIM(1), DIM(1), NULL, 0, NULL), cudaErrorInvalidValue);
}

/* --- faults: sticky until a reset --- */

static void faults(const void *kernel, unsigned int threads, void **args, cudaError_t code)
{
    int *d = new_ints(1, 1), count = 0;
    void *p;

    RT_OK(cudaLaunchKernel(kernel, DIM(1), DIM(threads), args, 0, NULL)); /* as on a GPU */
    RT_ERR(cudaGetLastError(), code);
    RT_ERR(cudaGetLastError(), code);
    RT_ERR(cudaDeviceSynchronize(), code);
    RT_ERR(cudaMalloc(&p, 4), code);
    RT_ERR(cudaMemset(d, 0, 4), code);
    RT_ERR(cudaFree(d), code);
    RT_OK(cudaGetDeviceCount(&count));
    RT_OK(cudaDeviceReset());
    RT_OK(cudaGetLastError());
    int v = 1, n = 1, *again = new_ints(1, 1);

    LAUNCH(kernel_add, 1, 1, ARGS(&again, &v, &n));
    assert_int_equal(int_at(again, 0), 2);
}

static void a_stray_access_is_an_illegal_address(void **state)
{
    (void)state;
    int v = 1, n = 32, *d = NULL;

    faults(kernel_add, 32, ARGS(&d, &v, &n), cudaErrorIllegalAddress);
}

static void use_after_free_is_an_illegal_address(void **state)
{
    (void)state;
    int v = 1, n = 1, *d = new_ints(1, 1);

    new_ints(1, 1); /* behind it, so that its room is not used again */
    RT_OK(cudaFree(d));
    faults(kernel_add, 1, ARGS(&d, &v, &n), cudaErrorIllegalAddress);
}

static void a_misaligned_access_is_told_as_such(void **state)
{
    (void)state;
    int *d = new_ints(2, 1);

    faults(kernel_misaligned, 1, ARGS(&d), cudaErrorMisalignedAddress);
}

static void a_trap_is_a_launch_failure(void **state)
{
    (void)state;
    faults(kernel_trap, 1, NULL, cudaErrorLaunchFailure);
}

static void a_call_of_no_function_is_an_invalid_pc(void **state)
{
    (void)state;
    faults(kernel_bad_call, 1, NULL, cudaErrorInvalidPc);
}

static void a_deadlock_is_a_timeout(void **state)
{
    (void)state;
    faults(kernel_half_wait, 64, NULL, cudaErrorLaunchTimeout);
}

static void a_failed_assertion_is_told_as_such(void **state)
{
    (void)state;
    faults(kernel_asserts, 1, NULL, cudaErrorAssert);
}

/* --- questions about kernels --- */

static void attributes_of_a_kernel(void **state)
{
    (void)state;
    struct cudaFuncAttributes a;

    RT_OK(cudaFuncGetAttributes(&a, kernel_shared_4k));
    assert_int_equal(a.sharedSizeBytes, 4096);
    assert_int_equal(a.constSizeBytes, 64);
    assert_int_equal(a.maxThreadsPerBlock, 256);
    assert_int_equal(a.ptxVersion, 35);
    assert_int_equal(a.binaryVersion, 35);
    assert_true(a.numRegs > 0 && a.numRegs < 32);
    assert_int_equal(a.maxDynamicSharedSizeBytes, 16 * 1024 - 4096);
    RT_OK(cudaFuncGetAttributes(&a, kernel_bounded));
    assert_int_equal(a.maxThreadsPerBlock, 64);
    RT_ERR(cudaFuncGetAttributes(&a, kernel_missing), cudaErrorInvalidDeviceFunction);
}

/* tiny: 4 CTAs, 256 threads, 16K of shared memory per SM. */
static void occupancy_follows_the_limits(void **state)
{
    (void)state;
    int n = -1;

    RT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel_add, 32, 0));
    assert_int_equal(n, 4);
    RT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel_add, 128, 0));
    assert_int_equal(n, 2);
    RT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel_add, 32, 6 * 1024));
    assert_int_equal(n, 2);
    RT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, kernel_shared_4k, 32, 0, 1));
    assert_int_equal(n, 4);
    RT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel_add, 512, 0));
    assert_int_equal(n, 0);
    RT_ERR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel_add, 0, 0),
           cudaErrorInvalidValue);
}

static void hints_are_taken_for_kernels_only(void **state)
{
    (void)state;
    RT_OK(cudaFuncSetCacheConfig(kernel_add, cudaFuncCachePreferL1));
    RT_OK(cudaFuncSetSharedMemConfig(kernel_add, cudaSharedMemBankSizeEightByte));
    RT_OK(cudaFuncSetAttribute(kernel_add, cudaFuncAttributeMaxDynamicSharedMemorySize, 8192));
    RT_ERR(cudaFuncSetAttribute(kernel_add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
           cudaErrorInvalidValue);
    RT_ERR(cudaFuncSetCacheConfig("none", cudaFuncCachePreferL1), cudaErrorInvalidDeviceFunction);
}

static const struct CMUnitTest tests[] = {
    RT_CASE(arguments_arrive_in_order),
    RT_CASE(arguments_of_mixed_sizes_are_aligned),
    RT_CASE(configuration_is_pushed_and_popped),
    RT_CASE(configurations_nest),
    RT_CASE(the_old_abi_launches_too),
    RT_CASE(the_old_abi_needs_a_configuration),
    RT_CASE(too_many_threads_are_an_invalid_configuration),
    RT_CASE(empty_and_huge_shapes_are_an_invalid_configuration),
    RT_CASE(too_much_shared_memory_is_an_invalid_configuration),
    RT_CASE(more_threads_than_the_kernel_is_made_for),
    RT_CASE(what_is_no_kernel_is_an_invalid_function),
    RT_CASE(a_stream_that_is_none_is_an_invalid_handle),
    RT_CASE(missing_arguments_are_an_invalid_value),
    RT_CASE(a_stray_access_is_an_illegal_address),
    RT_CASE(use_after_free_is_an_illegal_address),
    RT_CASE(a_misaligned_access_is_told_as_such),
    RT_CASE(a_trap_is_a_launch_failure),
    RT_CASE(a_call_of_no_function_is_an_invalid_pc),
    RT_CASE(a_deadlock_is_a_timeout),
    RT_CASE(a_failed_assertion_is_told_as_such),
    RT_CASE(attributes_of_a_kernel),
    RT_CASE(occupancy_follows_the_limits),
    RT_CASE(hints_are_taken_for_kernels_only),
};

TEST_MAIN(tests)
