/* point.c -- see point.h: points as words, as text and as JSON; the key is made in point_key.c */
#include "runs/point.h"

#include <inttypes.h>
#include <string.h>

#include "base/place.h"
#include "workload/runnable.h"
#include "workload/workload.h"

void point_add(struct words *w, const char *word)
{
    *VEC_ADD(w) = text_dup(word);
}

void point_free_words(struct words *w)
{
    for (u32 i = 0; i < w->n; i++)
        free(w->at[i]);
    VEC_FREE(w);
}

void point_free(struct point *p)
{
    point_free_words(&p->args), point_free_words(&p->mech), point_free_words(&p->set);
    free(p->program), free(p->gpu);
    memset(p, 0, sizeof *p);
}

bool point_prepare(const struct point *p, struct err *e)
{
    if (!workload_exists(p->program))
        return true;
    char *path = workload_build(p->program, e);
    free(path);
    return path != NULL;
}

/* ---- as a command */

static void add_each(struct words *to, const char *option, const struct words *w)
{
    for (u32 i = 0; i < w->n; i++) {
        if (option)
            point_add(to, option);
        point_add(to, w->at[i]);
    }
}

char **point_argv(const struct point *p, const char *json)
{
    char *smelt = place_command(), sample[TEXT_NUMBER];
    const char *head[] = {smelt, "run", "--quiet", "--json", json, "-g", p->gpu};
    struct words w = {0};

    for (u32 i = 0; i < LEN(head); i++)
        point_add(&w, head[i]);
    add_each(&w, "-m", &p->mech);
    add_each(&w, "--set", &p->set);
    if (p->sample) {
        snprintf(sample, sizeof sample, "%" PRIu64, p->sample);
        point_add(&w, "--sample"), point_add(&w, sample);
    }
    point_add(&w, "--"), point_add(&w, p->program); /* which may begin with a dash */
    add_each(&w, NULL, &p->args);
    *VEC_ADD(&w) = NULL;
    free(smelt);
    return w.at;
}

void point_argv_free(char **argv)
{
    for (u32 i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

/* Appends " WORD", in quotes if a shell would need them. */
static void put_word(char **text, const char *option, const char *word)
{
    bool quote = !word[0] || word[strcspn(word, " \t\n'\"\\$&|;<>()*?")];
    char *old = *text;

    *text = text_printf("%s%s%s%s%s%s%s", old, old[0] ? " " : "", option, option[0] ? " " : "",
                        quote ? "'" : "", word, quote ? "'" : "");
    free(old);
}

char *point_words(const struct words *w)
{
    char *text = text_dup("");

    for (u32 i = 0; i < w->n; i++)
        put_word(&text, "", w->at[i]);
    return text;
}

char *point_text(const struct point *p)
{
    char *text = text_dup(""), sample[TEXT_NUMBER];

    put_word(&text, "", p->program);
    for (u32 i = 0; i < p->args.n; i++)
        put_word(&text, "", p->args.at[i]);
    put_word(&text, "-g", p->gpu);
    for (u32 i = 0; i < p->mech.n; i++)
        put_word(&text, "-m", p->mech.at[i]);
    for (u32 i = 0; i < p->set.n; i++)
        put_word(&text, "--set", p->set.at[i]);
    snprintf(sample, sizeof sample, "%" PRIu64, p->sample);
    if (p->sample)
        put_word(&text, "--sample", sample);
    return text;
}

/* ---- as JSON */

static void words_json(const struct words *w, const char *key, struct json *j)
{
    json_key(j, key);
    json_row(j);
    for (u32 i = 0; i < w->n; i++)
        json_str(j, w->at[i]);
    json_arr_end(j);
}

void point_json(const struct point *p, struct json *j)
{
    json_obj(j);
    json_key(j, "program"), json_str(j, p->program);
    words_json(&p->args, "args", j);
    json_key(j, "gpu"), json_str(j, p->gpu);
    words_json(&p->mech, "mech", j);
    words_json(&p->set, "set", j);
    json_key(j, "sample"), json_u64(j, p->sample);
    json_obj_end(j);
}

static bool member_text(const struct json_value *v, const char *key, char **to, struct err *e)
{
    const struct json_value *m = json_get(v, key);

    if (!m || m->kind != JSON_STRING)
        return err_set(e, "a point without a text \"%s\"", key);
    *to = text_dup(m->text);
    return true;
}

static bool member_words(const struct json_value *v, const char *key, struct words *w,
                         struct err *e)
{
    const struct json_value *m = json_get(v, key);
    bool ok = m && m->kind == JSON_ARRAY;

    for (u32 i = 0; ok && i < m->n; i++) {
        ok = m->at[i].kind == JSON_STRING;
        if (ok)
            point_add(w, m->at[i].text);
    }
    return ok || err_set(e, "a point without a list of texts \"%s\"", key);
}

static bool read_sample(const struct json_value *v, u64 *sample, struct err *e)
{
    const struct json_value *m = json_get(v, "sample");

    return (m && m->kind == JSON_NUMBER && text_parse_u64(m->text, sample)) ||
           err_set(e, "a point without a whole number \"sample\"");
}

bool point_from_json(struct point *p, const struct json_value *v, struct err *e)
{
    memset(p, 0, sizeof *p);
    if (member_text(v, "program", &p->program, e) && member_words(v, "args", &p->args, e) &&
        member_text(v, "gpu", &p->gpu, e) && member_words(v, "mech", &p->mech, e) &&
        member_words(v, "set", &p->set, e) && read_sample(v, &p->sample, e))
        return true;
    point_free(p);
    return false;
}
