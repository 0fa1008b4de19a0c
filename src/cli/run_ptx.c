/* run_ptx.c -- smelt run x.ptx: one launch, described on the command line (see run.h). */
#include <inttypes.h>
#include <string.h>

#include "cli/run.h"

struct shot { /* the one launch */
    struct program *prog;
    struct func *func;
    u32 grid[3], block[3], smem;
    struct value *value; /* one per --arg */
    u32 n_value;
};

static bool parse_dim(const char *option, const char *text, u32 dim[3], struct err *e)
{
    char **item;
    u32 n = text_split(text, &item);
    bool ok = n >= 1 && n <= 3;
    dim[0] = dim[1] = dim[2] = 1;
    for (u32 i = 0; ok && i < n; i++) {
        u64 v;
        ok = text_parse_u64(item[i], &v) && v >= 1 && v <= INT32_MAX;
        if (ok)
            dim[i] = (u32)v;
    }
    text_split_free(item, n);
    return ok || err_set(e, "%s takes X[,Y[,Z]], whole numbers from 1, not '%s'", option, text);
}

static bool parse_launch(struct program_run *r, struct shot *s, struct err *e)
{
    if (!r->grid_text || !r->block_text)
        return err_set(e, "a .ptx file needs %s X[,Y[,Z]]; see smelt run --help",
                       r->grid_text ? "--block" : "--grid");
    u64 smem = 0;
    if (r->smem_text && (!text_parse_size(r->smem_text, &smem) || smem > UINT32_MAX))
        return err_set(e, "--smem: '%s' is not a number of bytes", r->smem_text);
    s->smem = (u32)smem;
    return parse_dim("--grid", r->grid_text, s->grid, e) &&
           parse_dim("--block", r->block_text, s->block, e);
}

static bool parse_args(struct program_run *r, struct shot *s, struct err *e)
{
    s->value = xcalloc(r->arg.n, sizeof(s->value[0]));
    for (; s->n_value < r->arg.n; s->n_value++)
        if (!value_parse(&s->value[s->n_value], r->arg.at[s->n_value], e))
            return err_at(e, "--arg");
    return true;
}

/* "I:PATH" with I a buffer among the arguments; *path points into text. */
static bool parse_dump(const struct shot *s, const char *text, u32 *arg, const char **path,
                       struct err *e)
{
    const char *colon = strchr(text, ':');
    char *number = text_dup_n(text, colon ? (size_t)(colon - text) : 0);
    u64 i;
    bool ok = text_parse_u64(number, &i) && colon[1];
    free(number);
    if (!ok)
        return err_set(e, "--dump takes I:PATH, not '%s'", text);
    if (i >= s->n_value)
        return err_set(e, "--dump %s: there is no argument %" PRIu64 ", only 0..%d", text, i,
                       (int)s->n_value - 1);
    if (s->value[i].kind != VALUE_BUFFER)
        return err_set(e, "--dump %s: argument %" PRIu64 " is %s, not a buffer", text, i,
                       s->value[i].text);
    *arg = (u32)i;
    *path = colon + 1;
    return true;
}

static bool check_dumps(struct program_run *r, const struct shot *s, struct err *e)
{
    u32 arg;
    const char *path;
    for (u32 i = 0; i < r->dump.n; i++)
        if (!parse_dump(s, r->dump.at[i], &arg, &path, e))
            return false;
    return true;
}

/* "a, b, c, ..": as many kernels as a message has room for. */
static void list_kernels(const struct program *p, char *buf, size_t size)
{
    size_t len = 0;
    for (u32 i = 0; i < p->n_func && len < size; i++)
        if (p->func[i].is_entry)
            len +=
                (size_t)snprintf(buf + len, size - len, "%s%s", len ? ", " : "", p->func[i].name);
}

static bool choose_kernel(struct program_run *r, struct shot *s, struct err *e)
{
    if (r->kernel) {
        s->func = program_kernel(s->prog, r->kernel, e);
        return s->func != NULL;
    }
    u32 n = 0;
    for (u32 i = 0; i < s->prog->n_func; i++) {
        if (!s->prog->func[i].is_entry)
            continue;
        s->func = &s->prog->func[i];
        n++;
    }
    if (n == 1)
        return true;
    char names[400] = "";
    list_kernels(s->prog, names, sizeof(names));
    if (n == 0)
        return err_set(e, "%s has no kernel", r->program);
    return err_set(e, "%s has %u kernels, choose with --kernel: %s", r->program, n, names);
}

static bool check_args(const struct shot *s, struct err *e)
{
    if (!value_check_count(s->func, s->n_value, e))
        return false;
    for (u32 i = 0; i < s->n_value; i++)
        if (!value_check(&s->value[i], s->func, i, run_pointer_bytes(s->prog), e))
            return err_at(e, "--arg");
    return true;
}

static bool launch_shot(struct program_run *r, struct shot *s, struct err *e)
{
    for (u32 i = 0; i < s->n_value; i++)
        if (s->value[i].kind == VALUE_BUFFER && !buffer_upload(&s->value[i].buffer, r->dev, e))
            return err_at(e, "--arg %s", s->value[i].text);
    u8 *param = xcalloc(s->func->param_bytes + 1, 1);
    for (u32 i = 0; i < s->n_value; i++)
        value_store(&s->value[i], s->func, i, param);
    bool ok = run_launch(r, s->prog, s->func->name, s->grid, s->block, s->smem, param, e);
    free(param);
    return ok;
}

static bool write_dumps(struct program_run *r, const struct shot *s, struct err *e)
{
    u32 arg = 0;
    const char *path = NULL;
    for (u32 i = 0; i < r->dump.n; i++)
        if (!parse_dump(s, r->dump.at[i], &arg, &path, e) ||
            !buffer_dump(&s->value[arg].buffer, r->dev, path, e))
            return false;
    return true;
}

bool run_ptx(struct program_run *r, struct err *e)
{
    struct shot s = {0};
    bool ok = parse_launch(r, &s, e) && parse_args(r, &s, e) && check_dumps(r, &s, e) &&
              (s.prog = run_load(r, r->program, e)) && choose_kernel(r, &s, e) &&
              check_args(&s, e) && launch_shot(r, &s, e) && write_dumps(r, &s, e);
    for (u32 i = 0; i < s.n_value; i++)
        value_free(&s.value[i]);
    free(s.value);
    return ok;
}
