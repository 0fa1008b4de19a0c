/* report.c -- see report.h */
#include "report/report.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "report/report_parts.h"

/* --- Ctrl-C --- */

volatile int report_stop_wanted;

static void ask_to_stop(int number)
{
    (void)number;
    report_stop_wanted = 1;
}

/* Only the first one asks; the second ends the process, should a run not listen. */
void report_catch_signals(void)
{
    struct sigaction act = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

enum { PENDING_MAX = 4 << 20 }; /* bytes that wait for a disk with room */

/* --- launches that share an entry --- */

static struct folded_launches *fold_of(struct report *r, const struct launch_result *l)
{
    for (u32 i = 0; i < r->fold.n; i++) {
        struct folded_launches *f = &r->fold.at[i];
        if (f->sum.kernel == l->kernel && !f->sum.counters == !l->counters)
            return f;
    }
    struct folded_launches *f = VEC_ADD(&r->fold);
    *f = (struct folded_launches){.sum = {.kernel = l->kernel}};
    if (l->counters)
        f->sum.counters = xcalloc(1, sizeof(*l->counters));
    return f;
}

static bool same_shape(const struct launch_result *a, const struct launch_result *b)
{
    return memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
           memcmp(a->block, b->block, sizeof(a->block)) == 0 && a->smem == b->smem;
}

static void add_to_fold(struct folded_launches *f, const struct launch_result *l)
{
    if (!f->n) {
        struct counters *sum = f->sum.counters;
        f->sum = *l;
        f->sum.counters = sum;
        memset(&f->sum.n, 0, sizeof(f->sum.n));
        memset(&f->sum.samples, 0, sizeof(f->sum.samples));
        f->sum.cycles = 0;
    }
    f->n++;
    f->varies |= !same_shape(&f->sum, l);
    f->sum.cycles += l->cycles;
    sheet_add(&ptx_sheet, &f->sum.n, &l->n);
    if (l->counters)
        counters_add(f->sum.counters, l->counters);
}

/* The text of one entry; *state is behind the entry before it, and then behind this one. */
static char *entry_text(const struct report *r, struct json *state, const struct launch_result *l,
                        u32 n, bool varies)
{
    struct json j;
    json_open_after(&j, state);
    report_put_kernel(&j, r->dev, l, n, varies);
    *state = j;
    return json_cut_buf(&j);
}

/* Takes in the last launch: the text of its entry, or NULL if it has none of its own. */
static char *take_launch(struct report *r)
{
    const struct launch_result *l = &r->dev->last;
    struct folded_launches *f = fold_of(r, l);
    if (r->end == RUN_DONE)
        r->end = l->end;
    r->n_launch = r->dev->n_launch;
    if (f->kept < r->settings->json_launches || l->end != RUN_DONE) {
        f->kept++;
        return entry_text(r, &r->grown, l, 1, false);
    }
    struct json after = r->grown;
    add_to_fold(f, l);
    free(f->text);
    f->text = entry_text(r, &after, &f->sum, f->n, f->varies);
    return NULL;
}

/* --- the file --- */

/* Everything after the launches that have entries of their own. */
static char *closing_text(const struct report *r, const struct err *failure, bool ended)
{
    struct json j;
    json_open_after(&j, &r->grown);
    for (u32 i = 0; i < r->fold.n; i++)
        if (r->fold.at[i].n)
            json_paste(&j, r->fold.at[i].text);
    report_put_tail(&j, r, failure, ended);
    return json_close_buf(&j, NULL);
}

bool report_begin(struct report *r, struct err *e)
{
    struct json j;
    r->began = time(NULL);
    if (!r->settings->json)
        return true;
    json_open_buf(&j);
    report_put_head(&j, r);
    r->grown = j;
    char *head = json_cut_buf(&j), *closing = closing_text(r, NULL, false);
    bool ok = report_file_begin(&r->file, r->settings->json, head, closing, e);
    free(head), free(closing);
    return ok;
}

/* What has been written stays; only the user can help. */
static void tell_failure(struct report *r, const struct err *e)
{
    if (r->told)
        return;
    r->told = true;
    log_progress_end();
    fprintf(stderr, "smelt: %s; until it can be written it stays as it was after %u launch%s\n",
            e->msg, r->n_written, r->n_written == 1 ? "" : "es");
}

/* Appends the entry, which is freed, to those that wait; too many are not waited for. */
static void add_pending(struct report *r, char *entry)
{
    size_t n = r->pending ? strlen(r->pending) : 0, m = entry ? strlen(entry) : 0;
    r->lost = n + m > PENDING_MAX && n;
    if (m && !r->lost) {
        r->pending = xrealloc(r->pending, n + m + 1);
        memcpy(r->pending + n, entry, m + 1);
    }
    free(entry);
}

/* Takes in a launch that is new, and brings the file up to date. */
static void grow_report(struct report *r, const struct err *failure, bool ended)
{
    struct err e;
    if (r->lost)
        return;
    if (r->n_launch < r->dev->n_launch)
        add_pending(r, take_launch(r));
    char *closing = closing_text(r, failure, ended);
    r->failed = r->lost || !report_file_grow(&r->file, r->pending ? r->pending : "", closing, &e);
    free(closing);
    if (r->failed && !r->lost)
        tell_failure(r, &e);
    if (r->failed)
        return;
    r->n_written = r->n_launch;
    free(r->pending);
    r->pending = NULL;
}

void report_update(struct report *r)
{
    if (r->file.path)
        grow_report(r, NULL, false);
}

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

/* The closing part of a run that did not end it itself; NULL if it did. */
static char *ended_text(const char *closing, const char *status, int exit_status)
{
    char word[64], *text = text_dup(closing);
    snprintf(word, sizeof(word), "\"status\": \"%s\"", status);
    if (!substitute(&text, "\"status\": \"running\"", word)) {
        free(text);
        return NULL;
    }
    if (strcmp(status, "done") == 0 || strcmp(status, "failed") == 0)
        substitute(&text, "\"partial\": true", "\"partial\": false");
    snprintf(word, sizeof(word), "\"exit_status\": %d", exit_status);
    if (exit_status >= 0)
        substitute(&text, "\"exit_status\": null", word);
    return text;
}

/* If there is room for that at least, the file says that it is not all. */
static void end_unwritten(struct report *r)
{
    struct err e;
    char *text = ended_text(r->file.closing, "unwritten", r->has_exit ? r->exit_status : -1);
    if (text && report_file_grow(&r->file, "", text, &e))
        report_file_end(&r->file, &e);
    free(text);
}

bool report_end(struct report *r, const struct err *failure)
{
    struct err e;
    if (!r->file.path)
        return true;
    grow_report(r, failure, true);
    if (r->failed) {
        end_unwritten(r);
    } else if (!report_file_end(&r->file, &e)) {
        r->failed = true;
        err_print(&e, stderr);
    }
    return !r->failed;
}

void report_free(struct report *r)
{
    for (u32 i = 0; i < r->fold.n; i++) {
        free(r->fold.at[i].sum.counters);
        free(r->fold.at[i].text);
    }
    VEC_FREE(&r->fold);
    free(r->pending);
    report_file_free(&r->file);
}

/* --- a file whose writer is gone --- */

bool report_finish_file(struct report *r, int notes, const char *status, int exit_status,
                        struct err *e)
{
    struct report_file noted = {.fd = -1};
    if (!r->file.path || r->file.spool)
        return true;
    bool is_noted = report_file_noted(&noted, r->settings->json, notes);
    struct report_file *f = is_noted ? &noted : &r->file;
    if (!is_noted && !report_file_is_there(f)) { /* it is another's */
        report_file_free(&noted);
        return true;
    }
    char *text = ended_text(f->closing, status, exit_status);
    bool ok = true;
    if (text || !report_file_has_closing(f))
        ok = report_file_replace(f, text ? text : f->closing, e);
    free(text);
    report_file_free(&noted);
    return ok;
}

/* --- how it was called --- */

char **report_words(const char *path, u32 *n)
{
    VEC(char *) word = {0};
    struct err e;
    size_t len = 0;
    char *text = text_read_file(path, &len, &e);
    for (size_t at = 0; text && at < len; at += strlen(text + at) + 1)
        *VEC_ADD(&word) = text_dup(text + at);
    *VEC_ADD(&word) = NULL;
    free(text);
    *n = word.n - 1;
    return word.at;
}
