/* study.c -- see study.h: a study as data, where bundled ones are, and what is written of one. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/draft.h"
#include "base/place.h"
#include "base/text.h"
#include "study/box.h"
#include "study/study_lua.h"
#include "study/summary.h"

/* ---- memory */

static void free_target(struct study_target *t)
{
    free(t->where), free(t->what), free(t->unit), free(t->here), free(t->check);
}

void study_forget(struct study *s)
{
    for (u32 i = 0; i < s->figure.n; i++)
        figure_free(&s->figure.at[i]);
    for (u32 i = 0; i < s->target.n; i++)
        free_target(&s->target.at[i]);
    for (u32 i = 0; i < s->number.n; i++)
        free(s->number.at[i].name);
    for (u32 i = 0; i < s->file.n; i++)
        free(s->file.at[i].name), free(s->file.at[i].text);
    for (u32 i = 0; i < s->absent.n; i++)
        free(s->absent.at[i]);
    VEC_FREE(&s->absent);
    VEC_FREE(&s->figure);
    VEC_FREE(&s->target);
    VEC_FREE(&s->number);
    VEC_FREE(&s->file);
}

static void free_series(struct study_series *r)
{
    for (u32 i = 0; i < r->program.n; i++)
        free(r->program.at[i]);
    VEC_FREE(&r->program);
    VEC_FREE(&r->point);
    free(r->label);
}

void study_free(struct study *s)
{
    if (!s)
        return;
    box_close(s->lua);
    study_forget(s);
    for (u32 i = 0; i < s->series.n; i++)
        free_series(&s->series.at[i]);
    for (u32 i = 0; i < s->point.n; i++)
        point_free(&s->point.at[i]);
    VEC_FREE(&s->series);
    VEC_FREE(&s->point);
    free(s->name), free(s->title), free(s->doc), free(s->path);
    free(s);
}

/* Series have the same programs: one line for all of them. */
void study_add_absence(struct study *s, u32 point, const char *kernel)
{
    const struct point *p = &s->point.at[point];
    char *args = point_words(&p->args);
    char *text = text_printf("%s of %s%s%s", kernel, p->program, *args ? " " : "", args);
    u32 i = 0;

    while (i < s->absent.n && strcmp(s->absent.at[i], text) != 0)
        i++;
    if (i == s->absent.n)
        *VEC_ADD(&s->absent) = text;
    else
        free(text);
    free(args);
}

u32 study_add_point(struct study *s, struct point *p)
{
    u32 i = 0;

    while (i < s->point.n && strcmp(s->point.at[i].key, p->key) != 0)
        i++;
    if (i == s->point.n)
        *VEC_ADD(&s->point) = *p;
    else
        point_free(p);
    *p = (struct point){0};
    return i;
}

/* ---- bundled ones */

u32 study_names(char ***name)
{
    return place_names("studies", ".lua", name);
}

static bool no_such_study(const char *name, struct err *e)
{
    char **names;
    u32 n = study_names(&names);

    err_no_such(e, name, (const char *const *)names, n, "see smelt list studies", "no study '%s'",
                name);
    text_split_free(names, n);
    return false;
}

char *study_find(const char *name, struct err *e)
{
    char *dir = place_find("studies");
    char *path = dir && !strchr(name, '/') ? text_printf("%s/%s.lua", dir, name) : NULL;

    free(dir);
    if (path && access(path, R_OK) == 0)
        return path;
    free(path);
    no_such_study(name, e);
    return NULL;
}

/* ---- what is written */

static bool write_part(const char *dir, const char *name, const struct study *s,
                       void (*put)(const struct study *s, FILE *out), struct err *e)
{
    char *path = text_printf("%s/%s", dir, name), *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (!out)
        xmalloc(SIZE_MAX); /* ends the program: nothing but memory can be missing */
    put(s, out);
    fclose(out);
    bool ok = draft_write(path, text, len, e);

    free(path), free(text);
    return ok;
}

static void put_plain_number(FILE *out, double v)
{
    char buf[TEXT_NUMBER];

    if (v == floor(v) && fabs(v) < 1e15)
        fprintf(out, "%.0f", v); /* the shortest of 10 would be 1e+01 */
    else if (!isnan(v))
        fputs(text_show_real(v, buf, sizeof buf), out);
}

static void put_target(const struct study_target *t, FILE *out)
{
    const char *const head[] = {t->where, t->what, t->unit};

    for (u32 i = 0; i < LEN(head); i++)
        csv_put(out, head[i]), fputc(',', out);
    put_plain_number(out, t->paper);
    fputc(',', out);
    if (t->here)
        csv_put(out, t->here);
    else
        put_plain_number(out, t->ours);
    fputc(',', out);
    csv_put(out, t->check);
    fprintf(out, ",%s\n", t->met ? "yes" : "no");
}

bool study_is_claim(const struct study_target *t)
{
    return strcmp(t->check, "claim") == 0;
}

struct study_score study_score(const struct study *s)
{
    struct study_score score = {0};

    for (u32 i = 0; i < s->target.n; i++) {
        const struct study_target *t = &s->target.at[i];

        if (study_is_claim(t))
            score.claims++, score.claims_met += t->met;
        else
            score.targets++, score.targets_met += t->met;
    }
    return score;
}

static void put_targets(const struct study *s, FILE *out)
{
    fputs("where,what,unit,paper,ours,check,met\n", out);
    for (u32 i = 0; i < s->target.n; i++)
        put_target(&s->target.at[i], out);
}

static void put_numbers(const struct study *s, FILE *out)
{
    summary_put_head(out);
    for (u32 i = 0; i < s->figure.n; i++)
        summary_put_table(out, &s->figure.at[i]);
    for (u32 i = 0; i < s->number.n; i++)
        summary_put_number(out, s->number.at[i].name, s->number.at[i].value);
}

static bool write_text(const char *dir, const struct study_file *f, struct err *e)
{
    char *path = text_printf("%s/%s.txt", dir, f->name);
    bool ok = draft_write(path, f->text, strlen(f->text), e);

    free(path);
    return ok;
}

bool study_write(const struct study *s, const char *dir, struct err *e)
{
    for (u32 i = 0; i < s->figure.n; i++)
        if (!figure_write(&s->figure.at[i], dir, e))
            return false;
    for (u32 i = 0; i < s->file.n; i++)
        if (!write_text(dir, &s->file.at[i], e))
            return false;
    return write_part(dir, "targets.csv", s, put_targets, e) &&
           write_part(dir, "numbers.csv", s, put_numbers, e);
}
