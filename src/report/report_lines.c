/* report_lines.c -- the counts of lines.h as lines of source: in the JSON, and as a table. */
#include "gpu/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "mech/mech.h"
#include "ptx/disasm.h"

enum { SHOWN = 20, SOURCE_TEXT = 48, PLACE = 300 };

struct stalled_line {
    const struct program *prog;
    const char *file; /* path as the PTX has it */
    u32 number;       /* in file */
    u32 pc;           /* the worst of its instructions */
    u64 worst;
    u64 stalled, issued;
    u64 why[N_STALL]; /* stalled, by reason */
    bool is_ptx;
};

struct line_table {
    struct stalled_line *at;
    u32 n, cap;
};

/* "bfs.cu:44"; the PTX inside an executable bfs is bfs.ptx. */
static const char *show_place(const struct stalled_line *l, char *buf, size_t size)
{
    const char *name = text_base_name(l->file);
    bool bare = l->is_ptx && !text_ends(name, ".ptx");

    snprintf(buf, size, "%s%s:%u", name, bare ? ".ptx" : "", l->number);
    return buf;
}

/* ---- from pcs to lines */

static struct stalled_line line_of_pc(const struct program *p, u32 pc)
{
    const struct src_loc *loc = &p->loc[pc < p->n_inst ? pc : p->n_inst - 1];
    const struct ptx_module *ptx = p->ptx;
    bool known = loc->src_line && loc->file < ptx->n_file && ptx->file[loc->file];

    return (struct stalled_line){.prog = p,
                                 .file = known ? ptx->file[loc->file] : p->path,
                                 .number = known ? loc->src_line : loc->line,
                                 .is_ptx = !known,
                                 .pc = pc};
}

static int by_place(const void *a, const void *b)
{
    const struct stalled_line *x = a, *y = b;
    int order = strcmp(x->file, y->file);

    if (order)
        return order;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->worst != y->worst ? (x->worst > y->worst ? -1 : 1) : 0;
}

static int by_loss(const void *a, const void *b)
{
    const struct stalled_line *x = a, *y = b;

    if (x->stalled != y->stalled)
        return x->stalled > y->stalled ? -1 : 1;
    if (x->issued != y->issued)
        return x->issued > y->issued ? -1 : 1;
    return by_place(a, b);
}

/* Instructions of one line of source become one entry, in place. */
static void merge(struct line_table *t)
{
    u32 n = 0;

    for (u32 i = 0; i < t->n; i++) {
        struct stalled_line *last = n ? &t->at[n - 1] : NULL;

        if (last && strcmp(last->file, t->at[i].file) == 0 && last->number == t->at[i].number) {
            last->stalled += t->at[i].stalled;
            last->issued += t->at[i].issued;
            for (u32 k = 0; k < N_STALL; k++)
                last->why[k] += t->at[i].why[k];
        } else {
            t->at[n++] = t->at[i];
        }
    }
    t->n = n;
}

static u64 sum_of_stalls(const u64 *why)
{
    u64 sum = 0;

    for (u32 k = 0; k < N_STALL; k++)
        sum += why[k];
    return sum;
}

static struct line_table make_table(const struct lines *s)
{
    struct line_table t = {0};

    for (u32 i = 0; i < s->n_prog; i++)
        for (u32 pc = 0; pc <= s->at[i].prog->n_inst; pc++) {
            const struct line_counts *c = &s->at[i];

            u64 lost = sum_of_stalls(c->stalled[pc]);

            if (!lost && !c->issued[pc])
                continue;
            struct stalled_line *l = VEC_ADD(&t);

            *l = line_of_pc(c->prog, pc);
            l->stalled = l->worst = lost, l->issued = c->issued[pc];
            memcpy(l->why, c->stalled[pc], sizeof l->why);
        }
    if (t.n)
        qsort(t.at, t.n, sizeof t.at[0], by_place);
    merge(&t);
    if (t.n)
        qsort(t.at, t.n, sizeof t.at[0], by_loss);
    return t;
}

/* ---- JSON */

