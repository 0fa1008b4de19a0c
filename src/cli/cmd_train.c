/* cmd_train.c -- smelt train: a logistic regression from a CSV file (study/fit.h), and its report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/draft.h"
#include "base/json.h"
#include "base/log.h"
#include "cli/cli.h"
#include "study/fit.h"
#include "version.h"

/* Outside, liblinear's arithmetic would not end, or end in infinities. */
#define COST_MIN 1e-9
#define COST_MAX 1e9

struct train {
    const char *path, *out, *json; /* out, json: NULL unless wanted */
    const char *label, *group;
    struct fit_how how; /* asked for */
    struct samples s;
    struct fit f;
    u32 *order; /* of metrics: the most important first */
};

/* ---- numbers of the report */

static double share(u32 n, u32 of)
{
    return of ? (double)n / of : 0;
}

static u32 majority(const struct samples *s)
{
    return s->n_label > s->row.n - s->n_label ? s->n_label : s->row.n - s->n_label;
}

static bool majority_is(const struct samples *s)
{
    return s->n_label == majority(s);
}

static u32 left_out_right(const struct train *t)
{
    return t->f.answers[0][0] + t->f.answers[1][1];
}

static double coefficient(const struct train *t, u32 metric)
{
    return t->f.model.term.at[metric].coefficient;
}

static double by_deviation(const struct train *t, u32 metric)
{
    return coefficient(t, metric) * t->f.metric[metric].deviation;
}

static double by_mean(const struct train *t, u32 metric)
{
    return coefficient(t, metric) * t->f.metric[metric].mean;
}

/* That the model looks at. */
static u32 used_metrics(const struct train *t)
{
    u32 n = 0;
    for (u32 i = 0; i < t->s.metric.n; i++)
        n += coefficient(t, i) != 0;
    return n;
}

/* By magnitude; equal ones stay in the order of columns. */
static void sort_metrics(struct train *t)
{
    t->order = xcalloc(t->s.metric.n, sizeof(u32));
    for (u32 i = 0; i < t->s.metric.n; i++) {
        u32 at = i;
        for (; at && fabs(by_deviation(t, t->order[at - 1])) < fabs(by_deviation(t, i)); at--)
            t->order[at] = t->order[at - 1];
        t->order[at] = i;
    }
}

/* ---- the report */

enum { NAME_WIDTH = 14, NUMBER_WIDTH = 12 };

static void print_rate(const char *name, u32 n, u32 of, const char *what)
{
    printf("%-*s %6.1f %%  %u of %u rows%s\n", NAME_WIDTH, name, 100 * share(n, of), n, of, what);
}

static void print_rates(const struct train *t)
{
    const struct samples *s = &t->s;
    char name[LOGISTIC_NAME + 8], most[64];
    printf("%-*s %6u\n%-*s %6u\n", NAME_WIDTH, "rows", s->row.n, NAME_WIDTH, "programs",
           s->group.n);
    snprintf(name, sizeof(name), "%s = 1", t->label);
    print_rate(name, s->n_label, s->row.n, "");
    print_rate("accuracy", t->f.right, s->row.n, ", those it was fitted to");
    if (t->f.right_of)
        print_rate("leave one out", left_out_right(t), s->row.n,
                   ", each program by a model of the others");
    else
        printf(
            "%-*s      -    there is one program alone, and nothing to fit a model of others to\n",
            NAME_WIDTH, "leave one out");
    snprintf(most, sizeof(most), ", by always answering %d", majority_is(s));
    print_rate("majority", majority(s), s->row.n, most);
    printf("%-*s %6g    %u of %u metrics%s\n", NAME_WIDTH, "cost", t->f.how.cost, used_metrics(t),
           s->metric.n, t->how.cost ? "" : "; both chosen, for each that is left out without it");
}

static void print_answers(const struct train *t)
{
    printf("\n%-*s %*s %*s\n", NAME_WIDTH, "leave one out", NUMBER_WIDTH, "answers 0", NUMBER_WIDTH,
           "answers 1");
    for (u32 label = 0; label < 2; label++) {
        char name[LOGISTIC_NAME + 8];
        snprintf(name, sizeof(name), "%s = %u", t->label, label);
        printf("%-*s %*u %*u\n", NAME_WIDTH, name, NUMBER_WIDTH, t->f.answers[label][0],
               NUMBER_WIDTH, t->f.answers[label][1]);
    }
}

