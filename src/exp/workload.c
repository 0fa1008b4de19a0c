/* workload.c -- see workload.h */
#include "exp/workload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/place.h"
#include "base/text.h"
#include "version.h"

extern char **environ;

/* --- which there are --- */

/* The path of a workload's source, to be freed; NULL if the name is none. */
static char *source_of(const char *name)
{
    if (!name[0] || name[0] == '.' || strchr(name, '/'))
        return NULL;
    char *dir = place_find("workloads");
    char *path = dir ? text_printf("%s/%s/%s.cu", dir, name, name) : NULL;
    if (path && access(path, R_OK) != 0) {
        free(path);
        path = NULL;
    }
    free(dir);
    return path;
}

bool workload_exists(const char *name)
{
    char *source = source_of(name);
    free(source);
    return source != NULL;
}

/* The text of the first comment, without the marks at the beginnings of its lines; to be freed. */
static char *read_doc(const char *path, struct err *e)
{
    char *text = text_read_file(path, NULL, e);
    if (!text)
        return NULL;
    char *from = strstr(text, "/*"), *end = from ? strstr(from, "*/") : NULL, *out = text;
    if (!end) {
        free(text);
        err_set(e, "%s: has no comment at its beginning", path);
        return NULL;
    }
    *end = 0;
    for (char *line = from + 2, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        line += strspn(line, " ");
        line += *line == '*';
        line += *line == ' ';
        size_t n = strlen(line);
        memmove(out, line, n);
        out += n;
        *out++ = '\n';
    }
    *out = 0;
    char *doc = text_dup(text_trim(text));
    free(text);
    return doc;
}

/* What follows `key` at the beginning of a line of doc, to be freed. */
static char *field_of(const char *doc, const char *key)
{
    size_t n = strlen(key);
    for (const char *line = doc; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) == 0)
            return text_dup_n(line + n, strcspn(line + n, "\n"));
    }
    return text_dup("");
}

static void read_info(struct workload_info *w)
{
    static const char *const keys[N_WL_FIELD] = {
        [WL_SUITE] = "suite: ",     [WL_STRESSES] = "stresses: ", [WL_PAPERS] = "papers: ",
        [WL_KERNELS] = "kernels: ", [WL_SIZE] = "size: ",         [WL_LARGE] = "large: ",
        [WL_ODD] = "odd: ",         [WL_TIME] = "time: ",
    };
    struct err e;
    char *source = source_of(w->name), *doc = read_doc(source, &e);
    w->doc = doc ? doc : text_dup(e.msg);
    char *dashes = strstr(w->doc, " -- "), *line_end = strchr(w->doc, '\n');
    bool titled = dashes && (!line_end || dashes < line_end);
    const char *title = titled ? dashes + 4 : w->doc;
    w->title = text_dup_n(title, strcspn(title, "\n"));
    for (u32 i = 0; i < N_WL_FIELD; i++)
        w->field[i] = field_of(w->doc, keys[i]);
    free(source);
}

static int by_name(const void *a, const void *b)
{
    const struct workload_info *v = a, *w = b;
    return strcmp(v->name, w->name);
}

u32 workload_list(struct workload_info **list)
{
    VEC(struct workload_info) all = {0};
    char *dir = place_find("workloads");
    DIR *d = dir ? opendir(dir) : NULL;
    for (const struct dirent *ent; d && (ent = readdir(d));)
        if (workload_exists(ent->d_name))
            *VEC_ADD(&all) = (struct workload_info){.name = text_dup(ent->d_name)};
    if (d)
        closedir(d);
    free(dir);
    for (u32 i = 0; i < all.n; i++)
        read_info(&all.at[i]);
    if (all.n)
        qsort(all.at, all.n, sizeof(all.at[0]), by_name);
    *list = all.at;
    return all.n;
}

void workload_list_free(struct workload_info *list, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        for (u32 k = 0; k < N_WL_FIELD; k++)
            free(list[i].field[k]);
        free(list[i].name), free(list[i].doc), free(list[i].title);
    }
    free(list);
}

char *workload_nearest(const char *name)
{
    struct workload_info *list;
    u32 n = workload_list(&list);
    const char **names = xcalloc(n + 1, sizeof(names[0]));
    for (u32 i = 0; i < n; i++)
        names[i] = list[i].name;
    const char *near = err_nearest(name, names, n);
    char *found = near ? text_dup(near) : NULL;
    free(names);
    workload_list_free(list, n);
    return found;
}

