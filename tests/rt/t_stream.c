/* Streams, events, callbacks, host threads. */
#include <pthread.h>

#include "tests/rt/rt_test.h"

static void work_in_streams_is_done_in_order(void **state)
{
    (void)state;
    int one = 1, n = 4, got[4] = {0}, *d = new_ints(4, 0);
    cudaStream_t a, b;

    RT_OK(cudaStreamCreate(&a));
    RT_OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    RT_OK(cudaMemsetAsync(d, 0, 16, a));
    RT_OK(cudaLaunchKernel(kernel_add, DIM(1), DIM(32), ARGS(&d, &one, &n), 0, a));
    RT_OK(cudaLaunchKernel(kernel_add, DIM(1), DIM(32), ARGS(&d, &one, &n), 0, b));
    RT_OK(cudaMemcpyAsync(got, d, 16, cudaMemcpyDeviceToHost, a));
    RT_OK(cudaStreamQuery(a));
    RT_OK(cudaStreamSynchronize(a));
    assert_int_equal(got[3], 2);
    RT_OK(cudaStreamDestroy(a));
    RT_OK(cudaStreamDestroy(b));
}

static void streams_remember_flags_and_priority(void **state)
{
    (void)state;
    cudaStream_t s;
    unsigned int flags = 9;
    int priority = 9, least = 9, greatest = 9;

    RT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    assert_int_equal(least, 0);
    assert_int_equal(greatest, -1);
    RT_OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -5));
    RT_OK(cudaStreamGetPriority(s, &priority));
    RT_OK(cudaStreamGetFlags(s, &flags));
    assert_int_equal(priority, -1);
    assert_int_equal(flags, cudaStreamNonBlocking);
    RT_OK(cudaStreamGetFlags(NULL, &flags));
    assert_int_equal(flags, cudaStreamDefault);
}