static int name_width(const struct samples *s)
{
    size_t most = NAME_WIDTH;
    for (u32 i = 0; i < s->metric.n; i++)
        if (strlen(s->metric.at[i]) > most)
            most = strlen(s->metric.at[i]);
    return (int)most;
}

static void print_metrics(const struct train *t)
{
    static const char *const head[] = {"coefficient", "mean", "deviation", "x deviation", "x mean"};
    int width = name_width(&t->s);
    printf("\n%-*s", width, "metric");
    for (u32 i = 0; i < LEN(head); i++)
        printf(" %*s", NUMBER_WIDTH, head[i]);
    for (u32 i = 0; i < t->s.metric.n; i++) {
        u32 k = t->order[i];
        const double v[LEN(head)] = {coefficient(t, k), t->f.metric[k].mean,
                                     t->f.metric[k].deviation, by_deviation(t, k), by_mean(t, k)};
        printf("\n%-*s", width, t->s.metric.at[k]);
        for (u32 c = 0; c < LEN(v); c++)
            printf(" %*.5g", NUMBER_WIDTH, v[c]);
    }
    printf("\n%-*s %*.5g\n", width, "constant", NUMBER_WIDTH, t->f.model.constant);
}

static void print_report(const struct train *t)
{
    print_rates(t);
    if (t->f.right_of)
        print_answers(t);
    print_metrics(t);
}

/* ---- the same for programs */

static void put_rate(struct json *j, const char *name, u32 n, u32 of)
{
    json_key(j, name), json_real(j, share(n, of));
}

static void put_left_out(struct json *j, const struct train *t)
{
    json_key(j, "leave_one_out");
    if (!t->f.right_of) {
        json_null(j);
        return;
    }
    json_obj(j);
    put_rate(j, "accuracy", left_out_right(t), t->s.row.n);
    json_key(j, "answers");
    json_arr(j);
    for (u32 label = 0; label < 2; label++) {
        json_row(j);
        json_u64(j, t->f.answers[label][0]), json_u64(j, t->f.answers[label][1]);
        json_arr_end(j);
    }
    json_arr_end(j);
    json_key(j, "programs");
    json_arr(j);
    for (u32 g = 0; g < t->s.group.n; g++) {
        json_obj(j);
        json_key(j, "program"), json_str(j, t->s.group.at[g]);
        json_key(j, "rows"), json_u64(j, t->f.rows_of[g]);
        json_key(j, "right"), json_u64(j, t->f.right_of[g]);
        json_obj_end(j);
    }
    json_arr_end(j);
    json_obj_end(j);
}

static void put_coefficients(struct json *j, const struct train *t)
{
    json_key(j, "metrics");
    json_arr(j);
    for (u32 i = 0; i < t->s.metric.n; i++) {
        u32 k = t->order[i];
        json_obj(j);
        json_key(j, "metric"), json_str(j, t->s.metric.at[k]);
        json_key(j, "coefficient"), json_real(j, coefficient(t, k));
        json_key(j, "mean"), json_real(j, t->f.metric[k].mean);
        json_key(j, "deviation"), json_real(j, t->f.metric[k].deviation);
        json_key(j, "by_deviation"), json_real(j, by_deviation(t, k));
        json_key(j, "by_mean"), json_real(j, by_mean(t, k));
        json_obj_end(j);
    }
    json_arr_end(j);
}

static bool write_training(const struct train *t, struct err *e)
{
    struct json j;
    if (!json_open_file(&j, t->json, e))
        return false;
    json_obj(&j);
    json_key(&j, "schema"), json_u64(&j, 1);
    json_key(&j, "smelt"), json_str(&j, SMELT_VERSION);
    json_key(&j, "label"), json_str(&j, t->label);
    json_key(&j, "group"), json_str(&j, t->group);
    json_key(&j, "cost"), json_real(&j, t->f.how.cost);
    json_key(&j, "used_metrics"), json_u64(&j, used_metrics(t));
    json_key(&j, "chosen"), json_bool(&j, !t->how.cost);
    json_key(&j, "rows"), json_u64(&j, t->s.row.n);
    json_key(&j, "programs"), json_u64(&j, t->s.group.n);
    put_rate(&j, "share", t->s.n_label, t->s.row.n);
    put_rate(&j, "accuracy", t->f.right, t->s.row.n);
    put_rate(&j, "majority", majority(&t->s), t->s.row.n);
    put_left_out(&j, t);
    json_key(&j, "constant"), json_real(&j, t->f.model.constant);
    put_coefficients(&j, t);
    json_obj_end(&j);
    return json_close(&j, e);
}

