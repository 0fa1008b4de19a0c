/*
 * Programs that do to their process what programs do: change its arithmetic, its files and its
 * folder, fork, take signals, end in odd places.  Neither what kernels compute nor the report may
 * notice.
 */
#define _GNU_SOURCE /* feenableexcept */
#include <fenv.h>
#include <pthread.h>
#include <sys/time.h>
#include <xmmintrin.h>

#include "tests/rt/rt_child.h"

enum { FLUSH = 0x8040, PATIENCE = 60 }; /* FTZ and DAZ of MXCSR; seconds until a hang is one */

/* Sums, quotients and roots that round, subnormals, a division by zero; constants in decimal. */
static const char arithmetic_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".visible .entry arithmetic(.param .u64 p)\n{\n"
    ".reg .f32 %f<12>; .reg .f64 %g<8>; .reg .b64 %d<2>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\ncvt.rn.f32.u32 %f1, %r1;\n"
    "add.f32 %f2, %f1, 0.1;\ndiv.rn.f32 %f3, %f2, 3.3;\nsqrt.rn.f32 %f4, %f3;\n"
    "fma.rn.f32 %f5, %f3, %f4, 0.7;\nmul.f32 %f6, %f2, 0f00800000;\ndiv.rn.f32 %f7, %f2, "
    "0f00000000;\n"
    "ex2.approx.f32 %f8, %f3;\nsin.approx.f32 %f9, %f3;\nrcp.approx.f32 %f10, %f3;\n"
    "cvt.f64.f32 %g1, %f3;\nadd.f64 %g2, %g1, 0.1;\ndiv.rn.f64 %g3, %g2, 7.7;\n"
    "sqrt.rn.f64 %g4, %g3;\nfma.rn.f64 %g5, %g3, %g4, %g2;\ncvt.rn.f32.f64 %f11, %g5;\n"
    "st.global.f32 [%d1], %f2;\nst.global.f32 [%d1+4], %f4;\nst.global.f32 [%d1+8], %f5;\n"
    "st.global.f32 [%d1+12], %f6;\nst.global.f32 [%d1+16], %f7;\nst.global.f32 [%d1+20], %f8;\n"
    "st.global.f32 [%d1+24], %f9;\nst.global.f32 [%d1+28], %f10;\nst.global.f32 [%d1+32], %f11;\n"
    "st.global.f64 [%d1+40], %g5;\nst.global.f64 [%d1+48], %g3;\nret;\n}\n";

static int run_add(void)
{
    int v = 1, n = 4, *d;

    if (cudaMalloc((void **)&d, 16) || cudaMemset(d, 0, 16))
        return 9;
    return cudaLaunchKernel(kernel_add, DIM(1), DIM(32), ARGS(&d, &v, &n), 0, NULL) || cudaFree(d)
               ? 9
               : 0;
}

/* --- arithmetic --- */

/* One bit pattern a line. */
static int computes(void)
{
    static char stub[1];
    unsigned int bits[14] = {0};
    void **m = register_text(arithmetic_ptx), *d;

    register_kernel(m, stub, "arithmetic");
    if (cudaMalloc(&d, sizeof bits) || cudaMemset(d, 0, sizeof bits) ||
        cudaLaunchKernel(stub, DIM(1), DIM(1), ARGS(&d), 0, NULL) ||
        cudaMemcpy(bits, d, sizeof bits, cudaMemcpyDeviceToHost))
        return 9;
    for (unsigned int i = 0; i < sizeof bits / sizeof bits[0]; i++)
        printf("%08x\n", bits[i]);
    return 0;
}

static int computes_upwards(void)
{
    fesetround(FE_UPWARD);
    return computes() || fegetround() != FE_UPWARD;
}

static int computes_flushing(void)
{
    _mm_setcsr(_mm_getcsr() | FLUSH);
    return computes() || (_mm_getcsr() & FLUSH) != FLUSH;
}

static int computes_trapping(void)
{
    const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;

    feenableexcept(traps);
    int status = computes();

    return status || fedisableexcept(traps) != traps;
}

/* --- files and folders --- */

static int closes_everything(void)
{
    if (run_add())
        return 9;
    for (int fd = 0; fd < 256; fd++)
        close(fd);
    cudaLaunchKernel(kernel_hello, DIM(1), DIM(2), NULL, 0, NULL);
    cudaMemset(NULL, 0, 4); /* and a diagnosis */
    return run_add();
}

static int goes_elsewhere(void)
{
    return run_add() || chdir("/") || run_add() || cudaDeviceSynchronize();
}

static int loses_its_folder(void)
{
    char moved[300];

    snprintf(moved, sizeof moved, "%s.away", getenv("RT_FOLDER"));
    if (run_add() || rename(getenv("RT_FOLDER"), moved) || run_add() || run_add())
        return 9;
    return rename(moved, getenv("RT_FOLDER"));
}

/* --- ends --- */

static int returns_minus_1(void)
{
    return run_add() ? 9 : -1;
}

static void launch_at_end(void)
{
    if (run_add())
        _exit(9);
}

