/* The library and the process it lives in: settings, JSON, exit status, signals, forks. */
#include "tests/rt/rt_child.h"

/* --- the programs --- */

static int run_add(void)
{
    int v = 1, n = 4, *d;

    if (cudaMalloc((void **)&d, 16) || cudaMemset(d, 0, 16))
        return 9;
    return cudaLaunchKernel(kernel_add, DIM(1), DIM(32), ARGS(&d, &v, &n), 0, NULL) ? 9 : 0;
}

static int exits_3(void)
{
    return run_add() ? 9 : 3;
}

static int leaves_at_once(void)
{
    run_add();
    _exit(0);
}

static int ignores_its_fault(void)
{
    cudaLaunchKernel(kernel_trap, DIM(1), DIM(1), NULL, 0, NULL);
    puts("fine");
    return 0;
}

static int mends_its_fault(void)
{
    ignores_its_fault();
    return cudaDeviceReset() ? 9 : run_add();
}

static int runs_for_ever(void)
{
    puts("before");
    cudaLaunchKernel(kernel_endless, DIM(1), DIM(1), NULL, 0, NULL);
    return 0;
}

static void on_signal(int number)
{
    (void)number;
    if (write(STDOUT_FILENO, "own\n", 4) < 0)
        _exit(9);
    _exit(5);
}

static int has_a_handler(void)
{
    signal(SIGINT, on_signal);
    return runs_for_ever();
}

static int keeps_the_default(void)
{
    struct sigaction act;

    if (run_add() || sigaction(SIGINT, NULL, &act))
        return 9;
    return act.sa_handler == SIG_DFL ? 0 : 9;
}

static int forks(void)
{
    pid_t pid = (run_add(), fork());
    int status;

    if (pid == 0)
        exit(run_add() ? 9 : 4);
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status) == 4 ? 0 : 9;
}

static int repeats_a_mistake(void)
{
    for (int i = 0; i < 100; i++)
        cudaMemset(NULL, 0, 4);
    return 0;
}

static int prints_on_both_sides(void)
{
    puts("host");
    cudaLaunchKernel(kernel_hello, DIM(1), DIM(2), NULL, 0, NULL);
    cudaDeviceSynchronize();
    puts("host");
    return 0;
}

static int uses_no_device(void)
{
    int n = 0;

    return cudaGetDeviceCount(&n) || n != 1 || cudaGetLastError();
}

static int needs_registers(void)
{
    int v = 1, n = 1, *d;

    if (cudaMalloc((void **)&d, 4))
        return 9;
    return cudaLaunchKernel(kernel_add, DIM(1), DIM(256), ARGS(&d, &v, &n), 0, NULL) ==
                   cudaErrorLaunchOutOfResources
               ? cudaDeviceSynchronize()
               : 9;
}

#define EXPECT(call, code)                                                                         \
    if ((call) != (code))                                                                          \
    return __LINE__ % 256

/* Nothing of the runtime API here, which would make a context by itself. */
static int uses_the_driver_only(void)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    size_t before, after, total;
    int n;

    EXPECT(cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuMemAlloc(&p, 4), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuInit(0), CUDA_SUCCESS);
    EXPECT(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxGetCurrent(&c), CUDA_SUCCESS);
    EXPECT(c, NULL);
    EXPECT(cuCtxCreate(&c, 0, 0), CUDA_SUCCESS);
    EXPECT(cuMemGetInfo(&before, &total), CUDA_SUCCESS);
    EXPECT(cuMemAlloc(&p, 4), CUDA_SUCCESS);
    EXPECT(cuModuleLoadData(&m, rt_ptx), CUDA_SUCCESS);
    EXPECT(cuModuleGetFunction(&f, m, "trap"), CUDA_SUCCESS);
    EXPECT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_SUCCESS);
    EXPECT(cuMemFree(p), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT(cuCtxDestroy(c), CUDA_SUCCESS); /* the last one: everything goes, the fault too */
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxCreate(&c, 0, 0), CUDA_SUCCESS);
    EXPECT(cuMemGetInfo(&after, &total), CUDA_SUCCESS);
    EXPECT(before, after);
    EXPECT(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuCtxDestroy(c), CUDA_SUCCESS);
    return 0;
}

static const struct rt_child child[] = {
    {"exits_3", exits_3},
    {"leaves_at_once", leaves_at_once},
    {"ignores_its_fault", ignores_its_fault},
    {"mends_its_fault", mends_its_fault},
    {"runs_for_ever", runs_for_ever},
    {"has_a_handler", has_a_handler},
    {"keeps_the_default", keeps_the_default},
    {"forks", forks},
    {"repeats_a_mistake", repeats_a_mistake},
    {"prints_on_both_sides", prints_on_both_sides},
    {"needs_registers", needs_registers},
    {"uses_the_driver_only", uses_the_driver_only},
    {"uses_no_device", uses_no_device},
};

/* --- the cases --- */

static void the_exit_status_is_in_the_json(void **state)
{
    (void)state;
    assert_int_equal(run("exits_3", NULL), 3);
    assert_true(in_json("\"exit_status\": 3"));
    assert_true(in_json("\"name\": \"add\""));
    assert_true(in_json("\"gpu\": \"tiny\""));
    assert_true(in_json("\"kind\": \"cuda\""));
    assert_string_equal(word, "");
    assert_string_equal(err, "");
}