static void put_line(struct json *j, const struct mech_set *mechs, const struct stalled_line *l)
{
    char place[PLACE];

    json_obj(j);
    json_key(j, "line"), json_str(j, show_place(l, place, sizeof place));
    json_key(j, "ptx"), json_u64(j, l->pc < l->prog->n_inst ? l->prog->loc[l->pc].line : 0);
    json_key(j, "stalled"), json_u64(j, l->stalled);
    json_key(j, "issued"), json_u64(j, l->issued);
    json_key(j, "stalls");
    json_obj(j);
    for (u32 k = 0; k < N_STALL; k++)
        if (l->why[k])
            json_key(j, mech_stall(mechs, k).name), json_u64(j, l->why[k]);
    json_obj_end(j);
    json_obj_end(j);
}

void lines_json(const struct device *d, struct json *j)
{
    struct line_table t = make_table(d->lines);

    json_key(j, "lines");
    json_arr(j);
    for (u32 i = 0; i < t.n; i++)
        put_line(j, d->mechs, &t.at[i]);
    json_arr_end(j);
    json_key(j, "elsewhere"), json_u64(j, d->lines->elsewhere);
    VEC_FREE(&t);
}

/* ---- the table */

/* Line `number` of text, blanks at both ends removed, into buf. */
static bool find_line(const char *text, u32 number, char *buf, size_t size)
{
    for (u32 i = 1; i < number && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text || !*text)
        return false;
    text += strspn(text, " \t");
    snprintf(buf, size, "%.*s", (int)strcspn(text, "\r\n"), text);
    return buf[0] != 0;
}

static const struct func *func_at(const struct program *p, u32 pc)
{
    for (u32 i = 0; i < p->n_func; i++)
        if (pc >= p->func[i].pc && pc - p->func[i].pc < p->func[i].n_inst)
            return &p->func[i];
    return NULL;
}

/* The line of the source if it is there to be read, else the instruction. */
static void show_source(const struct stalled_line *l, char *buf, size_t size)
{
    const struct func *f = func_at(l->prog, l->pc);
    char inst[DISASM_TEXT], guard[16];
    struct err e;
    char *text = l->is_ptx ? NULL : text_read_file(l->file, NULL, &e);
    bool found = text && find_line(text, l->number, buf, size);

    free(text);
    buf[0] = found ? buf[0] : 0;
    if (found || !f)
        return;
    disasm_guard(&l->prog->inst[l->pc], guard, sizeof guard);
    snprintf(buf, size, "%s%s%s", guard, guard[0] ? " " : "",
             disasm_inst(l->prog, f, l->pc, inst, sizeof inst));
}

/* "raw_mem 87 %": the reason that most of a line's lost cycles have. */
static const char *show_reason(const struct mech_set *mechs, const struct stalled_line *l,
                               char *buf, size_t size)
{
    u32 most = 0;

    for (u32 k = 0; k < N_STALL; k++)
        if (l->why[k] > l->why[most])
            most = k;
    buf[0] = 0;
    if (l->stalled)
        snprintf(buf, size, "%s %.0f %%", mech_stall(mechs, most).name,
                 100 * (double)l->why[most] / (double)l->stalled);
    return buf;
}

void lines_say(const struct device *d)
{
    struct line_table t = make_table(d->lines);
    double all = (double)d->counters.stall.scheduler_cycles;
    int width = 4;

    for (u32 i = 0; i < t.n && i < SHOWN; i++) {
        char place[PLACE];
        int n = (int)strlen(show_place(&t.at[i], place, sizeof place));

        width = n > width ? n : width;
    }
    log_note("  lost   cycles lost       issued  %-15s %-*s  source", "most for", width, "line");
    for (u32 i = 0; i < t.n && i < SHOWN; i++) {
        const struct stalled_line *l = &t.at[i];
        char place[PLACE], text[SOURCE_TEXT + 1], reason[48];

        show_source(l, text, sizeof text);
        log_note("%5.1f %% %12" PRIu64 " %12" PRIu64 "  %-15s %-*s  %s",
                 all > 0 ? 100 * (double)l->stalled / all : 0, l->stalled, l->issued,
                 show_reason(d->mechs, l, reason, sizeof reason), width,
                 show_place(l, place, sizeof place), text);
    }
    if (t.n > SHOWN)
        log_note(".. and %u lines more (--json has them all)", t.n - SHOWN);
    log_note("%5.1f %% %12" PRIu64 "               without a warp that could be blamed",
             all > 0 ? 100 * (double)d->lines->elsewhere / all : 0, d->lines->elsewhere);
    VEC_FREE(&t);
}
