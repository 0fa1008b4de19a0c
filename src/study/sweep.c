/* sweep.c -- see sweep.h: what is run; sweep_table.c has what is shown. */
#include "study/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_POINTS = 100000 };

/* ---- axes */

void sweep_free(struct sweep *w)
{
    for (u32 i = 0; i < w->axis.n; i++)
        free(w->axis.at[i].key), point_free_words(&w->axis.at[i].value);
    VEC_FREE(&w->axis);
    point_free_words(&w->set), point_free_words(&w->mech), point_free_words(&w->metric);
    set_free(&w->program);
}

/* Blanks around values do not count. */
static void split_values(struct words *to, const char *text)
{
    const char *between = strchr(text, ';') ? ";" : ",";

    for (size_t n; *text; text += n + (text[n] != 0)) {
        n = strcspn(text, between);
        char *value = text_dup_n(text, n);

        if (text_trim(value)[0])
            point_add(to, value);
        free(value);
    }
}

static bool is_twice(const struct words *w, struct err *e)
{
    for (u32 i = 0; i < w->n; i++)
        for (u32 k = 0; k < i; k++)
            if (strcmp(w->at[i], w->at[k]) == 0)
                return !err_set(e, "'%s' is there twice", w->at[i]);
    return false;
}

static bool is_varied(const struct sweep *w, const char *key)
{
    for (u32 i = 0; i < w->axis.n; i++)
        if (strcmp(w->axis.at[i].key, key) == 0)
            return true;
    return false;
}

bool sweep_vary(struct sweep *w, const char *text, struct err *e)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text)
        return err_set(e, "--vary %s: it takes KEY=A,B,..", text);
    char *key = text_dup_n(text, (size_t)(equals - text));

    if (is_varied(w, key) && strcmp(key, "mech") != 0) {
        err_set(e, "--vary %s: it is varied already", key);
        free(key);
        return false;
    }
    struct sweep_axis *a = VEC_ADD(&w->axis);

    *a = (struct sweep_axis){.key = key};
    split_values(&a->value, equals + 1);
    if (!a->value.n)
        return err_set(e, "--vary %s: it has no values", text);
    return !is_twice(&a->value, e) || err_at(e, "--vary %s", text);
}

/* ---- programs */

static void add_member(struct sweep *w, struct set_member m)
{
    *VEC_ADD(&w->program.member) = m;
}

static bool add_set(struct sweep *w, const char *name, struct err *e)
{
    struct set_info s;

    if (!set_read(name, &s, e))
        return false;
    for (u32 i = 0; i < s.member.n; i++)
        add_member(w, s.member.at[i]);
    VEC_FREE(&s.member); /* its members are ours now */
    set_free(&s);
    return true;
}

/* "a  b c" with single blanks. */
static char *single_blanks(const char *text)
{
    char *to = text_dup(text), *at = to;

    for (const char *s = text; *s; s++)
        if (*s != ' ' || (at > to && at[-1] != ' '))
            *at++ = *s;
    *at = 0;
    return text_trim(to);
}

bool sweep_program(struct sweep *w, const char *text, struct err *e)
{
    if (strncmp(text, "set:", 4) == 0)
        return add_set(w, text, e);
    char *all = single_blanks(text);
    size_t n = strcspn(all, " ");
    struct set_member m = {.label = all, .program = text_dup_n(all, n)};

    m.args = text_dup(all + n + (all[n] != 0));
    add_member(w, m);
    return n || err_set(e, "a program without a name");
}

static bool check_labels(const struct sweep *w, struct err *e)
{
    for (u32 i = 0; i < w->program.member.n; i++)
        for (u32 k = 0; k < i; k++)
            if (strcmp(w->program.member.at[i].label, w->program.member.at[k].label) == 0)
                return err_set(e, "'%s' is there twice", w->program.member.at[i].label);
    return true;
}

static void resize(struct sweep *w)
{
    VEC(char *) args = {0};

    if (!w->quick && !w->large)
        return;
    for (u32 i = 0; i < w->program.member.n; i++)
        *VEC_ADD(&args) = text_dup(w->program.member.at[i].args);
    set_resize(&w->program, w->quick ? SET_SMALL : SET_LARGE);
    for (u32 i = 0; i < args.n; i++) {
        struct set_member *m = &w->program.member.at[i];

        if (args.at[i][0]) /* what somebody said stays */
            free(m->args), m->args = text_dup(args.at[i]);
    }
    text_split_free(args.at, args.n);
}

/* ---- points */

static void copy_words(struct words *to, const struct words *from)
{
    for (u32 i = 0; i < from->n; i++)
        point_add(to, from->at[i]);
}