static void leaving_at_once_loses_no_kernel(void **state)
{
    (void)state;
    assert_int_equal(run("leaves_at_once", NULL), 0);
    assert_true(in_json("\"name\": \"add\""));
    assert_true(in_json("\"status\": \"running\"")); /* `smelt run` completes it */
}

static void a_fault_is_noted_though_the_program_goes_on(void **state)
{
    (void)state;
    assert_int_equal(run("ignores_its_fault", NULL), 0);
    assert_string_equal(word, "fault");
    assert_true(in_json("\"status\": \"fault\""));
    assert_string_equal(out, "fine\n");
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "smelt: kernel trap: trap"));
}

static void a_fault_is_noted_though_the_program_mends_it(void **state)
{
    (void)state;
    assert_int_equal(run("mends_its_fault", NULL), 0);
    assert_string_equal(word, "fault");
    assert_true(in_json("kernel trap: trap"));
}

static void a_bad_setting_ends_the_program(void **state)
{
    (void)state;
    assert_int_equal(run("exits_3", "--set sm.n_warp=0"), 2);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "smelt: "));
    assert_non_null(strstr(err, "sm.n_warp"));
}

static void a_bad_gpu_matters_only_to_programs_that_use_it(void **state)
{
    (void)state;
    assert_int_equal(run("uses_no_device", "-g nonsense"), 0);
    assert_string_equal(err, "");
    assert_int_equal(run("exits_3", "-g nonsense"), 2);
    assert_non_null(strstr(err, "nonsense"));
}

static void the_limit_of_instructions_ends_the_program(void **state)
{
    (void)state;
    char args[300];

    snprintf(args, sizeof args, "-g tiny --max-insts 10000");
    assert_int_equal(run("runs_for_ever", args), 1);
    assert_string_equal(word, "max_insts");
    assert_string_equal(out, "before\n"); /* what it printed is not lost */
    assert_non_null(strstr(err, "10000 warp instructions"));
}

static void ctrl_c_stops_the_kernel_and_the_program(void **state)
{
    (void)state;
    assert_int_equal(interrupt("runs_for_ever"), 1);
    assert_string_equal(word, "interrupted");
    assert_true(in_json("\"status\": \"interrupted\""));
    assert_string_equal(out, "before\n");
}

static void a_handler_of_the_program_is_left_alone(void **state)
{
    (void)state;
    assert_int_equal(interrupt("has_a_handler"), 5);
    assert_string_equal(out, "own\n"); /* _exit without flushing is that program's doing */
}

static void after_a_kernel_signals_are_as_before(void **state)
{
    (void)state;
    assert_int_equal(run("keeps_the_default", NULL), 0);
}

static void a_forked_child_leaves_the_report_alone(void **state)
{
    (void)state;
    assert_int_equal(run("forks", NULL), 0);
    assert_true(in_json("\"exit_status\": 0"));
    assert_true(in_json("\"status\": \"done\""));
}

static void a_repeated_mistake_is_told_once(void **state)
{
    (void)state;
    assert_int_equal(run("repeats_a_mistake", NULL), 0);
    assert_int_equal(lines(err), 1);
}

static void device_printf_is_in_order_with_the_hosts(void **state)
{
    (void)state;
    assert_int_equal(run("prints_on_both_sides", NULL), 0);
    assert_string_equal(out, "host\nhi\nhi\nhost\n");
    assert_string_equal(err, "");
}

/* 256 threads of 64 registers are twice what an SM of tiny has. */
static void too_many_registers_are_too_many_resources(void **state)
{
    (void)state;
    assert_int_equal(run("needs_registers", "-g tiny --set front.regs=64"), 0);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "16384 registers"));
}

static void the_driver_needs_init_and_a_context(void **state)
{
    (void)state;
    assert_int_equal(run("uses_the_driver_only", NULL), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_exit_status_is_in_the_json),
    cmocka_unit_test(leaving_at_once_loses_no_kernel),
    cmocka_unit_test(a_fault_is_noted_though_the_program_goes_on),
    cmocka_unit_test(a_fault_is_noted_though_the_program_mends_it),
    cmocka_unit_test(a_bad_setting_ends_the_program),
    cmocka_unit_test(a_bad_gpu_matters_only_to_programs_that_use_it),
    cmocka_unit_test(the_limit_of_instructions_ends_the_program),
    cmocka_unit_test(ctrl_c_stops_the_kernel_and_the_program),
    cmocka_unit_test(a_handler_of_the_program_is_left_alone),
    cmocka_unit_test(after_a_kernel_signals_are_as_before),
    cmocka_unit_test(a_forked_child_leaves_the_report_alone),
    cmocka_unit_test(a_repeated_mistake_is_told_once),
    cmocka_unit_test(device_printf_is_in_order_with_the_hosts),
    cmocka_unit_test(too_many_registers_are_too_many_resources),
    cmocka_unit_test(the_driver_needs_init_and_a_context),
};

RT_MAIN(tests, child)