static int launches_at_exit(void)
{
    atexit(launch_at_end); /* after the report's end .. */
    if (run_add())
        return 9;
    atexit(launch_at_end); /* .. and before */
    return 0;
}

static int starts_at_exit(void)
{
    atexit(launch_at_end);
    return 0;
}

static void leave(void *arg)
{
    (void)arg;
    exit(7);
}

static int exits_in_a_callback(void)
{
    return run_add() || cudaLaunchHostFunc(NULL, leave, NULL) ? 9 : 8;
}

static int built; /* by a constructor, before anything is registered */

__attribute__((constructor)) static void construct(void)
{
    const char *name = getenv("RT_CHILD");
    int *p;

    if (name && strcmp(name, "was_built") == 0)
        built = cudaMalloc((void **)&p, 4) == cudaSuccess && cudaMemset(p, 0, 4) == cudaSuccess &&
                cudaLaunchKernel(kernel_add, DIM(1), DIM(1), NULL, 0, NULL) ==
                    cudaErrorInvalidDeviceFunction;
}

static int was_built(void)
{
    return built ? run_add() : 9;
}

/* --- forks --- */

static int join(pid_t pid)
{
    int status = 0;

    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

/* Several processes of one program, each with a device of its own. */
static int forks_before(void)
{
    pid_t pid[4];

    for (int i = 0; i < 4; i++)
        if ((pid[i] = fork()) == 0) {
            for (int k = 0; k < 20; k++)
                if (run_add())
                    exit(9);
            exit(0);
        }
    for (int i = 0; i < 4; i++)
        if (join(pid[i]))
            return 9;
    return run_add();
}

static int forks_and_faults(void)
{
    pid_t pid = (run_add(), fork());

    if (pid == 0) {
        cudaLaunchKernel(kernel_trap, DIM(1), DIM(1), NULL, 0, NULL);
        exit(cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 9);
    }
    return join(pid) ? 9 : run_add(); /* the parent's device is as it was */
}

static int forked;

static void fork_here(void *arg)
{
    pid_t pid = fork();

    (void)arg;
    if (pid == 0)
        exit(run_add());
    forked = join(pid) == 0;
}

static int forks_in_a_callback(void)
{
    return run_add() || cudaLaunchHostFunc(NULL, fork_here, NULL) || !forked ? 9 : run_add();
}

static void *spin(void *arg)
{
    (void)arg;
    cudaLaunchKernel(kernel_endless, DIM(1), DIM(1), NULL, 0, NULL);
    return NULL;
}

/* The child has half of a launch, and nobody who ends it. */
static int forks_beside_a_kernel(void)
{
    pthread_t thread;
    void *p;

    if (run_add() || pthread_create(&thread, NULL, spin, NULL))
        return 9;
    while (!catches_int(getpid()))
        usleep(1000);
    pid_t pid = fork();

    if (pid == 0) {
        alarm(PATIENCE);
        _exit(cudaMalloc(&p, 4) == cudaErrorInitializationError &&
                      cudaDeviceReset() == cudaErrorInitializationError &&
                      cudaGetLastError() == cudaErrorInitializationError
                  ? 4
                  : 9);
    }
    _exit(join(pid) == 4 ? 0 : 9);
}

/* --- signals and threads --- */

static volatile int alarms;

static void on_alarm(int number)
{
    (void)number;
    alarms++;
}

/* Handlers without SA_RESTART, as often as they can come. */
static int is_interrupted_often(void)
{
    struct sigaction act = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 200}, {0, 200}};

    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 300 || alarms < 20; i++)
        if (run_add() || cudaLaunchKernel(kernel_hello, DIM(1), DIM(2), NULL, 0, NULL))
            return 9;
    return 0;
}

static void *add_for_ever(void *arg)
{
    while (!run_add())
        pthread_testcancel();
    return arg;
}

/* Being cancelled happens between calls. */
static int cancels_threads(void)
{
    alarm(PATIENCE);
    for (int i = 0; i < 50; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, add_for_ever, NULL) || usleep(500 + 37 * (unsigned)i) ||
            run_add() || pthread_cancel(thread) || pthread_join(thread, NULL) || run_add())
            return 9;
    }
    return 0;
}

static const struct rt_child child[] = {
    {"computes", computes},
    {"computes_upwards", computes_upwards},
    {"computes_flushing", computes_flushing},
    {"computes_trapping", computes_trapping},
    {"closes_everything", closes_everything},
    {"goes_elsewhere", goes_elsewhere},
    {"loses_its_folder", loses_its_folder},
    {"returns_minus_1", returns_minus_1},
    {"launches_at_exit", launches_at_exit},
    {"starts_at_exit", starts_at_exit},
    {"exits_in_a_callback", exits_in_a_callback},
    {"was_built", was_built},
    {"forks_before", forks_before},
    {"forks_and_faults", forks_and_faults},
    {"forks_in_a_callback", forks_in_a_callback},
    {"forks_beside_a_kernel", forks_beside_a_kernel},
    {"is_interrupted_often", is_interrupted_often},
    {"cancels_threads", cancels_threads},
};

/* --- the cases --- */

static int count(const char *text, const char *what)
{
    int n = 0;

    for (const char *at = text; (at = strstr(at, what)); at++)
        n++;
    return n;
}

