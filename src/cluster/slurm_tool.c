/* slurm_tool.c -- see slurm_tool.h */
#include "cluster/slurm_tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/place.h"

/* ---- words */

/* One word from *at on, without its quotes; NULL if a quote is not closed. */
static char *take_shell_word(const char **at)
{
    char *word = xmalloc(strlen(*at) + 1), *to = word, quote = 0;
    const char *s = *at;

    for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
        bool escapes = *s == '\\' && s[1] && (!quote || (quote == '"' && strchr("\"\\$`", s[1])));

        if (quote ? *s == quote : (*s == '\'' || *s == '"'))
            quote = quote ? 0 : *s;
        else if (escapes)
            *to++ = *++s;
        else
            *to++ = *s;
    }
    *to = 0, *at = s;
    if (!quote)
        return word;
    free(word);
    return NULL;
}

bool slurm_words(const char *text, struct words *w, struct err *e)
{
    for (const char *at = text;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (!*at)
            return true;
        char *word = take_shell_word(&at);

        if (!word) {
            point_free_words(w);
            return err_set(e, "--slurm: a quote is not closed in %s", text);
        }
        *VEC_ADD(w) = word;
    }
}

char *slurm_quote(const char *text)
{
    char *quoted = xmalloc(4 * strlen(text) + 3), *to = quoted;

    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'')
            to = memcpy(to, "'\\'", 3), to += 3; /* ends it, says it, and begins anew */
        *to++ = *text;
    }
    *to++ = '\'', *to = 0;
    return quoted;
}

/* ---- running a command */

static char *read_back(FILE *f)
{
    size_t cap = 4096, len = 0, n;
    char *text = xmalloc(cap);

    rewind(f);
    while ((n = fread(text + len, 1, cap - len - 1, f)) > 0) {
        len += n;
        if (len + 1 == cap)
            text = xrealloc(text, cap *= 2);
    }
    text[len] = 0;
    return text;
}

