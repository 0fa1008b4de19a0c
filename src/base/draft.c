/* draft.c -- see draft.h */
#include "base/draft.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* "out.json.123.tmp" for "out.json". */
static bool is_draft_of(const char *name, const char *file)
{
    size_t n = strlen(file);
    if (strncmp(name, file, n) != 0 || name[n] != '.')
        return false;
    size_t digits = strspn(name + n + 1, "0123456789");
    return digits && strcmp(name + n + 1 + digits, ".tmp") == 0;
}

/* By the time we have the lock, its writer may have renamed it and begun another of this name. */
static void remove_if_left(const char *path)
{
    struct stat ours, there;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &ours) == 0 && lstat(path, &there) == 0 &&
        ours.st_ino == there.st_ino && ours.st_dev == there.st_dev)
        unlink(path);
    close(fd);
}

static void remove_left(const char *path)
{
    const char *file = text_base_name(path);
    char *dir = file > path ? text_dup_n(path, (size_t)(file - path)) : text_dup("./");
    DIR *d = opendir(dir);
    for (const struct dirent *ent; d && (ent = readdir(d));) {
        if (!is_draft_of(ent->d_name, file))
            continue;
        char *left = text_printf("%s%s", dir, ent->d_name);
        remove_if_left(left);
        free(left);
    }
    if (d)
        closedir(d);
    free(dir);
}

/*
 * Locked, and still there: between open and flock somebody may have taken it for one that is left.
 */
static int open_locked(const char *path)
{
    for (;;) {
        struct stat st;
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        bool locked = flock(fd, LOCK_EX) == 0;
        if (!locked || fstat(fd, &st) != 0 || st.st_nlink > 0)
            return fd; /* where there are no locks, nobody removes anything */
        close(fd);
    }
}

FILE *draft_open(const char *path, char **draft)
{
    remove_left(path);
    *draft = text_printf("%s.%d.tmp", path, (int)getpid());
    int fd = open_locked(*draft);
    FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (f)
        return f;
    free(*draft);
    *draft = NULL;
    return NULL;
}

int draft_hold(FILE *f)
{
    return fcntl(fileno(f), F_DUPFD_CLOEXEC, 0);
}

bool draft_write(const char *path, const char *text, size_t len, struct err *e)
{
    char *draft;
    FILE *f = draft_open(path, &draft);
    if (!f)
        return err_set(e, "%s: %s", path, strerror(errno));
    int lock = draft_hold(f), why = 0;
    errno = 0;
    if (fwrite(text, 1, len, f) != len)
        why = errno ? errno : EIO;
    if (fclose(f) != 0 && !why)
        why = errno;
    if (!why && rename(draft, path) != 0)
        why = errno;
    if (why)
        unlink(draft);
    if (lock >= 0)
        close(lock);
    free(draft);
    return !why || err_set(e, "%s: %s", path, strerror(why));
}
