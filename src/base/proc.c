/* proc.c -- see proc.h */
#include "base/proc.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { MAX_DEPTH = 32 }; /* of children's children: no program of ours comes near */

/* A small file of /proc, to be freed; NULL if it is gone. */
static char *read_proc(const char *path)
{
    struct err e;

    return text_read_file(path, NULL, &e);
}

/* The third and the 22nd word of /proc/PID/stat; the second is a name and may hold anything. */
bool proc_began(pid_t pid, u64 *ticks)
{
    char path[64], state = 'X';
    unsigned long long began = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    char *text = read_proc(path), *after = text ? strrchr(text, ')') : NULL;
    bool ok = after && sscanf(after + 1,
                              " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                              "%*s %*s %*s %llu",
                              &state, &began) == 2;

    free(text);
    *ticks = began;
    return ok && state != 'Z' && state != 'X';
}

static u64 resident(pid_t pid)
{
    char path[64];
    unsigned long long pages = 0;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    char *text = read_proc(path);

    if (!text || sscanf(text, "%*s %llu", &pages) != 1)
        pages = 0;
    free(text);
    return pages * (u64)sysconf(_SC_PAGESIZE);
}

typedef void visit(pid_t pid, void *user);

static void each_of_tree(pid_t pid, u32 depth, visit *f, void *user);

static void each_child(const char *list, u32 depth, visit *f, void *user)
{
    char *text = read_proc(list), *at = text;

    for (int n, pid; at && sscanf(at, "%d%n", &pid, &n) == 1; at += n)
        each_of_tree((pid_t)pid, depth + 1, f, user);
    free(text);
}

/* Children belong to the thread that started them. */
static void each_of_tree(pid_t pid, u32 depth, visit *f, void *user)
{
    char path[64];

    if (depth > MAX_DEPTH)
        return;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = opendir(path);

    for (const struct dirent *ent; d && (ent = readdir(d));) {
        char *list = text_printf("%s/%s/children", path, ent->d_name);

        if (ent->d_name[0] != '.')
            each_child(list, depth, f, user);
        free(list);
    }
    if (d)
        closedir(d);
    f(pid, user);
}

static void add_resident(pid_t pid, void *user)
{
    *(u64 *)user += resident(pid);
}

u64 proc_tree_bytes(pid_t root)
{
    u64 bytes = 0;

    each_of_tree(root, 0, add_resident, &bytes);
    return bytes;
}

static void send_signal(pid_t pid, void *user)
{
    kill(pid, *(const int *)user);
}

void proc_tree_kill(pid_t root, int number)
{
    each_of_tree(root, 0, send_signal, &number);
}

char *proc_host(void)
{
    char name[256] = "";

    if (gethostname(name, sizeof name - 1) != 0)
        name[0] = 0;
    return text_dup(name[0] ? name : "unknown");
}

char *proc_place(void)
{
    char space[64] = "", *host = proc_host();
    ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);

    space[n > 0 ? n : 0] = 0;
    char *place = text_printf("%s %s", host, space);

    free(host);
    return place;
}

char *proc_boot(void)
{
    char *text = read_proc("/proc/sys/kernel/random/boot_id");

    return text ? text_trim(text) : text_dup("");
}
