/* kernel_sum.c -- see kernel_sum.h */
#include "study/kernel_sum.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mangle.h"
#include "gpu/counters.h"
#include "mech/mech.h"

/* ---- which launches */

bool kernel_is(const char *name, const char *kernel)
{
    char written[256];

    if (strcmp(name, kernel) == 0)
        return true;
    mangle_show(name, written, sizeof written);
    if (strcmp(written, kernel) == 0)
        return true;
    written[strcspn(written, "<")] = 0;
    return strcmp(written, kernel) == 0;
}

/* ---- sums: a tree of the shape of what is added */

struct sum {
    char *name; /* NULL in a list */
    double value;
    enum json_kind kind; /* NUMBER, ARRAY, OBJECT */
    VEC(struct sum) part;
};

static void sum_free(struct sum *s)
{
    for (u32 i = 0; i < s->part.n; i++)
        sum_free(&s->part.at[i]);
    VEC_FREE(&s->part);
    free(s->name);
}

/* Parts come in the same order from launch to launch, so it is mostly the one at `hint`. */
static struct sum *find_part(struct sum *s, const char *name, u32 hint)
{
    if (hint < s->part.n && strcmp(s->part.at[hint].name, name) == 0)
        return &s->part.at[hint];
    for (u32 i = 0; i < s->part.n; i++)
        if (strcmp(s->part.at[i].name, name) == 0)
            return &s->part.at[i];
    return NULL;
}

static struct sum *get_part(struct sum *s, const char *name, u32 hint, enum json_kind kind)
{
    struct sum *p = name ? find_part(s, name, hint) : NULL;

    if (!name && hint < s->part.n)
        p = &s->part.at[hint];
    if (p)
        return p;
    p = VEC_ADD(&s->part);
    *p = (struct sum){.name = name ? text_dup(name) : NULL, .kind = kind};
    return p;
}

static double count_of(const struct json_value *list)
{
    double n = 0;

    for (u32 i = 0; list && i < list->n; i++)
        n += list->at[i].number;
    return n;
}

/* The mean of a histogram counts as often as the histogram has entries. */
static double weight_of(const struct json_value *of, const struct json_value *v)
{
    char *name = text_printf("%s_log2", v->key ? v->key : "");
    const struct json_value *list = json_get(of, name);

    free(name);
    return list ? count_of(list) : 1;
}

enum { DEEPEST = 4 }; /* results have three levels; a file may say anything */

static void add_object(struct sum *s, const struct json_value *v, u32 depth)
{
    for (u32 i = 0; i < v->n; i++) {
        const struct json_value *m = &v->at[i];
        bool is_number = m->kind == JSON_NUMBER;

        if (!is_number && m->kind != JSON_ARRAY && m->kind != JSON_OBJECT)
            continue;
        struct sum *p = get_part(s, m->key, i, m->kind);

        if (p->kind != m->kind || depth == DEEPEST)
            continue;
        if (is_number)
            p->value += m->number * weight_of(v, m);
        else
            add_object(p, m, depth + 1);
    }
}

static void add_launch_member(struct sum *s, const struct json_value *launch, const char *name)
{
    const struct json_value *v = json_get(launch, name);

    if (v && v->kind == JSON_OBJECT)
        add_object(s, v, 1);
}

static void set(struct sum *s, const char *name, double v)
{
    get_part(s, name, ~0u, JSON_NUMBER)->value = v;
}

static void drop_part(struct sum *s, struct sum *part)
{
    u32 i = (u32)(part - s->part.at);

    sum_free(part);
    memmove(part, part + 1, (s->part.n - i - 1) * sizeof *part);
    s->part.n--;
}

/* ---- what is no sum */

static const char *counter_at(const struct sheet *s, size_t off)
{
    for (u32 i = 0; i < s->n_stat; i++)
        if (s->stat[i].over == STAT_NONE && s->stat[i].off == off)
            return s->stat[i].name;
    return "";
}

static double sum_value(struct sum *s, const char *prefix, const char *name)
{
    char *full = text_printf("%s%s", prefix, name);
    const struct sum *p = find_part(s, full, 0);

    free(full);
    return p ? p->value : 0;
}

static void make_ratios(struct sum *stats, const struct sheet *s, const char *prefix)
{
    for (u32 i = 0; i < s->n_stat; i++) {
        const struct stat_row *r = &s->stat[i];
        char *name = text_printf("%s%s", prefix, r->name);
        struct sum *p = r->over == STAT_NONE ? NULL : find_part(stats, name, 0);

        free(name);
        if (!p)
            continue;
        double over = sum_value(stats, prefix, counter_at(s, r->over));

        if (over > 0)
            p->value = sum_value(stats, prefix, counter_at(s, r->off)) / over;
        else
            drop_part(stats, p);
    }
}

static void divide_all(struct sum *stats)
{
    u32 n, n_mech;
    const struct counter_sheet *c = counters_list(&n);
    const struct mech *const *m = mech_list(&n_mech);

    for (u32 i = 0; i < n; i++)
        make_ratios(stats, c[i].sheet, c[i].prefix);
    for (u32 i = 0; i < n_mech; i++) {
        char *prefix = text_printf("%s_", m[i]->name);

        make_ratios(stats, m[i]->sheet, prefix);
        free(prefix);
    }
}

