/* report_file.c -- see report_file.h */
#define _GNU_SOURCE /* fallocate, O_TMPFILE */
#include "report/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum { HIGH_FD = 500, PIECE = 1 << 14 };

/* --- bytes --- */

static char *join(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    char *text = xmalloc(n + m + 1);
    memcpy(text, a, n);
    memcpy(text + n, b, m + 1);
    return text;
}

/* A limit of the process on the size of files would end it by a signal, so it is asked first. */
static bool write_at(int fd, const char *text, size_t len, u64 at)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && at + len > limit.rlim_cur) {
        errno = EFBIG;
        return false;
    }
    while (len) {
        ssize_t n = pwrite(fd, text, len, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n, len -= (size_t)n, at += (u64)n;
    }
    return true;
}

/* Blocks for all of it, before any of it is written. */
static bool make_room(int fd, u64 at, size_t len)
{
    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)len) == 0)
        return true;
    return errno != ENOSPC && errno != EDQUOT; /* else it cannot be asked here */
}

static bool copy_bytes(int to, int from, u64 len)
{
    char piece[PIECE];
    for (u64 at = 0; at < len;) {
        size_t want = len - at < PIECE ? (size_t)(len - at) : PIECE;
        ssize_t n = pread(from, piece, want, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || !write_at(to, piece, (size_t)n, at))
            return false;
        at += (u64)n;
    }
    return true;
}

/* --- files --- */

/* What cannot be written again (a pipe, standard output) gets the final state only. */
static bool can_grow(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && (stat(path, &st) || S_ISREG(st.st_mode));
}