static void streams_that_need_no_creating(void **state)
{
    (void)state;
    RT_OK(cudaStreamSynchronize(NULL));
    RT_OK(cudaStreamSynchronize(cudaStreamLegacy));
    RT_OK(cudaStreamQuery(cudaStreamPerThread));
    RT_ERR(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
}

static void destroyed_streams_are_invalid(void **state)
{
    (void)state;
    cudaStream_t s;

    RT_OK(cudaStreamCreate(&s));
    RT_OK(cudaStreamDestroy(s));
    RT_ERR(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaStreamDestroy(s), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaStreamCreateWithFlags(&s, 8), cudaErrorInvalidValue);
}

/* --- events: simulated time --- */

static float time_of_launches(int launches)
{
    int one = 1, n = 4, *d = new_ints(4, 0);
    cudaEvent_t start, end;
    float ms = -1;

    RT_OK(cudaEventCreate(&start));
    RT_OK(cudaEventCreate(&end));
    RT_OK(cudaEventRecord(start, NULL));
    for (int i = 0; i < launches; i++)
        LAUNCH(kernel_add, 1, 32, ARGS(&d, &one, &n));
    RT_OK(cudaEventRecord(end, NULL));
    RT_OK(cudaEventSynchronize(end));
    RT_OK(cudaEventQuery(end));
    RT_OK(cudaEventElapsedTime(&ms, start, end));
    return ms;
}

static void events_measure_simulated_time(void **state)
{
    (void)state;
    float once = time_of_launches(1), thrice = time_of_launches(3);

    assert_true(once > 0 && once < 1);
    assert_true(thrice > 2.9f * once && thrice < 3.1f * once); /* the same work each time */
    assert_true(time_of_launches(0) == 0);
}

static void elapsed_time_needs_two_recorded_events(void **state)
{
    (void)state;
    cudaEvent_t a, b, untimed;
    float ms;

    RT_OK(cudaEventCreate(&a));
    RT_OK(cudaEventCreate(&b));
    RT_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    RT_OK(cudaEventRecord(a, NULL));
    RT_OK(cudaEventRecord(untimed, NULL));
    RT_ERR(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaEventElapsedTime(&ms, a, untimed), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaEventElapsedTime(NULL, a, a), cudaErrorInvalidValue);
    RT_OK(cudaEventQuery(b)); /* nothing to wait for */
    RT_OK(cudaEventDestroy(b));
    RT_ERR(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaEventDestroy(b), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaEventCreateWithFlags(&b, 0x40), cudaErrorInvalidValue);
}

static void streams_wait_for_events(void **state)
{
    (void)state;
    cudaStream_t s;
    cudaEvent_t e;

    RT_OK(cudaStreamCreate(&s));
    RT_OK(cudaEventCreate(&e));
    RT_OK(cudaEventRecord(e, NULL));
    RT_OK(cudaStreamWaitEvent(s, e, 0));
    RT_ERR(cudaStreamWaitEvent(s, e, 1), cudaErrorInvalidValue);
    RT_ERR(cudaStreamWaitEvent(s, (cudaEvent_t)s, 0), cudaErrorInvalidResourceHandle);
}

static int called;

static void on_stream(cudaStream_t s, cudaError_t status, void *data)
{
    called += s == NULL && status == cudaSuccess && data == &called;
    cudaGetLastError(); /* the lock must let its holder in */
}

static void on_host(void *data)
{
    called += data == &called;
}

static void callbacks_are_called(void **state)
{
    (void)state;
    called = 0;
    RT_OK(cudaStreamAddCallback(NULL, on_stream, &called, 0));
    RT_OK(cudaLaunchHostFunc(NULL, on_host, &called));
    assert_int_equal(called, 2);
    RT_ERR(cudaStreamAddCallback(NULL, on_stream, &called, 1), cudaErrorInvalidValue);
    RT_ERR(cudaLaunchHostFunc(NULL, NULL, NULL), cudaErrorInvalidValue);
}

/* --- host threads --- */

static void *add_often(void *arg)
{
    int *d = arg, one = 1, n = 32;

    for (int i = 0; i < 50; i++)
        if (cudaLaunchKernel(kernel_add, DIM(1), DIM(32), ARGS(&d, &one, &n), 0, NULL))
            return d;
    return NULL;
}

static void threads_share_the_device(void **state)
{
    (void)state;
    int *d = new_ints(32, 0);
    pthread_t t[4];
    void *bad;

    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&t[i], NULL, add_often, d), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(t[i], &bad);
        assert_null(bad);
    }
    assert_int_equal(int_at(d, 31), 200);
}

static void *look_at_last_error(void *arg)
{
    *(cudaError_t *)arg = cudaGetLastError();
    return NULL;
}

static cudaError_t last_error_elsewhere(void)
{
    cudaError_t e = cudaErrorUnknown;
    pthread_t t;

    assert_int_equal(pthread_create(&t, NULL, look_at_last_error, &e), 0);
    pthread_join(t, NULL);
    return e;
}

static void the_last_error_is_the_threads_own(void **state)
{
    (void)state;
    RT_ERR(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    RT_OK(last_error_elsewhere());
    RT_ERR(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

static void a_fault_is_every_threads(void **state)
{
    (void)state;
    RT_OK(cudaLaunchKernel(kernel_trap, DIM(1), DIM(1), NULL, 0, NULL));
    RT_ERR(last_error_elsewhere(), cudaErrorLaunchFailure);
}

/*
 * Without timing, so that equal work takes equal time: there are no caches that the first launch
 * warms.
 */
static int fresh(void **state)
{
    setenv("SMELT_FUNCTIONAL", "1", 1);
    return rt_fresh(state);
}

#define CASE(name) cmocka_unit_test_setup(name, fresh)

static const struct CMUnitTest tests[] = {
    CASE(work_in_streams_is_done_in_order), CASE(streams_remember_flags_and_priority),
    CASE(streams_that_need_no_creating),    CASE(destroyed_streams_are_invalid),
    CASE(events_measure_simulated_time),    CASE(elapsed_time_needs_two_recorded_events),
    CASE(streams_wait_for_events),          CASE(callbacks_are_called),
    CASE(threads_share_the_device),         CASE(the_last_error_is_the_threads_own),
    CASE(a_fault_is_every_threads),
};

TEST_MAIN(tests)