static void add_words(struct words *to, const char *text)
{
    for (size_t n; *text; text += n + (text[n] != 0)) {
        n = strcspn(text, " ");
        char *word = text_dup_n(text, n);

        if (n)
            point_add(to, word);
        free(word);
    }
}

static void apply_one(struct point *p, const char *key, const char *value)
{
    if (strcmp(key, "gpu") == 0) {
        free(p->gpu);
        p->gpu = text_dup(value);
    } else if (strcmp(key, "mech") == 0) {
        if (strcmp(value, "none") != 0)
            point_add(&p->mech, value);
    } else {
        char *set = text_printf("%s=%s", key, value);

        point_add(&p->set, set);
        free(set);
    }
}

/* Behind a blank a value may bring other keys along: "48K l1d.ways=6". */
static void apply_value(struct point *p, const char *key, const char *text)
{
    size_t n = strcspn(text, " ");
    char *value = text_dup_n(text, n);

    apply_one(p, key, value);
    add_words(&p->set, text + n);
    free(value);
}

/* The value of an axis in combination c, in which the last axis moves fastest. */
static const char *axis_value(const struct sweep *w, u32 c, u32 axis)
{
    for (u32 i = w->axis.n; --i > axis;)
        c /= w->axis.at[i].value.n;
    return w->axis.at[axis].value.at[c % w->axis.at[axis].value.n];
}

static bool make_point(const struct sweep *w, u32 c, const struct set_member *m, struct point *p,
                       struct err *e)
{
    *p = (struct point){.program = text_dup(m->program), .gpu = text_dup(w->gpu)};
    add_words(&p->args, m->args);
    copy_words(&p->mech, &w->mech);
    copy_words(&p->set, &w->set);
    for (u32 i = 0; i < w->axis.n; i++)
        apply_value(p, w->axis.at[i].key, axis_value(w, c, i));
    if (point_check(p, e))
        return true;
    point_free(p);
    return false;
}

static char *label_of(const struct sweep *w, u32 c)
{
    char *label = text_dup("");

    for (u32 i = 0; i < w->axis.n; i++) {
        char *longer = text_printf("%s%s%s", label, i ? " " : "", axis_value(w, c, i));

        free(label);
        label = longer;
    }
    return label;
}

static bool make_series(const struct sweep *w, struct study *s, u32 c, struct err *e)
{
    struct study_series *r = VEC_ADD(&s->series);

    *r = (struct study_series){.label = label_of(w, c), .base = 0};
    for (u32 i = 0; i < w->program.member.n; i++) {
        struct point p;

        if (!make_point(w, c, &w->program.member.at[i], &p, e))
            return false;
        *VEC_ADD(&r->point) = study_add_point(s, &p);
        *VEC_ADD(&r->program) = text_dup(w->program.member.at[i].label);
    }
    return true;
}

static bool check_keys(const struct sweep *w, struct err *e)
{
    for (u32 i = 0; i < w->set.n; i++) {
        char *key = text_dup_n(w->set.at[i], strcspn(w->set.at[i], "="));
        bool twice = is_varied(w, key);

        if (twice)
            err_set(e, "%s is both set and varied", key);
        free(key);
        if (twice)
            return false;
    }
    return true;
}

/* How many, or 0 and a message. */
static u32 count_series(const struct sweep *w, struct err *e)
{
    u64 n = 1;

    for (u32 i = 0; i < w->axis.n && n <= MOST_POINTS; i++)
        n *= w->axis.at[i].value.n;
    if (n * w->program.member.n <= MOST_POINTS)
        return (u32)n;
    err_set(e, "that is more than %u runs", MOST_POINTS);
    return 0;
}

static char *title_of(const struct sweep *w)
{
    char *title = text_dup("");

    for (u32 i = 0; i < w->axis.n; i++) {
        char *longer = text_printf("%s%s%s", title, i ? ", " : "", w->axis.at[i].key);

        free(title);
        title = longer;
    }
    char *all = text_printf("sweep of %s", title);

    free(title);
    return all;
}

struct study *sweep_make(struct sweep *w, struct err *e)
{
    struct study *s = xcalloc(1, sizeof *s);
    u32 n = count_series(w, e);
    bool ok = n && check_labels(w, e) && check_keys(w, e);

    s->name = text_dup("vary"), s->title = title_of(w);
    resize(w);
    for (u32 i = 0; ok && i < n; i++)
        ok = make_series(w, s, i, e);
    if (ok)
        return s;
    study_free(s);
    return NULL;
}