static int wait_for(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* The line that says why: these commands say it last, or before the advice to read their help. */
static bool complaint(char *said, const char *tool, struct err *e)
{
    const char *line = "";
    char *save = NULL;

    for (char *s = strtok_r(said, "\n", &save); s; s = strtok_r(NULL, "\n", &save))
        if (strncmp(s, "Try ", 4) != 0)
            line = s;
    if (text_begins(line, tool)) /* "sbatch: error: .." says it itself */
        return err_set(e, "%s", line);
    return err_set(e, "%s: %s", tool, line[0] ? line : "failed without a word");
}

/* What it printed, to be freed; NULL if it did not end with status 0. */
static char *run_tool(struct words *w, struct err *e)
{
    const char *tool = w->at[0];
    char *path = place_program(tool), *said = NULL;
    FILE *f = path ? tmpfile() : NULL;
    pid_t pid = -1;

    *VEC_ADD(w) = NULL;
    w->n--;
    if (!path)
        err_set(e, "%s: not found; --slurm needs the commands of Slurm in $PATH", tool);
    else if (!f)
        err_set(e, "%s: cannot make a temporary file: %s", tool, strerror(errno));
    else
        pid = child_start(path, w->at, fileno(f), e);
    if (pid > 0) {
        int status = wait_for(pid);

        said = read_back(f);
        if (status) {
            complaint(said, tool, e);
            free(said), said = NULL;
        }
    }
    if (f)
        fclose(f);
    free(path);
    return said;
}

/* ---- sbatch */

static void add_arg(struct words *w, char *word)
{
    *VEC_ADD(w) = word;
}

/* In the name of a log, Slurm takes % for its own. */
static char *log_name(const char *folder)
{
    char *name = xmalloc(2 * strlen(folder) + 20), *to = name;

    for (; *folder; folder++) {
        if (*folder == '%')
            *to++ = '%';
        *to++ = *folder;
    }
    memcpy(to, "/%A_%a.log", sizeof "/%A_%a.log");
    return name;
}

/* --parsable prints "ID" or "ID;CLUSTER"; warnings may stand before it. */
static bool find_id(const char *said, u32 *id, struct err *e)
{
    for (const char *line = said; line; line = strchr(line, '\n')) {
        char *end;

        line += *line == '\n';
        unsigned long v = isdigit((unsigned char)*line) ? strtoul(line, &end, 10) : 0;

        if (v && v <= UINT32_MAX && (*end == '\n' || *end == ';' || !*end)) {
            *id = (u32)v;
            return true;
        }
    }
    return err_set(e, "sbatch: no number of a job in its answer: %.*s", (int)strcspn(said, "\n"),
                   said);
}

/* Our options stand last, where they win: without them no result would come home. */
bool slurm_submit(const struct slurm_job *j, u32 *id, struct err *e)
{
    struct words w = {0};

    point_add(&w, "sbatch");
    if (!slurm_words(j->options, &w, e))
        return false;
    char *log = log_name(j->folder);

    point_add(&w, "--parsable");
    point_add(&w, "--no-requeue"); /* a task that is begun anew finds its own point taken */
    add_arg(&w, text_printf("--array=0-%u%%%u", j->tasks - 1, j->tasks));
    add_arg(&w, text_printf("--job-name=%s", j->name));
    add_arg(&w, text_printf("--output=%s", log));
    add_arg(&w, text_printf("--error=%s", log));
    add_arg(&w, text_printf("--wrap=%s", j->command));
    char *said = run_tool(&w, e);
    bool ok = said && find_id(said, id, e);

    free(said), free(log);
    point_free_words(&w);
    return ok;
}

/* ---- squeue */

static bool is_end_state(const char *state)
{
    static const char *const ended[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                        "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                        "REVOKED",   "TIMEOUT"};

    for (u32 i = 0; i < LEN(ended); i++)
        if (strcmp(state, ended[i]) == 0)
            return true;
    return false;
}

bool slurm_look(struct slurm_queue *q, const char *name, struct err *e)
{
    struct words w = {0};

    point_add(&w, "squeue"), point_add(&w, "--me"), point_add(&w, "--noheader");
    point_add(&w, "--array"), point_add(&w, "--states=all"), point_add(&w, "--format=%F %K %T");
    add_arg(&w, text_printf("--name=%s", name));
    char *said = run_tool(&w, e), *save = NULL;

    point_free_words(&w);
    if (!said)
        return false;
    q->n = 0;
    for (char *line = strtok_r(said, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        struct slurm_seen t;

        if (sscanf(line, "%u %u %23s", &t.job, &t.task, t.state) != 3)
            continue; /* a warning */
        t.alive = !is_end_state(t.state);
        t.pending = strcmp(t.state, "PENDING") == 0;
        *VEC_ADD(q) = t;
    }
    free(said);
    return true;
}

const struct slurm_seen *slurm_find(const struct slurm_queue *q, u32 job, u32 task)
{
    for (u32 i = 0; i < q->n; i++)
        if (q->at[i].job == job && q->at[i].task == task)
            return &q->at[i];
    return NULL;
}

u32 slurm_alive(const struct slurm_queue *q, u32 *pending)
{
    u32 alive = 0, waiting = 0;

    for (u32 i = 0; i < q->n; i++) {
        alive += q->at[i].alive;
        waiting += q->at[i].alive && q->at[i].pending;
    }
    if (pending)
        *pending = waiting;
    return alive;
}

/* ---- scancel */

static bool is_new(const struct slurm_queue *q, u32 i)
{
    for (u32 k = 0; k < i; k++)
        if (q->at[k].job == q->at[i].job && q->at[k].alive)
            return false;
    return true;
}

bool slurm_end(const struct slurm_queue *q, bool pending_only, struct err *e)
{
    struct words w = {0};
    u32 n = 0;

    point_add(&w, "scancel");
    if (pending_only)
        point_add(&w, "--state=PENDING");
    for (u32 i = 0; i < q->n; i++) {
        if (q->at[i].alive && is_new(q, i)) {
            add_arg(&w, text_printf("%u", q->at[i].job));
            n++;
        }
    }
    char *said = n ? run_tool(&w, e) : text_dup("");

    point_free_words(&w);
    free(said);
    return said != NULL;
}