/* ---- the model's file */

/* On one line, whatever the name of a file or a column holds. */
static void put_on_one_line(const char *name, FILE *f)
{
    for (; *name; name++)
        fputc((u8)*name < ' ' ? '?' : *name, f);
}

static void put_comment(const struct train *t, FILE *f)
{
    const struct samples *s = &t->s;
    fputs("# A logistic regression that smelt train has fitted to ", f);
    put_on_one_line(text_base_name(t->path), f); /* the same file elsewhere gives the same bytes */
    fputs(": is ", f);
    put_on_one_line(t->label, f);
    fputs(" 1?\n#\n", f);
    fprintf(f, "# %u rows of %u program%s, %.1f %% of them 1; cost %g", s->row.n, s->group.n,
            s->group.n == 1 ? "" : "s", 100 * share(s->n_label, s->row.n), t->f.how.cost);
    if (!t->how.cost)
        fprintf(f, " and %u of %u metrics, both chosen", used_metrics(t), s->metric.n);
    fputs(".\n", f);
    fprintf(f, "# Right for %.1f %% of these rows", 100 * share(t->f.right, s->row.n));
    if (t->f.right_of)
        fprintf(f, ", and for %.1f %% if it has not seen their program",
                100 * share(left_out_right(t), s->row.n));
    fprintf(f, "; always to say %d: %.1f %%.\n\n", majority_is(s),
            100 * share(majority(s), s->row.n));
}

static bool write_model(const struct train *t, struct err *e)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    put_comment(t, f);
    logistic_write(&t->f.model, f);
    fclose(f);
    bool ok = draft_write(t->out, text, len, e);
    free(text);
    if (ok)
        log_note("the coefficients are in %s", t->out);
    return ok;
}

/* ---- the command */

static int fit_and_tell(struct train *t)
{
    struct err e;
    if (!samples_read(&t->s, t->path, t->group, t->label, &e))
        return err_tell(&e);
    fit_samples(&t->f, &t->s, &t->how);
    sort_metrics(t);
    if (!t->json || strcmp(t->json, "-"))
        print_report(t);
    bool ok = (!t->json || write_training(t, &e)) && (!t->out || write_model(t, &e));
    free(t->order);
    fit_free(&t->f);
    samples_free(&t->s);
    return ok ? 0 : err_tell(&e);
}

static bool take_cost(struct train *t, const char *text)
{
    double *cost = &t->how.cost;
    if (strcmp(text, "auto") == 0)
        return true;
    return text_parse_real(text, cost) && *cost >= COST_MIN && *cost <= COST_MAX;
}

int cmd_train(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct train t = {.label = "fuse", .group = "program"};
    const char *cost = "1", *word;
    while (cli_more(&a)) {
        if (cli_option(&a, "-o|--out", &t.out) || cli_option(&a, "--json", &t.json) ||
            cli_option(&a, "--label", &t.label) || cli_option(&a, "--group", &t.group) ||
            cli_option(&a, "--cost", &cost))
            continue;
        if (!cli_word(&a, &word))
            return cli_unknown(&a);
        if (t.path)
            return cli_misuse(&a, "train takes one file, not also '%s'", word);
        t.path = word;
    }
    if (a.failed)
        return ERR_USER;
    if (!t.path)
        return cli_misuse(&a, "train on which file?");
    if (t.out && strcmp(t.out, "-") == 0)
        return cli_misuse(&a, "-o takes the name of a file: standard output has the report");
    if (strcmp(t.label, t.group) == 0)
        return cli_misuse(&a, "--label and --group are the same column '%s'", t.label);
    if (!take_cost(&t, cost))
        return cli_misuse(&a, "--cost: '%s' is neither a number in 1e-9..1e9 nor auto", cost);
    return fit_and_tell(&t);
}
