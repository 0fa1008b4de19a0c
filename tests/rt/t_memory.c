/* Allocations: device, pitched, pinned, registered and managed memory. */
#include "tests/rt/rt_test.h"

#include <sys/mman.h>

static size_t free_memory(void)
{
    size_t f, t;

    RT_OK(cudaMemGetInfo(&f, &t));
    assert_int_equal(t, 16 << 20); /* tiny */
    return f;
}

static void free_gives_back_what_malloc_took(void **state)
{
    (void)state;
    size_t before = free_memory();
    void *p = new_bytes(1 << 20);

    assert_int_equal(free_memory(), before - (1 << 20));
    RT_OK(cudaFree(p));
    assert_int_equal(free_memory(), before);
}

static void nothing_and_null(void **state)
{
    (void)state;
    void *p = &p;

    RT_OK(cudaMalloc(&p, 0));
    assert_null(p);
    RT_OK(cudaFree(NULL));
    RT_ERR(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
}

static void more_than_there_is(void **state)
{
    (void)state;
    void *p;
    size_t pitch;

    RT_ERR(cudaMalloc(&p, 17 << 20), cudaErrorMemoryAllocation);
    RT_ERR(cudaMalloc(&p, (size_t)-1), cudaErrorMemoryAllocation);
    RT_ERR(cudaMallocPitch(&p, &pitch, (size_t)1 << 40, (size_t)1 << 40),
           cudaErrorMemoryAllocation);
    RT_ERR(cudaGetLastError(), cudaErrorMemoryAllocation);
    RT_OK(cudaGetLastError());
    new_bytes(1 << 20); /* and goes on */
}

static void free_of_what_is_no_buffer(void **state)
{
    (void)state;
    int host, *d = new_ints(4, 0);
    void *pinned;

    RT_OK(cudaMallocHost(&pinned, 64));
    RT_ERR(cudaFree(&host), cudaErrorInvalidValue);
    RT_ERR(cudaFree(d + 1), cudaErrorInvalidValue);
    RT_ERR(cudaFree(pinned), cudaErrorInvalidValue);
    RT_OK(cudaFree(d));
    RT_ERR(cudaFree(d), cudaErrorInvalidValue);
}

static void rows_start_at_multiples_of_the_pitch(void **state)
{
    (void)state;
    char *p;
    size_t pitch;

    RT_OK(cudaMallocPitch((void **)&p, &pitch, 100, 7));
    assert_int_equal(pitch % 512, 0);
    assert_true(pitch >= 100);
    RT_OK(cudaMemset(p + 6 * pitch, 1, pitch)); /* the last row is there in full */
    RT_ERR(cudaMemset(p + 7 * pitch, 1, 1), cudaErrorInvalidValue);
}

static void boxes_have_slices(void **state)
{
    (void)state;
    struct cudaPitchedPtr p;

    RT_OK(cudaMalloc3D(&p, make_cudaExtent(33, 5, 3)));
    assert_int_equal(p.xsize, 33);
    assert_int_equal(p.ysize, 5);
    RT_OK(cudaMemset((char *)p.ptr + 14 * p.pitch, 1, p.pitch));
    RT_ERR(cudaMemset((char *)p.ptr + 15 * p.pitch, 1, 1), cudaErrorInvalidValue);
}

/* --- host memory that kernels reach --- */

static void kernel_adds_to(int *p, int n)
{
    int v = 5;

    LAUNCH(kernel_add, 1, 32, ARGS(&p, &v, &n));
}

static void pinned_memory_is_the_hosts_and_the_kernels(void **state)
{
    (void)state;
    int *p;
    void *device;

    RT_OK(cudaMallocHost((void **)&p, 32 * sizeof *p));
    for (int i = 0; i < 32; i++)
        p[i] = i;
    kernel_adds_to(p, 32);
    assert_int_equal(p[31], 36);
    RT_OK(cudaHostGetDevicePointer(&device, p, 0));
    assert_ptr_equal(device, p);
    RT_OK(cudaFreeHost(p));
    RT_OK(cudaFreeHost(NULL));
}

static void managed_memory_needs_no_copies(void **state)
{
    (void)state;
    int *p;

    RT_OK(cudaMallocManaged((void **)&p, 4 * sizeof *p, cudaMemAttachGlobal));
    p[3] = 1;
    RT_OK(cudaMemPrefetchAsync(p, 4 * sizeof *p, 0, NULL));
    RT_OK(cudaMemAdvise(p, 4 * sizeof *p, cudaMemAdviseSetReadMostly, 0));
    kernel_adds_to(p, 4);
    RT_OK(cudaDeviceSynchronize());
    assert_int_equal(p[3], 6);
    RT_OK(cudaFree(p));
    RT_ERR(cudaMallocManaged((void **)&p, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
    RT_ERR(cudaMallocManaged((void **)&p, 4, 0), cudaErrorInvalidValue);
}

static void registered_memory_stays_the_programs(void **state)
{
    (void)state;
    int *p = calloc(32, sizeof *p);

    RT_OK(cudaHostRegister(p, 32 * sizeof *p, cudaHostRegisterMapped));
    kernel_adds_to(p, 32);
    assert_int_equal(p[31], 5);
    RT_ERR(cudaHostRegister(p + 31, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
    RT_ERR(cudaFreeHost(p), cudaErrorInvalidValue);
    RT_ERR(cudaHostUnregister(p + 1), cudaErrorHostMemoryNotRegistered);
    RT_OK(cudaHostUnregister(p));
    RT_ERR(cudaHostUnregister(p), cudaErrorHostMemoryNotRegistered);
    p[0] = 1; /* still ours */
    free(p);
}

/* A kernel could write to it, which would end the process. */
static void read_only_memory_is_not_registered(void **state)
{
    (void)state;
    static const int constant[4] = {1, 2, 3, 4};
    char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    RT_ERR(cudaHostRegister((void *)(uintptr_t)constant, sizeof constant, 0),
           cudaErrorInvalidValue);
    p[4096] = 7;
    assert_int_equal(mprotect(p + 4096, 4096, PROT_READ), 0);
    RT_ERR(cudaHostRegister(p, 3 * 4096, cudaHostRegisterMapped), cudaErrorInvalidValue);
    RT_ERR(cudaHostRegister(p + 4096, 16, 0), cudaErrorInvalidValue);
    RT_OK(cudaHostRegister(p, 4096, 0));
    RT_OK(cudaHostUnregister(p));
    assert_int_equal(mprotect(p + 4096, 4096, PROT_READ | PROT_WRITE), 0);
    RT_OK(cudaHostRegister(p, 3 * 4096, 0));
    assert_int_equal(p[4096], 7);
    RT_OK(cudaHostUnregister(p));
    munmap(p, 3 * 4096);
}

static char *three_pages(void)
{
    char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memset(p, 7, 3 * 4096);
    return p;
}

/* Whatever the first and the last page allow. */
static void copies_to_and_from_what_is_protected_are_refused(void **state)
{
    (void)state;
    enum { ALL = 3 * 4096 };
    char *p = three_pages(), *d;

    RT_OK(cudaMalloc((void **)&d, 8 * ALL));
    RT_OK(cudaMemset(d, 1, ALL));
    assert_int_equal(mprotect(p + 4096, 4096, PROT_READ), 0);
    RT_ERR(cudaMemcpy(p, d, ALL, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(p + 4100, d, 1, cudaMemcpyDefault), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpyAsync(p, d, ALL, cudaMemcpyDeviceToHost, NULL), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(p, p + 8192, 4097, cudaMemcpyHostToHost), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy2D(p, 2048, d, 64, 64, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    RT_OK(cudaMemcpy2D(p, 8192, d, 4096, 4096, 2, cudaMemcpyDeviceToHost)); /* around it */
    RT_OK(cudaMemcpy(d, p, ALL, cudaMemcpyHostToDevice));                   /* it can be read */
    assert_int_equal(p[0] + p[4096] + p[8192], 9);
    assert_int_equal(mprotect(p + 4096, 4096, PROT_NONE), 0);
    RT_ERR(cudaMemcpy(d, p, ALL, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy2D(d, 16, p, 5000, 16, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    munmap(p, ALL);
    RT_ERR(cudaMemcpy(p, d, 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    RT_OK(cudaFree(d));
}

static void copies_see_what_became_of_registered_memory(void **state)
{
    (void)state;
    enum { ALL = 3 * 4096 };
    char *p = three_pages(), *d;

    RT_OK(cudaMalloc((void **)&d, ALL));
    RT_OK(cudaHostRegister(p, ALL, 0));
    RT_OK(cudaMemset(p, 2, ALL));
    assert_int_equal(mprotect(p + 4096, 4096, PROT_READ), 0);
    RT_ERR(cudaMemset(p, 3, ALL), cudaErrorInvalidValue);
    RT_ERR(cudaMemset2D(p, 4096, 3, 1, 2), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(p, d, ALL, cudaMemcpyDefault), cudaErrorInvalidValue);
    RT_OK(cudaMemcpy(d, p, ALL, cudaMemcpyDefault));
    RT_OK(cudaMemset(p, 4, 4096));
    assert_int_equal(p[0] + p[4096], 6);
    munmap(p, 4096);
    RT_ERR(cudaMemset(p, 3, 1), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(d, p, ALL, cudaMemcpyDefault), cudaErrorInvalidValue);
    RT_OK(cudaHostUnregister(p));
    munmap(p + 4096, 2 * 4096);
    RT_OK(cudaFree(d));
}

static const char reader_ptx[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                                 ".visible .entry reader(.param .u64 to, .param .u64 from)\n{\n"
                                 ".reg .b64 %d<3>; .reg .b32 %r<2>;\n"
                                 "ld.param.u64 %d1, [to];\nld.param.u64 %d2, [from];\n"
                                 "ld.global.u32 %r1, [%d2];\nst.global.u32 [%d1], %r1;\nret;\n}\n";

static cudaError_t read_by_kernel(int *to, const void *from)
{
    static char stub[1];
    static int registered;

    if (!registered++)
        register_kernel(register_text(reader_ptx), stub, "reader");
    cudaLaunchKernel(stub, DIM(1), DIM(32), ARGS(&to, &from), 0, NULL);
    return cudaDeviceSynchronize();
}

static void kernels_fault_on_what_became_of_registered_memory(void **state)
{
    (void)state;
    int *d, got = 0;
    char *p = three_pages(), *q = three_pages();

    RT_OK(cudaMalloc((void **)&d, 4));
    RT_OK(cudaHostRegister(p, 4096, 0));
    RT_OK(cudaHostRegister(q, 3 * 4096, 0));
    munmap(p, 4096); /* a kernel that does not touch it is not concerned */
    assert_int_equal(mprotect(q, 4096, PROT_READ), 0);
    RT_OK(read_by_kernel(d, q + 8192));
    RT_OK(read_by_kernel(d, q));
    RT_OK(cudaMemcpy(&got, d, 4, cudaMemcpyDefault));
    assert_int_equal(got, 0x07070707);
    RT_ERR(read_by_kernel((int *)(void *)q, d), cudaErrorIllegalAddress);
    RT_OK(cudaDeviceReset());
    RT_OK(cudaMalloc((void **)&d, 4));
    RT_OK(cudaHostRegister(q + 8192, 4096, 0));
    RT_OK(read_by_kernel((int *)(void *)(q + 8192), d));
    assert_int_equal(mprotect(q + 8192, 4096, PROT_NONE), 0);
    RT_ERR(read_by_kernel(d, q + 8192), cudaErrorIllegalAddress);
    RT_OK(cudaDeviceReset());
    munmap(p + 4096, 2 * 4096);
    munmap(q, 3 * 4096);
}

static void unregistered_memory_is_out_of_reach(void **state)
{
    (void)state;
    int *p = calloc(32, sizeof *p), v = 1, n = 32;

    RT_OK(cudaLaunchKernel(kernel_add, DIM(1), DIM(32), ARGS(&p, &v, &n), 0, NULL));
    RT_ERR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    assert_int_equal(p[0], 0);
    RT_OK(cudaDeviceReset());
    free(p);
}

static void kernels_stay_inside_of_pinned_memory(void **state)
{
    (void)state;
    int *p, v = 1, n = 4;

    RT_OK(cudaMallocHost((void **)&p, 3 * sizeof *p));
    RT_OK(cudaLaunchKernel(kernel_add, DIM(1), DIM(32), ARGS(&p, &v, &n), 0, NULL));
    RT_ERR(cudaGetLastError(), cudaErrorIllegalAddress);
}

static void host_flags_and_wrong_ones(void **state)
{
    (void)state;
    void *p, *device;
    unsigned int flags = 0;
    int host;

    RT_OK(cudaHostAlloc(&p, 8, cudaHostAllocPortable | cudaHostAllocMapped));
    RT_OK(cudaHostGetFlags(&flags, p));
    assert_int_equal(flags, cudaHostAllocPortable | cudaHostAllocMapped);
    RT_ERR(cudaHostGetFlags(&flags, &host), cudaErrorInvalidValue);
    RT_ERR(cudaHostAlloc(&p, 8, 0x80), cudaErrorInvalidValue);
    RT_ERR(cudaHostGetDevicePointer(&device, &host, 0), cudaErrorInvalidValue);
    RT_ERR(cudaHostRegister(NULL, 8, 0), cudaErrorInvalidValue);
    RT_ERR(cudaHostRegister(&host, 0, 0), cudaErrorInvalidValue);
}

static void pointers_say_what_they_point_to(void **state)
{
    (void)state;
    struct cudaPointerAttributes a;
    void *pinned, *managed, *d = new_bytes(16);
    int host;

    RT_OK(cudaMallocHost(&pinned, 16));
    RT_OK(cudaMallocManaged(&managed, 16, cudaMemAttachGlobal));
    RT_OK(cudaPointerGetAttributes(&a, (char *)d + 8));
    assert_int_equal(a.type, cudaMemoryTypeDevice);
    assert_null(a.hostPointer);
    RT_OK(cudaPointerGetAttributes(&a, pinned));
    assert_int_equal(a.type, cudaMemoryTypeHost);
    assert_ptr_equal(a.devicePointer, pinned);
    RT_OK(cudaPointerGetAttributes(&a, managed));
    assert_int_equal(a.type, cudaMemoryTypeManaged);
    assert_int_equal(a.memoryType, cudaMemoryTypeDevice);
    assert_int_equal(a.isManaged, 1);
    RT_ERR(cudaPointerGetAttributes(&a, &host), cudaErrorInvalidValue);
}

/* --- the heap of kernels --- */

static void *grab(long n)
{
    void **d = new_bytes(sizeof *d), *got = NULL;

    LAUNCH(kernel_grabs, 1, 1, ARGS(&d, &n));
    RT_OK(cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost));
    RT_OK(cudaFree(d));
    return got;
}

static void kernels_have_a_heap_of_the_size_asked_for(void **state)
{
    (void)state;
    RT_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4096));
    assert_null(grab(8192));
    void *p = grab(1024);

    assert_non_null(p);
    RT_ERR(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20), cudaErrorInvalidValue);
    RT_ERR(cudaFree(p), cudaErrorInvalidValue);
    RT_ERR(cudaGetLastError(), cudaErrorInvalidValue);
    RT_OK(cudaDeviceReset());
    assert_non_null(grab(8192)); /* the GPU's own size again */
}

static void a_reset_frees_everything(void **state)
{
    (void)state;
    size_t all = free_memory();
    void *pinned, *d = new_bytes(1 << 20);

    RT_OK(cudaMallocHost(&pinned, 64));
    RT_OK(cudaDeviceReset());
    assert_int_equal(free_memory(), all);
    RT_ERR(cudaFree(d), cudaErrorInvalidValue);
    RT_ERR(cudaFreeHost(pinned), cudaErrorInvalidValue);
}

static const struct CMUnitTest tests[] = {
    RT_CASE(free_gives_back_what_malloc_took),
    RT_CASE(nothing_and_null),
    RT_CASE(more_than_there_is),
    RT_CASE(free_of_what_is_no_buffer),
    RT_CASE(rows_start_at_multiples_of_the_pitch),
    RT_CASE(boxes_have_slices),
    RT_CASE(pinned_memory_is_the_hosts_and_the_kernels),
    RT_CASE(managed_memory_needs_no_copies),
    RT_CASE(registered_memory_stays_the_programs),
    RT_CASE(read_only_memory_is_not_registered),
    RT_CASE(copies_to_and_from_what_is_protected_are_refused),
    RT_CASE(copies_see_what_became_of_registered_memory),
    RT_CASE(kernels_fault_on_what_became_of_registered_memory),
    RT_CASE(unregistered_memory_is_out_of_reach),
    RT_CASE(kernels_stay_inside_of_pinned_memory),
    RT_CASE(host_flags_and_wrong_ones),
    RT_CASE(pointers_say_what_they_point_to),
    RT_CASE(kernels_have_a_heap_of_the_size_asked_for),
    RT_CASE(a_reset_frees_everything),
};

TEST_MAIN(tests)
