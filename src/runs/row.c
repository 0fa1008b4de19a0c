/* row.c -- see row.h */
#include "runs/row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/build.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/proc.h"
#include "version.h"

/* ---- the fields that are alike, by name in the file */

static const struct {
    const char *name;
    size_t off;
} text_field[] =
    {
        {"program", offsetof(struct store_row, program)},
        {"args", offsetof(struct store_row, args)},
        {"gpu", offsetof(struct store_row, gpu)},
        {"mech", offsetof(struct store_row, mech)},
        {"set", offsetof(struct store_row, set)},
        {"build", offsetof(struct store_row, build)},
        {"message", offsetof(struct store_row, message)},
        {"finished", offsetof(struct store_row, finished)},
        {"host", offsetof(struct store_row, host)},
},
  real_field[] =
      {
          {"seconds", offsetof(struct store_row, seconds)},
          {"cpu_seconds", offsetof(struct store_row, cpu_seconds)},
},
  whole_field[] =
      {
          {"sample", offsetof(struct store_row, sample)},
          {"peak_bytes", offsetof(struct store_row, peak_bytes)},
},
  total_field[] = {
      /* of the result: not in the file */
      {"cycles", offsetof(struct store_row, cycles)},
      {"warp_insts", offsetof(struct store_row, warp_insts)},
      {"thread_insts", offsetof(struct store_row, thread_insts)},
      {"ipc", offsetof(struct store_row, ipc)},
      {"energy_j", offsetof(struct store_row, energy_j)},
      {"power_w", offsetof(struct store_row, power_w)},
};

static void *at(const struct store_row *r, size_t off)
{
    return (char *)(uintptr_t)r + off;
}

static void no_totals(struct store_row *r)
{
    for (u32 i = 0; i < LEN(total_field); i++)
        *(double *)at(r, total_field[i].off) = NAN;
}

void store_row_free(struct store_row *r)
{
    for (u32 i = 0; i < LEN(text_field); i++)
        free(*(char **)at(r, text_field[i].off));
    memset(r, 0, sizeof *r);
}

/* ---- making one */

char *row_build(void)
{
    char *commit = build_commit[0]
                       ? text_printf("(%.12s%s) ", build_commit, build_is_dirty ? ", dirty" : "")
                       : text_dup("");
    char *build = text_printf("%s %s%s", SMELT_VERSION, commit, point_build());

    free(commit);
    return build;
}

/* ISO 8601, of the world and not of this place. */
static char *date_now(void)
{
    char text[32];
    struct tm tm;
    time_t now = time(NULL);

    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
    return text_dup(text);
}

void row_of_point(struct store_row *r, const struct point *p)
{
    *r = (struct store_row){.program = text_dup(p->program),
                            .args = point_words(&p->args),
                            .gpu = text_dup(p->gpu),
                            .mech = point_words(&p->mech),
                            .set = point_words(&p->set),
                            .build = row_build(),
                            .finished = date_now(),
                            .host = proc_host(),
                            .sample = p->sample,
                            .seconds = NAN,
                            .cpu_seconds = NAN};
    memcpy(r->key, p->key, sizeof r->key);
    no_totals(r);
}

static bool run_is_done(const struct json_value *v, const char *path, struct err *e)
{
    const struct json_value *status = json_get(v, "status"), *program = json_get(v, "program");
    const struct json_value *kind = json_get(program, "kind"), *end = json_get(v, "exit_status");

    if (!status || status->kind != JSON_STRING)
        return err_set(e, "%s is not the result of a run: it has no status", path);
    if (strcmp(status->text, "done") != 0)
        return err_set(e, "its result says '%s'", status->text);
    if (kind && kind->kind == JSON_STRING && strcmp(kind->text, "cuda") == 0)
        if (!end || end->kind != JSON_NUMBER || end->number != 0)
            return err_set(e, "its result does not say that the program ended with status 0");
    return true;
}

/* Entries of kernels, which may be many, are only looked over. */
bool row_take_result(struct store_row *r, const char *path, const char *text, size_t len,
                     struct err *e)
{
    struct json_slices kernels = {0};
    struct json_value *v = json_read_slices(path, text, len, "kernels", &kernels, e);
    const struct json_value *total = json_get(v, "total");
    bool ok = v && run_is_done(v, path, e) &&
              (kernels.n || err_set(e, "no kernel was launched: nothing was simulated"));

    no_totals(r);
    for (u32 i = 0; ok && i < LEN(total_field); i++) {
        const struct json_value *m = json_get(total, total_field[i].name);
        if (m && m->kind == JSON_NUMBER)
            *(double *)at(r, total_field[i].off) = m->number;
    }
    r->state = ok ? STORE_DONE : STORE_FAILED;
    r->result_bytes = ok ? len : 0;
    VEC_FREE(&kernels);
    json_free(v);
    return ok;
}

/* ---- as a file */

bool row_write(const struct store_row *r, const char *path, struct err *e)
{
    struct json j;

    if (!json_open_file(&j, path, e))
        return false;
    json_obj(&j);
    json_key(&j, "key"), json_str(&j, r->key);
    json_key(&j, "done"), json_bool(&j, r->state == STORE_DONE);
    for (u32 i = 0; i < LEN(text_field); i++) {
        const char *text = *(char **)at(r, text_field[i].off);
        json_key(&j, text_field[i].name), json_str(&j, text ? text : "");
    }
    for (u32 i = 0; i < LEN(real_field); i++)
        json_key(&j, real_field[i].name), json_real(&j, *(double *)at(r, real_field[i].off));
    for (u32 i = 0; i < LEN(whole_field); i++)
        json_key(&j, whole_field[i].name), json_u64(&j, *(u64 *)at(r, whole_field[i].off));
    json_obj_end(&j);
    return json_close(&j, e);
}

static bool take_fields(struct store_row *r, const struct json_value *v)
{
    const struct json_value *key = json_get(v, "key"), *done = json_get(v, "done"), *m;
    bool ok = key && key->kind == JSON_STRING && strlen(key->text) == HASH_HEX - 1 && done;

    if (!ok)
        return false;
    memcpy(r->key, key->text, HASH_HEX);
    r->state = done->kind == JSON_TRUE ? STORE_DONE : STORE_FAILED;
    for (u32 i = 0; i < LEN(text_field); i++) {
        m = json_get(v, text_field[i].name);
        ok = ok && m && m->kind == JSON_STRING;
        *(char **)at(r, text_field[i].off) = text_dup(ok ? m->text : "");
    }
    for (u32 i = 0; i < LEN(real_field); i++) {
        *(double *)at(r, real_field[i].off) = json_number(v, real_field[i].name, NAN);
    }
    for (u32 i = 0; i < LEN(whole_field); i++) {
        m = json_get(v, whole_field[i].name);
        ok =
            ok && m && m->kind == JSON_NUMBER && text_parse_u64(m->text, at(r, whole_field[i].off));
    }
    return ok;
}

bool row_read(struct store_row *r, const char *path, struct err *e)
{
    struct json_value *v = json_read_file(path, e);

    memset(r, 0, sizeof *r);
    no_totals(r);
    bool ok = v && (take_fields(r, v) || err_set(e, "%s is not the row of a run", path));

    json_free(v);
    if (!ok)
        store_row_free(r);
    return ok;
}
