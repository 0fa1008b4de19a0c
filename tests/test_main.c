/* test_main.c -- the program of a suite: see test_main.h */
#include "tests/test_main.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The build says which suite this is, TEST_SUITE, how much processor time a case may take, TEST_SECONDS, and
 * if each is to have a process of its own, TEST_ALONE. */

/* Also without using the processor it must not last for ever; the host may have much else to do. */
enum { CLOCK_SECONDS = 15 * TEST_SECONDS };

static char folders[4096 + 8]; /* where those of the cases are */
static const char suite[] = TEST_SUITE;

/* Beside this program. */
static void find_folders(void)
{
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

    if (n <= 0) {
        perror("/proc/self/exe");
        exit(2);
    }
    program[n] = 0;
    *strrchr(program, '/') = 0;
    snprintf(folders, sizeof(folders), "%s/run", program);
}

/* Into the folder of a case, run/SUITE.FILE/CASE, which stays to be looked at. */
static void enter_folder(const struct test_file *file, const char *name)
{
    char dir[2 * sizeof(folders)];

    mkdir(folders, 0777);
    snprintf(dir, sizeof(dir), "%s/%s.%s", folders, suite, file->name);
    mkdir(dir, 0777);
    snprintf(dir, sizeof(dir), "%s/%s.%s/%s", folders, suite, file->name, name);
    mkdir(dir, 0777);
    if (chdir(dir) != 0) {
        perror(dir);
        _exit(2);
    }
}

static int run_here(const struct test_file *file, const struct CMUnitTest *test)
{
    enter_folder(file, test->name);
    return _cmocka_run_group_tests(test->name, test, 1, NULL, NULL) ? 1 : 0;
}

/* --- cases in a process of their own, which may die of one --- */

/* What the process of the cases leaves behind. */
struct progress {
    size_t at; /* which case it is at */
    size_t failed;
};

static struct progress *progress;

static void copy_to_output(FILE *said)
{
    char text[4096];
    size_t n;

    fflush(said);
    rewind(said);
    while ((n = fread(text, 1, sizeof(text), said)) > 0)
        fwrite(text, 1, n, stdout);
}

/* `wrong` is what went wrong, or NULL. */
static void tell(const struct test_file *file, const char *name, const char *wrong, FILE *said)
{
    printf("%-6s %s.%s.%s%s%s\n", wrong ? "FAILED" : "ok", suite, file->name, name,
           wrong ? ": " : "", wrong ? wrong : "");
    if (wrong)
        copy_to_output(said);
    fflush(stdout);
}

static void limit_time(void)
{
    struct rusage used;
    struct rlimit cpu;

    getrusage(RUSAGE_SELF, &used);
    getrlimit(RLIMIT_CPU, &cpu);
    cpu.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + TEST_SECONDS);
    setrlimit(RLIMIT_CPU, &cpu);
    alarm(CLOCK_SECONDS);
}

/* With its output and messages in `said`. */
static void run_case(const struct test_file *file, const struct CMUnitTest *test, FILE *said)
{
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);

    rewind(said);
    if (out < 0 || err < 0 || ftruncate(fileno(said), 0) != 0 ||
        dup2(fileno(said), STDOUT_FILENO) < 0 || dup2(fileno(said), STDERR_FILENO) < 0)
        _exit(2);
    limit_time();
    int failed = run_here(file, test);

    fflush(stdout);
    dup2(out, STDOUT_FILENO), dup2(err, STDERR_FILENO);
    close(out), close(err);
    tell(file, test->name, failed ? "failed" : NULL, said);
    progress->failed += (size_t)failed;
}

/* Its own group, so that what it leaves running can be ended; gone when this process is. */
static pid_t start_cases(const struct test_file *file, size_t from, size_t to, FILE *said)
{
    pid_t parent = getpid(), pid;

    fflush(NULL);
    pid = fork();
    if (pid != 0)
        return pid;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(2);
    for (progress->at = from; progress->at < to; progress->at++)
        run_case(file, &file->test[progress->at], said);
    alarm(0);
    dup2(fileno(said), STDERR_FILENO); /* what is said at the end, of leaks */
    exit(0);
}

static const char *how_it_ended(int status)
{
    static char text[64];

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    if (WIFEXITED(status))
        snprintf(text, sizeof(text), "ended with status %d", WEXITSTATUS(status));
    else if (WTERMSIG(status) == SIGXCPU)
        return "took more than " TEST_TEXT(TEST_SECONDS) " seconds of processor time";
    else if (WTERMSIG(status) == SIGALRM)
        return "did not end";
    else
        snprintf(text, sizeof(text), "was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    return text;
}

/* The first case that is still to do: all but when a process died of one. */
static size_t run_cases(const struct test_file *file, size_t from, size_t to)
{
    int status = 0;
    FILE *said = tmpfile();
    pid_t pid = said ? start_cases(file, from, to, said) : -1;

    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror(file->name);
        exit(2);
    }
    kill(-pid, SIGKILL);
    const char *wrong = how_it_ended(status);
    size_t at = progress->at;

    if (wrong) {
        tell(file, at < to ? file->test[at].name : "(after its cases)", wrong, said);
        progress->failed++;
    }
    fclose(said);
    return at < to ? at + 1 : to;
}

/* --- the command line --- */

static const struct test_file *find_file(const char *name)
{
    for (const struct test_file *const *f = test_files; *f; f++)
        if (strcmp((*f)->name, name) == 0)
            return *f;
    fprintf(stderr, "no test file named %s; --list shows them\n", name);
    exit(2);
}

static const struct CMUnitTest *find_case(const struct test_file *file, const char *name)
{
    for (size_t i = 0; i < file->n; i++)
        if (strcmp(file->test[i].name, name) == 0)
            return &file->test[i];
    fprintf(stderr, "no test case named %s in %s; --list shows them\n", name, file->name);
    exit(2);
}

static int list_cases(void)
{
    for (const struct test_file *const *f = test_files; *f; f++)
        for (size_t i = 0; i < (*f)->n; i++)
            printf("%s.%s\n", (*f)->name, (*f)->test[i].name);
    return 0;
}

static int run_file(const struct test_file *file)
{
    progress->failed = 0;
    for (size_t at = 0; at < file->n;)
        at = run_cases(file, at, TEST_ALONE ? at + 1 : file->n);
    printf("%s.%s: %zu cases, %zu failed\n", suite, file->name, file->n, progress->failed);
    return progress->failed != 0;
}

static int run_all(void)
{
    int worst = 0;

    for (const struct test_file *const *f = test_files; *f; f++)
        worst |= run_file(*f);
    return worst;
}

static int run_named(const struct test_file *file, int n, char **name)
{
    int worst = 0;

    for (int i = 0; i < n; i++)
        worst |= run_here(file, find_case(file, name[i]));
    return worst;
}

int main(int argc, char **argv)
{
    const char *again = getenv("TEST_AGAIN");

    if (again)
        return find_file(again)->again();
    find_folders();
    progress =
        mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list_cases();
    if (argc < 2)
        return run_all();
    const struct test_file *file = find_file(argv[1]);

    return argc == 2 ? run_file(file) : run_named(file, argc - 2, argv + 2);
}