static void divide_histograms(struct sum *stats)
{
    for (u32 i = 0; i < stats->part.n; i++) {
        struct sum *p = &stats->part.at[i];
        char *name = text_printf("%s_log2", p->name);
        const struct sum *list = find_part(stats, name, i + 1);
        double n = 0;

        free(name);
        for (u32 k = 0; list && k < list->part.n; k++)
            n += list->part.at[k].value;
        if (n > 0)
            p->value /= n;
    }
}

/* ---- a launch */

struct sums {
    struct sum total, stats, stalls, energy;
    double time_s, noleak_j;
    u32 n;
};

static void add_launch(struct sums *s, const struct json_value *v)
{
    static const char *const whole[] = {"cycles", "warp_insts", "thread_insts", "energy_j"};

    s->n++;
    for (u32 i = 0; i < LEN(whole); i++)
        if (json_get(v, whole[i]))
            get_part(&s->total, whole[i], i, JSON_NUMBER)->value += json_number(v, whole[i], 0);
    add_launch_member(&s->stats, v, "stats");
    add_launch_member(&s->stalls, v, "stalls");
    add_launch_member(&s->energy, v, "energy");
    if (json_number(v, "power_w", 0) > 0) {
        double time = json_number(v, "energy_j", 0) / json_number(v, "power_w", 0);

        s->time_s += time;
        s->noleak_j += json_number(v, "power_noleak_w", 0) * time;
    }
}

static void finish_sums(struct sums *s)
{
    double cycles = sum_value(&s->total, "", "cycles");

    if (cycles > 0)
        set(&s->total, "ipc", sum_value(&s->total, "", "thread_insts") / cycles);
    if (s->time_s > 0) {
        set(&s->total, "power_w", sum_value(&s->total, "", "energy_j") / s->time_s);
        set(&s->total, "power_noleak_w", s->noleak_j / s->time_s);
    }
    divide_all(&s->stats);
    divide_histograms(&s->stats);
}

/* ---- as JSON */

static void put_sum(struct json *j, const struct sum *s)
{
    if (s->kind == JSON_NUMBER) {
        json_real(j, s->value);
        return;
    }
    (s->kind == JSON_ARRAY ? json_row : json_obj)(j);
    for (u32 i = 0; i < s->part.n; i++) {
        if (s->kind == JSON_OBJECT)
            json_key(j, s->part.at[i].name);
        put_sum(j, &s->part.at[i]);
    }
    (s->kind == JSON_ARRAY ? json_arr_end : json_obj_end)(j);
}

static struct json_value *as_json(struct sums *s, struct err *e)
{
    struct sum *const part[] = {&s->total, &s->stats, &s->stalls, &s->energy};
    static const char *const name[] = {"total", "stats", "stalls", "energy"};
    struct json j;
    size_t len;

    json_open_buf(&j);
    json_obj(&j);
    for (u32 i = 0; i < LEN(part); i++) {
        part[i]->kind = JSON_OBJECT;
        json_key(&j, name[i]);
        put_sum(&j, part[i]);
    }
    json_obj_end(&j);
    char *text = json_close_buf(&j, &len);
    struct json_value *v = json_read("sums of launches", text, len, e);

    free(text);
    return v;
}

/* ---- which kernels there are */

struct kernel_names {
    VEC(char *) at; /* as their authors wrote them */
    bool known;     /* one of them is the kernel */
};

static void add_kernel_name(struct kernel_names *n, const struct json_value *name,
                            const char *kernel)
{
    char written[256];

    if (!name || name->kind != JSON_STRING)
        return;
    n->known = n->known || kernel_is(name->text, kernel);
    *VEC_ADD(&n->at) = text_dup(mangle_show(name->text, written, sizeof written));
}

/* Of all modules, launched or not. */
static void add_entries(struct kernel_names *n, const struct json_value *result, const char *kernel)
{
    const struct json_value *modules = json_get(json_get(result, "program"), "modules");

    for (u32 i = 0; modules && i < modules->n; i++) {
        const struct json_value *entries = json_get(&modules->at[i], "entries");

        for (u32 k = 0; entries && k < entries->n; k++)
            add_kernel_name(n, &entries->at[k], kernel);
    }
}

static bool check_kernel(const struct kernel_names *n, const char *kernel, struct err *e)
{
    return n->known || err_no_such(e, kernel, (const char *const *)n->at.at, n->at.n, NULL,
                                   "no kernel '%s'", kernel);
}

bool kernel_sum(const struct json_value *result, const struct json_slices *launches,
                const char *kernel, struct json_value **sum, struct err *e)
{
    struct sums s = {0};
    struct kernel_names names = {0};
    bool ok = true;

    *sum = NULL;
    add_entries(&names, result, kernel);
    for (u32 i = 0; ok && i < launches->n; i++) {
        const struct json_slice *at = &launches->at[i];
        struct json_value *v = json_read("a launch", at->at, at->len, e);
        const struct json_value *name = json_get(v, "name");

        ok = v != NULL;
        if (name && name->kind == JSON_STRING && kernel_is(name->text, kernel))
            add_launch(&s, v);
        add_kernel_name(&names, name, kernel);
        json_free(v);
    }
    ok = ok && check_kernel(&names, kernel, e);
    if (ok && s.n)
        finish_sums(&s), ok = (*sum = as_json(&s, e)) != NULL;
    sum_free(&s.total), sum_free(&s.stats), sum_free(&s.stalls), sum_free(&s.energy);
    text_split_free(names.at.at, names.at.n);
    return ok;
}
