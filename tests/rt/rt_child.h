/*
 * rt_child.h -- testing what the library does to the process it lives in.
 *
 * A case runs its own program again with RT_CHILD set, which makes it one of the programs in
 * `child[]` instead of a test, and looks at what that left behind:
 *
 *     static int exits_3(void) { return run_add() ? 9 : 3; }
 *     static const struct rt_child child[] = {{"exits_3", exits_3}};
 *
 *     assert_int_equal(run("exits_3", NULL), 3);
 *     assert_true(in_json("\"exit_status\": 3"));
 *     ...
 *     RT_MAIN(tests, child)          instead of TEST_MAIN(tests)
 *
 * out, err, json and word hold the child's standard output and error, its report and SMELT_STATUS.
 */
#ifndef TESTS_RT_RT_CHILD_H
#define TESTS_RT_RT_CHILD_H

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/rt/rt_test.h"

struct rt_child {
    const char *name;
    int (*run)(void);
};

enum { TEXT = 1 << 22 };
static char out[TEXT], err[TEXT], json[TEXT], word[TEXT];
static char dir[] = "t_process_XXXXXX";

static inline const char *path(const char *name)
{
    static char full[4][256];
    static int next;
    char *p = full[next++ % 4];

    snprintf(p, sizeof full[0], "%s/%s", dir, name);
    return p;
}

static inline void slurp(const char *name, char *to)
{
    FILE *f = fopen(path(name), "r");
    size_t n = f ? fread(to, 1, TEXT - 1, f) : 0;

    to[n] = 0;
    if (f)
        fclose(f);
}

static inline void redirect(int fd, const char *name)
{
    int file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (file < 0 || dup2(file, fd) < 0)
        _exit(99);
}

static inline pid_t start(const char *name, const char *args)
{
    pid_t pid;

    memcpy(dir + sizeof dir - 7, "XXXXXX", 6);
    assert_non_null(mkdtemp(dir));
    pid = fork();
    if (pid)
        return pid;
    signal(SIGINT, SIG_DFL); /* a shell that runs the tests in the background has it ignored */
    redirect(STDOUT_FILENO, "out");
    redirect(STDERR_FILENO, "err");
    setenv("TEST_AGAIN", TEST_NAME, 1);
    setenv("RT_CHILD", name, 1);
    setenv("SMELT_GPU", "tiny", 1);
    setenv("SMELT_JSON", path("json"), 1);
    setenv("SMELT_STATUS", path("status"), 1);
    setenv("SMELT_QUIET", "1", 1);
    setenv("RT_FOLDER", dir, 1);
    if (args)
        setenv("SMELT_ARGS", args, 1);
    else
        unsetenv("SMELT_ARGS");
    execl("/proc/self/exe", name, (char *)NULL);
    _exit(99);
}

static inline int finish(pid_t pid)
{
    static const char *const left[] = {"out", "err", "json", "status"};
    int status = 0;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    slurp("out", out);
    slurp("err", err);
    slurp("json", json);
    slurp("status", word);
    for (unsigned int i = 0; i < sizeof left / sizeof left[0]; i++)
        unlink(path(left[i]));
    rmdir(dir);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static inline int run(const char *name, const char *args)
{
    return finish(start(name, args));
}

/* Does the process catch SIGINT yet?  Then its kernel runs, or its own handler is there. */
static inline int catches_int(pid_t pid)
{
    char name[64], line[256];
    unsigned long long mask = 0;

    snprintf(name, sizeof name, "/proc/%d/status", (int)pid);
    FILE *f = fopen(name, "r");

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "SigCgt: %llx", &mask) == 1)
            break;
    if (f)
        fclose(f);
    return mask >> (SIGINT - 1) & 1;
}

static inline int interrupt(const char *name)
{
    pid_t pid = start(name, NULL);

    for (int i = 0; i < 3000 && !catches_int(pid); i++)
        usleep(10000);
    kill(pid, SIGINT);
    return finish(pid);
}

static inline int lines(const char *s)
{
    int n = 0;

    for (; *s; s++)
        n += *s == '\n';
    return n;
}

static inline int in_json(const char *text)
{
    return strstr(json, text) != NULL;
}

/* One of the programs, by its name in RT_CHILD. */
static inline int run_child(const struct rt_child *child, size_t n)
{
    const char *name = getenv("RT_CHILD");

    for (size_t i = 0; name && i < n; i++)
        if (strcmp(child[i].name, name) == 0) {
            register_program();
            return child[i].run();
        }
    return 98;
}

#define RT_MAIN(tests, child)                                                                      \
    static int again(void)                                                                         \
    {                                                                                              \
        return run_child(child, sizeof(child) / sizeof((child)[0]));                               \
    }                                                                                              \
    TEST_MAIN_AGAIN(tests, again)

#endif