/* --- compiling one --- */

static bool make_dirs(char *path, struct err *e)
{
    for (char *p = path + 1;; p++) {
        if (*p && *p != '/')
            continue;
        char c = *p;
        *p = 0;
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        *p = c;
        if (!ok)
            return err_set(e, "%s: %s", path, strerror(errno));
        if (!c)
            return true;
    }
}

/* Where executables are kept, to be freed. */
static char *cache_dir(struct err *e)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *dir;
    if (place_is_build()) {
        char *toolkit = place_toolkit();
        dir = text_printf("%s/../workloads", toolkit ? toolkit : ".");
        free(toolkit);
    } else if (cache && cache[0] == '/') {
        dir = text_printf("%s/smelt/" SMELT_VERSION, cache);
    } else {
        dir = text_printf("%s/.cache/smelt/" SMELT_VERSION, home && home[0] ? home : "/tmp");
    }
    if (make_dirs(dir, e))
        return dir;
    free(dir);
    return NULL;
}

static char *folder_of(const char *path)
{
    return text_dup_n(path, (size_t)(strrchr(path, '/') - path));
}

static bool is_newer(const char *path, const struct timespec *t)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    return st.st_mtim.tv_sec != t->tv_sec ? st.st_mtim.tv_sec > t->tv_sec
                                          : st.st_mtim.tv_nsec > t->tv_nsec;
}

static bool folder_is_newer(const char *dir, const struct timespec *t)
{
    DIR *d = opendir(dir);
    bool newer = false;
    for (const struct dirent *ent; d && !newer && (ent = readdir(d));) {
        char *path = text_printf("%s/%s", dir, ent->d_name);
        newer = ent->d_name[0] != '.' && is_newer(path, t);
        free(path);
    }
    if (d)
        closedir(d);
    return newer;
}

/* Must it be compiled (again)?  Its folder, common headers and the toolkit decide. */
static bool is_stale(const char *program, const char *source)
{
    struct stat st;
    if (stat(program, &st) != 0)
        return true;
    char *dir = folder_of(source), *toolkit = place_toolkit();
    char *header = text_printf("%s/../workload.h", dir), *common = text_printf("%s/../common", dir);
    char *include = text_printf("%s/include", toolkit ? toolkit : "");
    char *math = text_printf("%s/lib64/math.bc", toolkit ? toolkit : "");
    bool stale = folder_is_newer(dir, &st.st_mtim) || is_newer(header, &st.st_mtim) ||
                 folder_is_newer(common, &st.st_mtim) || folder_is_newer(include, &st.st_mtim) ||
                 is_newer(math, &st.st_mtim);
    free(dir), free(toolkit), free(header), free(common), free(include), free(math);
    return stale;
}

static bool compile(const char *name, const char *source, const char *program, struct err *e)
{
    char *smelt = place_command(), *part = text_printf("%s.%d", program, (int)getpid());
    char *dir = folder_of(source), *include = text_printf("-I%s/..", dir);
    const char *argv[] = {smelt, "cc", "-O3", include, source, "-o", part, NULL};
    pid_t pid;
    int status = 0;
    log_note("compiling workload %s (once)", name);
    bool ok = posix_spawn(&pid, smelt, NULL, NULL, (char **)(uintptr_t)argv, environ) == 0 &&
              waitpid(pid, &status, 0) == pid && status == 0;
    if (!ok)
        err_set(e, "workload %s does not compile", name);
    else if (rename(part, program) != 0)
        ok = err_set(e, "%s: %s", program, strerror(errno));
    if (!ok)
        unlink(part);
    free(smelt), free(part), free(dir), free(include);
    return ok;
}

/* Two runs may want the same workload at once: the second waits for the first. */
static bool compile_if_stale(const char *name, const char *source, const char *program,
                             struct err *e)
{
    char *lock = text_printf("%s.lock", program);
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        flock(fd, LOCK_EX);
    bool ok = !is_stale(program, source) || compile(name, source, program, e);
    if (fd >= 0)
        close(fd);
    free(lock);
    return ok;
}

char *workload_build(const char *name, struct err *e)
{
    char *source = source_of(name), *dir = cache_dir(e);
    char *program = source && dir ? text_printf("%s/%s", dir, name) : NULL;
    if (program && is_stale(program, source) && !compile_if_stale(name, source, program, e)) {
        free(program);
        program = NULL;
    }
    free(source);
    free(dir);
    return program;
}