/* A whole file: the last brace is the first one's. */
static void check_report(const char *status, int adds)
{
    size_t n = strlen(json);

    assert_true(n > 2 && json[0] == '{' && strcmp(json + n - 3, "\n}\n") == 0);
    assert_int_equal(count(json, status), 1);
    if (adds)
        assert_int_equal(count(json, "\"name\": \"add\""), adds);
}

#define DONE "\"status\": \"done\""

static void same_bits_as_by_default(const char *name)
{
    static char bits[TEXT];

    assert_int_equal(run("computes", NULL), 0);
    memcpy(bits, out, sizeof bits);
    assert_int_equal(count(bits, "\n"), 14);
    assert_int_equal(run(name, NULL), 0);
    assert_string_equal(out, bits);
}

static void rounding_of_the_host_is_not_the_devices(void **state)
{
    (void)state;
    same_bits_as_by_default("computes_upwards");
}

static void flushing_of_the_host_is_not_the_devices(void **state)
{
    (void)state;
    same_bits_as_by_default("computes_flushing");
}

static void traps_of_the_host_are_not_the_devices(void **state)
{
    (void)state;
    same_bits_as_by_default("computes_trapping");
}

static void without_any_file_open(void **state)
{
    (void)state;
    assert_int_equal(run("closes_everything", NULL), 0);
    check_report(DONE, 2);
    assert_string_equal(err, "");
}

static void the_report_stays_where_it_was(void **state)
{
    (void)state;
    assert_int_equal(run("goes_elsewhere", NULL), 0);
    check_report(DONE, 2);
}

static void a_report_that_cannot_be_written_is_told_once(void **state)
{
    (void)state;
    assert_int_equal(run("loses_its_folder", NULL), 0);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "No such file"));
    check_report(DONE, 3); /* at the end it could */
}

static void statuses_are_as_the_parent_sees_them(void **state)
{
    (void)state;
    assert_int_equal(run("returns_minus_1", NULL), 255);
    check_report("\"exit_status\": 255", 1);
}

static void kernels_of_exit_handlers_are_reported(void **state)
{
    (void)state;
    assert_int_equal(run("launches_at_exit", NULL), 0);
    check_report(DONE, 3);
    assert_int_equal(run("starts_at_exit", NULL), 0);
    check_report(DONE, 1);
}

static void exit_in_a_callback(void **state)
{
    (void)state;
    assert_int_equal(run("exits_in_a_callback", NULL), 7);
    check_report("\"exit_status\": 7", 1);
}

static void calls_of_constructors(void **state)
{
    (void)state;
    assert_int_equal(run("was_built", NULL), 0);
    check_report(DONE, 1);
}

static void processes_that_share_a_report_leave_it_whole(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(run("forks_before", NULL), 0);
        check_report(DONE, 1); /* the last one's */
        assert_string_equal(err, "");
    }
}

static void a_fault_of_a_child_is_its_own(void **state)
{
    (void)state;
    assert_int_equal(run("forks_and_faults", NULL), 0);
    check_report(DONE, 2);
    assert_string_equal(word, "fault");
}

static void fork_in_a_callback(void **state)
{
    (void)state;
    assert_int_equal(run("forks_in_a_callback", NULL), 0);
    check_report(DONE, 2);
}

static void a_child_forked_beside_a_kernel_gets_an_error(void **state)
{
    (void)state;
    assert_int_equal(run("forks_beside_a_kernel", NULL), 0);
    check_report("\"status\": \"running\"", 1);
}

static void interrupted_calls_lose_nothing(void **state)
{
    (void)state;
    assert_int_equal(run("is_interrupted_often", NULL), 0);
    assert_true(count(out, "hi\n") >= 600);
    assert_int_equal(count(out, "hi\n") * 3, strlen(out));
    assert_string_equal(err, "");
}

static void cancelled_threads_leave_no_lock_behind(void **state)
{
    (void)state;
    assert_int_equal(run("cancels_threads", NULL), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rounding_of_the_host_is_not_the_devices),
    cmocka_unit_test(flushing_of_the_host_is_not_the_devices),
    cmocka_unit_test(traps_of_the_host_are_not_the_devices),
    cmocka_unit_test(without_any_file_open),
    cmocka_unit_test(the_report_stays_where_it_was),
    cmocka_unit_test(a_report_that_cannot_be_written_is_told_once),
    cmocka_unit_test(statuses_are_as_the_parent_sees_them),
    cmocka_unit_test(kernels_of_exit_handlers_are_reported),
    cmocka_unit_test(exit_in_a_callback),
    cmocka_unit_test(calls_of_constructors),
    cmocka_unit_test(processes_that_share_a_report_leave_it_whole),
    cmocka_unit_test(a_fault_of_a_child_is_its_own),
    cmocka_unit_test(fork_in_a_callback),
    cmocka_unit_test(a_child_forked_beside_a_kernel_gets_an_error),
    cmocka_unit_test(interrupted_calls_lose_nothing),
    cmocka_unit_test(cancelled_threads_leave_no_lock_behind),
};

RT_MAIN(tests, child)
