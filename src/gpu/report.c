/* report.c -- see report.h */
#include "gpu/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "gpu/report_parts.h"

/* --- Ctrl-C --- */

volatile int report_stop_wanted;

static void on_signal(int number)
{
    (void)number;
    report_stop_wanted = 1;
}

/* Only the first one asks; the second ends the process, should a run not listen. */
void report_catch_signals(void)
{
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

/* --- the file --- */

static bool remember_file(struct report *r)
{
    struct stat st;
    r->inode = stat(r->settings->json, &st) ? 0 : st.st_ino;
    return true;
}

static bool write_json(struct report *r, const struct err *failure, bool ended, struct err *e)
{
    struct json j;
    if (!r->settings->json)
        return true;
    if (!json_open_file(&j, r->settings->json, e))
        return false;
    report_put_head(&j, r, failure, ended);
    report_put_kernels(&j, r->dev, 0);
    r->grown = j;
    r->grown_at = ftell(j.f);
    r->n_prog = r->dev->n_prog;
    r->n_launch = r->dev->n_launch;
    report_put_tail(&j, r);
    return json_close(&j, e) && remember_file(r);
}

/*
 * With thousands of launches it would take too long to write all of the file after each: the new
 * kernels and the tail take the place of the old tail, in one write.  False if that cannot be
 * done, because the head has changed or the file is not there, or is another process's by now.
 */
static bool grow_json(struct report *r)
{
    if (r->grown_at <= 0 || r->n_prog != r->dev->n_prog)
        return false;
    int fd = open(r->settings->json, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct stat st;
    if (fstat(fd, &st) || st.st_ino != r->inode) {
        close(fd);
        return false;
    }
    struct json j;
    size_t len;
    json_open_after(&j, &r->grown);
    report_put_kernels(&j, r->dev, r->n_launch);
    long at = r->grown_at + ftell(j.f);
    r->grown = j;
    report_put_tail(&j, r);
    char *text = json_close_buf(&j, &len);
    bool ok = pwrite(fd, text, len, r->grown_at) == (ssize_t)len &&
              ftruncate(fd, r->grown_at + (off_t)len) == 0;
    ok &= close(fd) == 0;
    free(text);
    r->grown_at = ok ? at : 0;
    r->n_launch = r->dev->n_launch;
    return ok;
}

/* What cannot be written again (a pipe, standard output) gets the final state only. */
static bool can_rewrite(const char *path)
{
    struct stat st;
    if (!path || strcmp(path, "-") == 0)
        return false;
    return stat(path, &st) || S_ISREG(st.st_mode);
}

/* --- the three moments --- */

bool report_begin(struct report *r, struct err *e)
{
    return !can_rewrite(r->settings->json) || write_json(r, NULL, false, e);
}

bool report_update(struct report *r, struct err *e)
{
    return !can_rewrite(r->settings->json) || grow_json(r) || write_json(r, NULL, false, e);
}

bool report_end(struct report *r, const struct err *failure, struct err *e)
{
    return write_json(r, failure, true, e);
}

/* --- a file whose writer is gone --- */

/* Puts `to` in place of the first `from` of text, which is replaced. */
static bool substitute(char **text, const char *from, const char *to)
{
    char *at = strstr(*text, from);
    if (!at)
        return false;
    char *out = text_printf("%.*s%s%s", (int)(at - *text), *text, to, at + strlen(from));
    free(*text);
    *text = out;
    return true;
}

static bool write_whole(const char *path, const char *text, struct err *e)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    if (f && fclose(f))
        ok = false;
    return ok || err_set(e, "%s: %s", path, strerror(errno));
}

bool report_finish_file(const char *path, const char *status, int exit_status, struct err *e)
{
    if (!can_rewrite(path))
        return true;
    char *text = text_read_file(path, NULL, e), word[64];
    if (!text)
        return false;
    snprintf(word, sizeof(word), "\"status\": \"%s\"", status);
    bool ok = true;
    if (substitute(&text, "\"status\": \"running\"", word)) {
        bool whole = strcmp(status, "done") == 0 || strcmp(status, "failed") == 0;
        if (whole)
            substitute(&text, "\"partial\": true", "\"partial\": false");
        snprintf(word, sizeof(word), "\"exit_status\": %d", exit_status);
        if (exit_status >= 0)
            substitute(&text, "\"exit_status\": null", word);
        ok = write_whole(path, text, e);
    }
    free(text);
    return ok;
}