/* Out of the way of programs that count on the lowest numbers. */
static int move_up(int fd)
{
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

static bool keep_descriptor(struct report_file *f, int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return false;
    f->fd = fd;
    f->dev = st.st_dev, f->inode = st.st_ino;
    return true;
}

static bool is_our_file(const struct report_file *f, int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->inode;
}

bool report_file_is_there(const struct report_file *f)
{
    struct stat st;
    return f->spool || (stat(f->path, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->inode);
}

/* Our file, whatever has become of the descriptor. */
static bool reach_file(struct report_file *f)
{
    if (is_our_file(f, f->fd))
        return true;
    int fd = f->spool ? -1 : move_up(open(f->path, O_RDWR | O_CLOEXEC));
    if (fd < 0 || !is_our_file(f, fd)) {
        if (fd >= 0)
            close(fd);
        errno = ESTALE;
        return false;
    }
    f->fd = fd;
    return true;
}

/* A complete file beside the path and then in its place: our first n bytes, then the text. */
static bool replace_whole(struct report_file *f, u64 n, const char *text, size_t len)
{
    char *tmp = text_printf("%s.%d.tmp", f->path, (int)getpid());
    int old = f->fd, fd = move_up(open(tmp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    bool ok = fd >= 0 && make_room(fd, 0, n + len) && copy_bytes(fd, old, n) &&
              write_at(fd, text, len, n) && fsync(fd) == 0 && rename(tmp, f->path) == 0 &&
              keep_descriptor(f, fd);
    int why = errno;
    if (!ok && fd >= 0)
        unlink(tmp);
    if (!ok || old >= 0)
        close(ok ? old : fd);
    free(tmp);
    errno = why;
    return ok;
}

static int open_spool(void)
{
    const char *dir = getenv("TMPDIR");
    return move_up(open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
}

static bool file_error(const struct report_file *f, struct err *e)
{
    const char *path = strcmp(f->path, "-") == 0 ? "standard output" : f->path;
    return err_set(e, "%s: %s", path, strerror(errno));
}

static void set_closing(struct report_file *f, const char *closing, u64 at, size_t room)
{
    free(f->closing);
    f->closing = text_dup(closing);
    f->len = strlen(closing);
    f->at = at, f->room = room;
}

/* --- notes --- */

enum { NOTE_MAGIC = 0x736d656c, NOTE_HEAD = 64, NOTE_TEXT = 4096 };

struct note { /* at NOTE_HEAD: in one page, so that it is there whole or not at all */
    u64 magic;
    u64 place, len; /* of the text, in this file */
    u64 at, dev, inode;
};

/* Never over the last one: a note that is cut short leaves that. */
static u64 free_place(const struct note *last, size_t len)
{
    return NOTE_TEXT + len <= last->place || !last->place ? NOTE_TEXT : last->place + last->len;
}

static bool read_head(int fd, struct note *n)
{
    return pread(fd, n, sizeof(*n), NOTE_HEAD) == (ssize_t)sizeof(*n) && n->magic == NOTE_MAGIC;
}

/* That it cannot be left is no harm: the file itself is what counts. */
static void leave_note(const struct report_file *f, const char *text, size_t len)
{
    int fd = f->notes ? f->notes() : -1;
    struct note last = {0}, n = {NOTE_MAGIC, 0, len, f->at, f->dev, f->inode};
    if (fd < 0)
        return;
    if (!read_head(fd, &last))
        last.place = 0;
    n.place = free_place(&last, len);
    if (write_at(fd, text, len, n.place))
        write_at(fd, (const char *)&n, sizeof(n), NOTE_HEAD);
    close(fd);
}

static char *read_note(int fd, struct note *n)
{
    if (!read_head(fd, n))
        return NULL;
    char *text = xcalloc(1, n->len + 1);
    if (pread(fd, text, n->len, (off_t)n->place) == (ssize_t)n->len)
        return text;
    free(text);
    return NULL;
}

bool report_file_noted(struct report_file *f, const char *path, int notes)
{
    struct note n;
    char *text = read_note(notes, &n);
    int fd = text ? open(path, O_RDWR | O_CLOEXEC) : -1;
    *f = (struct report_file){.path = text_real_path(path), .fd = -1};
    bool ok = fd >= 0 && keep_descriptor(f, fd) && f->dev == n.dev && f->inode == n.inode;
    if (ok)
        set_closing(f, text, n.at, n.len);
    free(text);
    return ok;
}

bool report_file_has_closing(const struct report_file *f)
{
    struct stat st;
    char *text = xmalloc(f->len + 1);
    bool same = fstat(f->fd, &st) == 0 && (u64)st.st_size == f->at + f->len &&
                pread(f->fd, text, f->len, (off_t)f->at) == (ssize_t)f->len &&
                memcmp(text, f->closing, f->len) == 0;
    free(text);
    return same;
}

/* --- the life of a file --- */

bool report_file_begin(struct report_file *f, const char *path, const char *head,
                       const char *closing, struct err *e)
{
    struct report_file fresh = {.path = text_real_path(path), .fd = -1, .notes = f->notes};
    struct stat st;
    char *text = join(head, closing);
    fresh.spool = !can_grow(path) && (stat(path, &st) || !S_ISDIR(st.st_mode));
    int fd = fresh.spool ? open_spool() : -1;
    bool ok = fresh.spool
                  ? fd >= 0 && keep_descriptor(&fresh, fd) && write_at(fd, text, strlen(text), 0)
                  : replace_whole(&fresh, 0, text, strlen(text));
    free(text);
    if (!ok) {
        file_error(&fresh, e);
        free(fresh.path);
        return false;
    }
    *f = fresh;
    set_closing(f, closing, strlen(head), strlen(closing));
    leave_note(f, closing, f->len);
    return true;
}

/* In one write over the old closing part and, if that was longer, blanks over its end. */
static bool overwrite(struct report_file *f, const char *text, size_t len, size_t *room)
{
    *room = len > f->room ? len : f->room;
    if (!make_room(f->fd, f->at, *room))
        return false;
    char *padded = xmalloc(*room);
    memcpy(padded, text, len);
    memset(padded + len, '\n', *room - len);
    bool ok = write_at(f->fd, padded, *room, f->at);
    int why = errno;
    if (!ok && write_at(f->fd, f->closing, f->len, f->at) &&
        ftruncate(f->fd, (off_t)(f->at + f->len)) == 0)
        f->room = f->len;
    free(padded);
    errno = why;
    return ok;
}

bool report_file_grow(struct report_file *f, const char *entries, const char *closing,
                      struct err *e)
{
    char *text = join(entries, closing);
    size_t len = strlen(text), room = len;
    if (!reach_file(f)) {
        free(text);
        return file_error(f, e);
    }
    leave_note(f, text, len);
    bool ok = report_file_is_there(f) ? overwrite(f, text, len, &room)
                                      : replace_whole(f, f->at, text, len);
    free(text);
    if (!ok) {
        file_error(f, e);
        leave_note(f, f->closing, f->len);
        return false;
    }
    size_t n = strlen(entries);
    set_closing(f, closing, f->at + n, room - n);
    return true;
}

/* All of it to where it cannot be grown. */
static bool deliver(struct report_file *f)
{
    char piece[PIECE];
    bool is_stdout = strcmp(f->path, "-") == 0;
    u64 end = f->at + f->len, at = 0;
    FILE *to = is_stdout ? stdout : fopen(f->path, "wb");
    for (ssize_t n = 0; to && at < end; at += (u64)n) {
        n = pread(f->fd, piece, end - at < PIECE ? (size_t)(end - at) : PIECE, (off_t)at);
        if (n <= 0 || fwrite(piece, 1, (size_t)n, to) != (size_t)n)
            break;
    }
    bool ok = to && at == end && fflush(to) == 0;
    int why = errno;
    if (to && !is_stdout && fclose(to) && ok)
        ok = false, why = errno;
    errno = why;
    return ok;
}

bool report_file_end(struct report_file *f, struct err *e)
{
    if (!reach_file(f))
        return file_error(f, e);
    bool ok = f->spool ? f->delivered || deliver(f)
                       : ftruncate(f->fd, (off_t)(f->at + f->len)) == 0 && fsync(f->fd) == 0;
    f->room = f->len;
    f->delivered = true;
    return ok || file_error(f, e);
}

bool report_file_replace(struct report_file *f, const char *closing, struct err *e)
{
    return replace_whole(f, f->at, closing, strlen(closing)) || file_error(f, e);
}

void report_file_free(struct report_file *f)
{
    if (f->path && is_our_file(f, f->fd))
        close(f->fd);
    free(f->path), free(f->closing);
    *f = (struct report_file){.fd = -1};
}
