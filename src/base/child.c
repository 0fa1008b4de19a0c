/* child.c -- see child.h */
#define _GNU_SOURCE /* pipe2 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child.  If the parent has ended before the kernel knew, nobody would tell us any more. */
static void exec_child(pid_t parent, const char *path, char *const *argv, int log)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(ERR_USER);
    sigset_t none;
    sigemptyset(&none);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
    }
    execv(path, argv);
}

/* Why exec failed, 0 if it did not: then the pipe has closed without a word. */
static int failure_of(int from)
{
    int why = 0;
    while (read(from, &why, sizeof(why)) < 0 && errno == EINTR)
        ;
    return why;
}

pid_t child_start(const char *path, char *const *argv, int log, struct err *e)
{
    int word[2];
    pid_t parent = getpid(), pid = pipe2(word, O_CLOEXEC) == 0 ? fork() : -1;
    if (pid < 0) {
        err_set(e, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (pid == 0) {
        exec_child(parent, path, argv, log);
        ssize_t told = write(word[1], &errno, sizeof(errno));
        _exit(told > 0 ? ERR_USER : ERR_PROGRAM);
    }
    close(word[1]);
    int why = failure_of(word[0]);
    close(word[0]);
    if (why) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
        err_set(e, "%s: %s", path, strerror(why));
        return -1;
    }
    return pid;
}
