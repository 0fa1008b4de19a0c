/* cc_exec.c -- runs the steps of smelt cc; temporary files and signals (see cc.h). */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cc/cc.h"

extern char **environ;

/* --- signals --- */

static volatile sig_atomic_t caught;
static volatile sig_atomic_t child;

/* The terminal tells the whole process group; `kill` only us, so the child is told as well. */
static void tell_child(int sig)
{
    caught = sig;
    if (child > 0)
        kill((pid_t)child, sig);
}

void cc_catch_signals(void)
{
    static const int sigs[] = {SIGINT, SIGTERM, SIGHUP};
    for (u32 i = 0; i < LEN(sigs); i++) {
        struct sigaction old, act = {.sa_handler = tell_child};
        sigaction(sigs[i], NULL, &old);
        if (old.sa_handler != SIG_IGN)
            sigaction(sigs[i], &act, NULL);
    }
}

void cc_end_if_signalled(void)
{
    if (!caught)
        return;
    signal(caught, SIG_DFL);
    raise(caught);
}

/* --- commands --- */

/* "#$ command", as nvcc shows it: what follows can be given to a shell. */
static void show_command(const struct cc_words *command)
{
    fputs("#$", stderr);
    for (u32 i = 0; i < command->n; i++) {
        fputc(' ', stderr);
        text_put_word(stderr, command->at[i]);
    }
    fputc('\n', stderr);
}

void cc_show_setting(const struct cc *c, const char *name, const char *value)
{
    if (!c->dryrun && !c->verbose)
        return;
    fprintf(stderr, "#$ %s=", name);
    text_put_word(stderr, value);
    fputc('\n', stderr);
}

static int status_of_child(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return ERR_USER;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cc_run(struct cc *c, const struct cc_words *command)
{
    if (c->dryrun || c->verbose)
        show_command(command);
    if (c->dryrun)
        return 0;
    struct cc_words argv = {0};
    cc_add_all(&argv, command);
    *VEC_ADD(&argv) = NULL;
    pid_t pid;
    int failed =
        posix_spawnp(&pid, argv.at[0], NULL, NULL, (char *const *)(uintptr_t)argv.at, environ);
    int status = ERR_USER;
    if (failed) {
        fprintf(stderr, "smelt: cc: %s: %s\n", argv.at[0], strerror(failed));
    } else {
        child = pid;
        status = status_of_child(pid);
        child = 0;
    }
    VEC_FREE(&argv);
    return caught ? 128 + caught : status;
}

bool cc_capture(const char *tool, const char *option, char *line, size_t size)
{
    int fd[2];
    pid_t pid;
    const char *argv[] = {tool, option, NULL};
    posix_spawn_file_actions_t act;
    if (pipe(fd))
        return false;
    posix_spawn_file_actions_init(&act);
    posix_spawn_file_actions_adddup2(&act, fd[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&act, fd[0]);
    posix_spawn_file_actions_addclose(&act, fd[1]);
    int failed = posix_spawnp(&pid, tool, &act, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&act);
    close(fd[1]);
    size_t n = 0;
    for (ssize_t got; !failed && n + 1 < size && (got = read(fd[0], line + n, size - 1 - n)) > 0;)
        n += (size_t)got;
    close(fd[0]);
    line[n] = 0;
    line[strcspn(line, "\n")] = 0;
    return !failed && status_of_child(pid) == 0 && line[0];
}

/* --- temporary files --- */

static const char *temp_folder(struct cc *c)
{
    if (c->keep)
        return c->keep_dir ? c->keep_dir : ".";
    if (!c->temp && c->dryrun)
        return "/tmp";
    if (!c->temp) {
        const char *env = getenv("TMPDIR");
        c->temp = text_printf("%s/smelt-cc-XXXXXX", env && env[0] ? env : "/tmp");
        if (!mkdtemp(c->temp)) {
            fprintf(stderr, "smelt: cc: %s: %s\n", c->temp, strerror(errno));
            exit(ERR_USER);
        }
    }
    return c->temp;
}

/* Numbered, since a/x.cu and b/x.cu may be in one call. */
const char *cc_temp(struct cc *c, const char *path, const char *suffix)
{
    const char *base = text_base_name(path), *dot = strrchr(base, '.');
    int n = (int)(dot ? dot - base : (ptrdiff_t)strlen(base));
    if (c->keep)
        return cc_text(c, "%s/%.*s%s", temp_folder(c), n, base, suffix);
    return cc_text(c, "%s/%u-%.*s%s", temp_folder(c), c->own.n, n, base, suffix);
}

void cc_clean(struct cc *c)
{
    DIR *d = c->temp ? opendir(c->temp) : NULL;
    for (const struct dirent *ent; d && (ent = readdir(d));) {
        char *path = text_printf("%s/%s", c->temp, ent->d_name);
        unlink(path); /* fails for . and .., rightly */
        free(path);
    }
    if (d) {
        closedir(d);
        rmdir(c->temp);
    }
    free(c->temp);
    c->temp = NULL;
}
