/*
 * run_job.c -- smelt run x.job: modules, buffers and launches described by a file.
 *
 * The file is read to its end before anything runs: each line becomes a struct job_line
 * with its words understood, its buffers found and its launch checked against the
 * kernel.  So a mistake in the last line does not cost the launches before it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/run.h"
#include "workload/runnable.h"

enum verb { DO_NOTHING, DO_BUF, DO_LAUNCH, DO_SUM, DO_AT, DO_DUMP, DO_EXPECT_SUM, DO_EXPECT_AT };

struct job_arg {
    struct value value;
    u32 buffer; /* of value.kind VALUE_BUFFER */
    u64 off;
};

struct job_line {
    enum verb verb;
    u32 line;
    u32 buffer;
    u64 index;               /* AT */
    char *path;              /* DUMP */
    double expected, within; /* EXPECT; relative */
    struct program *prog;    /* LAUNCH, from here on */
    struct func *func;
    u32 grid[3], block[3], smem;
    struct job_arg *arg;
    u32 n_arg;
};

struct job_buffer {
    char *name;
    struct buffer buf;
};

struct job {
    struct program_run *run;
    VEC(struct job_line) step;
    VEC(struct job_buffer) buffer;
    char **word; /* of the line being read */
    u32 n_word;
};

/* --- small things --- */

static bool find_buffer(const struct job *j, const char *name, u32 *found, struct err *e)
{
    for (u32 i = 0; i < j->buffer.n; i++) {
        if (strcmp(j->buffer.at[i].name, name))
            continue;
        *found = i;
        return true;
    }
    return err_set(e, "no buffer '%s' so far", name);
}

static bool need_words(const struct job *j, u32 min, u32 max, const char *usage, struct err *e)
{
    if (j->n_word >= min && j->n_word <= max)
        return true;
    return err_set(e, "%s: usage: %s", j->word[0], usage);
}

static bool parse_u32(const char *what, const char *text, u64 min, u64 max, u32 *v, struct err *e)
{
    u64 got;
    if (!text_parse_u64(text, &got) || got < min || got > max)
        return err_set(e, "%s: '%s' is not a whole number %" PRIu64 "..%" PRIu64, what, text, min,
                       max);
    *v = (u32)got;
    return true;
}

/* --- module, buf --- */

static bool read_module(struct job *j, struct job_line *s, struct err *e)
{
    s->verb = DO_NOTHING;
    if (!need_words(j, 2, 2, "module FILE.ptx", e))
        return false;
    char *path = runnable_beside(j->run->program, j->word[1]);
    bool ok = run_load(j->run, path, e);
    free(path);
    return ok;
}

static bool parse_float(const char *text, float *v, struct err *e)
{
    u8 bytes[8];
    if (!elem_parse(EL_F32, text, bytes, e))
        return false;
    memcpy(v, bytes, sizeof(*v));
    return true;
}

static bool read_lcg(struct job *j, struct fill *f, struct err *e)
{
    u64 seed;
    if (j->n_word != 8)
        return err_set(e, "lcg takes SEED LO HI");
    if (!text_parse_u64(j->word[5], &seed))
        return err_set(e, "lcg: '%s' is not a whole number", j->word[5]);
    f->kind = FILL_LCG;
    f->seed = (u32)seed;
    return parse_float(j->word[6], &f->lo, e) && parse_float(j->word[7], &f->hi, e);
}

static bool read_fill(struct job *j, struct buffer *b, struct err *e)
{
    const char *how = j->word[4];
    struct fill *f = &b->fill;
    u32 n = j->n_word - 5;
    if (strcmp(how, "lcg") == 0)
        return read_lcg(j, f, e);
    if (strcmp(how, "const") == 0 && n == 1) {
        f->kind = FILL_CONST;
        return elem_parse(b->type, j->word[5], f->value, e);
    }
    if (strcmp(how, "file") == 0 && n == 1) {
        f->kind = FILL_FILE;
        f->path = runnable_beside(j->run->program, j->word[5]);
        return true;
    }
    f->kind = strcmp(how, "iota") == 0 ? FILL_IOTA : FILL_ZERO;
    bool plain = f->kind == FILL_IOTA || strcmp(how, "zero") == 0 || strcmp(how, "zeros") == 0;
    if (plain && n == 0)
        return true;
    return err_set(e, "buf: what fills a buffer is zero | const V | iota | lcg SEED LO HI | "
                      "file PATH");
}

static bool is_buffer_name(const char *s)
{
    return *s && s[strcspn(s, "+@:")] == 0;
}

static bool read_buf(struct job *j, struct job_line *s, struct err *e)
{
    s->verb = DO_BUF;
    if (!need_words(j, 5, 8,
                    "buf NAME TYPE COUNT zero | const V | iota | lcg SEED LO HI | "
                    "file PATH",
                    e))
        return false;
    const char *name = j->word[1];
    if (!is_buffer_name(name))
        return err_set(e, "'%s' cannot name a buffer: no + @ : in it", name);
    if (find_buffer(j, name, &s->buffer, e))
        return err_set(e, "there is already a buffer '%s'", name);
    s->buffer = j->buffer.n;
    struct job_buffer *b = VEC_ADD(&j->buffer);
    *b = (struct job_buffer){.name = text_dup(name)};
    return elem_find(j->word[2], &b->buf.type, e) && buffer_count(&b->buf, j->word[3], e) &&
           read_fill(j, &b->buf, e);
}

/* --- launch --- */

/* "@NAME" or "@NAME+BYTES", after the '@'; the offset may reach up to the buffer's end. */
static bool read_pointer(const struct job *j, struct job_arg *a, const char *text, struct err *e)
{
    const char *plus = strchr(text, '+');
    char *name = text_dup_n(text, plus ? (size_t)(plus - text) : strlen(text));
    bool ok = find_buffer(j, name, &a->buffer, e);
    free(name);
    a->value.kind = VALUE_BUFFER;
    if (!ok || !plus)
        return ok;
    const struct buffer *b = &j->buffer.at[a->buffer].buf;
    u64 bytes = b->n * elem_info[b->type].bytes;
    if (!text_parse_u64(plus + 1, &a->off) || a->off > bytes)
        return err_set(e, "@%s: '%s' is not an offset in 0..%" PRIu64, text, plus + 1, bytes);
    return true;
}

static bool read_arg(const struct job *j, struct job_arg *a, const char *text, struct err *e)
{
    static const struct {
        char letter;
        enum elem type;
    } kinds[] = {{'i', EL_S32}, {'u', EL_U32}, {'l', EL_S64}, {'f', EL_F32}, {'d', EL_F64}};
    *a = (struct job_arg){.value = {.kind = VALUE_SCALAR, .loose = true, .text = text}};
    if (text[0] == '@')
        return read_pointer(j, a, text + 1, e);
    if (strncmp(text, "bytes:", 6) == 0)
        return value_parse_bytes(&a->value, text + 6, e) || err_at(e, "%s", text);
    for (u32 i = 0; i < LEN(kinds); i++) {
        if (text[0] != kinds[i].letter || text[1] != ':')
            continue;
        a->value.type = kinds[i].type;
        return elem_parse(kinds[i].type, text + 2, a->value.scalar, e) || err_at(e, "%s", text);
    }
    return err_set(e,
                   "%s: an argument is @NAME[+BYTES], i:INT, u:UINT, l:INT64, f:FLOAT, "
                   "d:DOUBLE or bytes:HEX",
                   text);
}

/* Of several modules with a kernel of that name the last one wins. */
static bool find_job_kernel(const struct job *j, const char *name, struct job_line *s,
                            struct err *e)
{
    struct device *d = j->run->dev;
    if (d->n_prog == 0)
        return err_set(e, "launch: there is no module so far");
    for (u32 i = d->n_prog; i-- > 0 && !s->func;) {
        s->prog = d->prog[i];
        s->func = program_kernel(d->prog[i], name, e);
    }
    return s->func != NULL;
}

static bool read_shape(const struct job *j, struct job_line *s, struct err *e)
{
    for (u32 i = 0; i < 3; i++)
        if (!parse_u32("grid", j->word[2 + i], 1, INT32_MAX, &s->grid[i], e) ||
            !parse_u32("block", j->word[5 + i], 1, INT32_MAX, &s->block[i], e))
            return false;
    return parse_u32("smem", j->word[8], 0, INT32_MAX, &s->smem, e);
}

static bool read_args(const struct job *j, struct job_line *s, struct err *e)
{
    u32 n = j->n_word - 9, pointer = run_pointer_bytes(s->prog);
    if (!value_check_count(s->func, n, e))
        return false;
    s->arg = xcalloc(n, sizeof(s->arg[0]));
    for (u32 i = 0; i < n; i++) {
        struct job_arg *a = &s->arg[s->n_arg++];
        if (!read_arg(j, a, j->word[9 + i], e) || !value_check(&a->value, s->func, i, pointer, e))
            return false;
    }
    for (u32 i = 0; i < n; i++)
        s->arg[i].value.text = NULL; /* the words go when the line is done */
    return true;
}

static bool read_launch(struct job *j, struct job_line *s, struct err *e)
{
    s->verb = DO_LAUNCH;
    return need_words(j, 9, UINT32_MAX, "launch KERNEL gx gy gz bx by bz smem ARG...", e) &&
           find_job_kernel(j, j->word[1], s, e) && read_shape(j, s, e) && read_args(j, s, e);
}

/* --- sum, at, dump, expect --- */

static bool read_index(const struct job *j, struct job_line *s, const char *text, struct err *e)
{
    u64 n = j->buffer.at[s->buffer].buf.n;
    if (!text_parse_u64(text, &s->index) || s->index >= n)
        return err_set(e, "'%s' is not an index in 0..%" PRIu64, text, n - 1);
    return true;
}

static bool read_sum(struct job *j, struct job_line *s, struct err *e)
{
    s->verb = DO_SUM;
    return need_words(j, 2, 2, "sum NAME", e) && find_buffer(j, j->word[1], &s->buffer, e);
}

static bool read_at(struct job *j, struct job_line *s, struct err *e)
{
    s->verb = DO_AT;
    return need_words(j, 3, 3, "at NAME INDEX", e) && find_buffer(j, j->word[1], &s->buffer, e) &&
           read_index(j, s, j->word[2], e);
}

static bool read_dump(struct job *j, struct job_line *s, struct err *e)
{
    s->verb = DO_DUMP;
    if (!need_words(j, 3, 3, "dump NAME PATH", e) || !find_buffer(j, j->word[1], &s->buffer, e))
        return false;
    s->path = runnable_beside(j->run->program, j->word[2]);
    return true;
}

/* Without a tolerance integers must be equal; floats may differ in what a sum's order changes. */
static bool read_expected(const struct job *j, struct job_line *s, u32 at, struct err *e)
{
    bool is_float = elem_info[j->buffer.at[s->buffer].buf.type].is_float;
    s->within = is_float ? 1e-6 : 0;
    if (!text_parse_real(j->word[at], &s->expected))
        return err_set(e, "'%s' is not a number", j->word[at]);
    if (j->n_word > at + 1 && (!text_parse_real(j->word[at + 1], &s->within) || s->within < 0))
        return err_set(e, "'%s' is not a relative tolerance", j->word[at + 1]);
    return true;
}

static bool read_expect(struct job *j, struct job_line *s, struct err *e)
{
    static const char usage[] = "expect sum NAME VALUE [REL_TOL] | expect at NAME INDEX VALUE "
                                "[REL_TOL]";
    if (!need_words(j, 4, 6, usage, e))
        return false;
    bool at = strcmp(j->word[1], "at") == 0;
    s->verb = at ? DO_EXPECT_AT : DO_EXPECT_SUM;
    if ((!at && strcmp(j->word[1], "sum")) || j->n_word < 4u + at || j->n_word > 5u + at)
        return err_set(e, "expect: usage: %s", usage);
    return find_buffer(j, j->word[2], &s->buffer, e) && (!at || read_index(j, s, j->word[3], e)) &&
           read_expected(j, s, 3 + at, e);
}

/* --- reading the file --- */

static const struct {
    const char *name;
    bool (*read)(struct job *j, struct job_line *s, struct err *e);
} verbs[] = {
    {"module", read_module}, {"buf", read_buf},   {"launch", read_launch}, {"sum", read_sum},
    {"at", read_at},         {"dump", read_dump}, {"expect", read_expect},
};

static bool read_command(struct job *j, struct job_line *s, struct err *e)
{
    const char *names[LEN(verbs)];
    for (u32 i = 0; i < LEN(verbs); i++) {
        names[i] = verbs[i].name;
        if (strcmp(j->word[0], names[i]) == 0)
            return verbs[i].read(j, s, e);
    }
    return err_no_such(e, j->word[0], names, LEN(verbs),
                       "there are module, buf, launch, sum, at, dump, expect",
                       "unknown command '%s'", j->word[0]);
}

static bool read_job_line(struct job *j, char *line, u32 number, struct err *e)
{
    bool ok = true;
    j->n_word = runnable_words(line, &j->word);
    if (j->n_word) {
        u32 at = j->step.n;
        *VEC_ADD(&j->step) = (struct job_line){.line = number};
        ok = read_command(j, &j->step.at[at], e);
    }
    free(j->word);
    return ok || err_at(e, "%s:%u", j->run->program, number);
}

static bool read_lines(struct job *j, char *text, size_t len, struct err *e)
{
    u32 number = 1;
    if (strlen(text) != len)
        return err_set(e, "%s: not a text file", j->run->program);
    for (char *next; text; text = next, number++) {
        next = strchr(text, '\n');
        if (next)
            *next++ = 0;
        if (!read_job_line(j, text, number, e))
            return false;
    }
    return true;
}

static bool read_job(struct job *j, struct err *e)
{
    size_t len;
    char *text = text_read_file(j->run->program, &len, e);
    bool ok = text && read_lines(j, text, len, e);
    free(text);
    return ok;
}

/* --- doing it --- */

static bool do_launch(struct job *j, struct job_line *s, struct err *e)
{
    u8 *param = xcalloc(s->func->param_bytes + 1, 1);
    for (u32 i = 0; i < s->n_arg; i++) {
        struct job_arg *a = &s->arg[i];
        if (a->value.kind == VALUE_BUFFER)
            a->value.buffer.addr = j->buffer.at[a->buffer].buf.addr + a->off;
        value_store(&a->value, s->func, i, param);
    }
    bool ok = run_launch(j->run, s->prog, s->func->name, s->grid, s->block, s->smem, param, e);
    free(param);
    return ok;
}

/*
 * An element as it enters a sum: in single precision, doubles aside.  The reference results of
 * GPGPU-Sim were summed like this; for integers above 2^24 it differs from the exact sum.
 */
static double addend(enum elem type, const u8 *at)
{
    double v = elem_get(type, at);

    return elem_info[type].bytes == 8 ? v : (double)(float)v;
}

/* The sum of a buffer in index order, or one element of it. */
static bool measure_buffer(struct job *j, const struct job_line *s, double *v, struct err *e)
{
    const struct buffer *b = &j->buffer.at[s->buffer].buf;
    u32 bytes = elem_info[b->type].bytes;
    u8 *data = buffer_download(b, j->run->dev, e);
    if (!data)
        return false;
    *v = 0;
    if (s->verb == DO_AT || s->verb == DO_EXPECT_AT)
        *v = elem_get(b->type, data + s->index * bytes);
    else
        for (u64 i = 0; i < b->n; i++)
            *v += addend(b->type, data + i * bytes);
    free(data);
    return true;
}

static bool do_print(struct job *j, const struct job_line *s, struct err *e)
{
    const char *name = j->buffer.at[s->buffer].name;
    double v;
    if (!measure_buffer(j, s, &v, e))
        return false;
    log_progress_end();
    if (s->verb == DO_AT)
        printf("at %s %" PRIu64 " %.9g\n", name, s->index, v);
    else
        printf("sum %s %.9g\n", name, v);
    return true;
}

static bool do_expect(struct job *j, const struct job_line *s, struct err *e)
{
    const char *name = j->buffer.at[s->buffer].name;
    char index[32] = "";
    double v;
    if (!measure_buffer(j, s, &v, e))
        return false;
    if (fabs(v - s->expected) <= s->within * fabs(s->expected))
        return true;
    if (s->verb == DO_EXPECT_AT)
        snprintf(index, sizeof(index), "[%" PRIu64 "]", s->index);
    return err_program(e, "%s%s%s is %.9g, expected %.9g within a factor of 1 +- %g",
                       s->verb == DO_EXPECT_AT ? "" : "the sum of ", name, index, v, s->expected,
                       s->within);
}

static bool do_step(struct job *j, struct job_line *s, struct err *e)
{
    struct job_buffer *b = j->buffer.n ? &j->buffer.at[s->buffer] : NULL;
    switch (s->verb) {
    case DO_NOTHING:
        return true;
    case DO_BUF:
        return buffer_upload(&b->buf, j->run->dev, e);
    case DO_LAUNCH:
        return do_launch(j, s, e);
    case DO_DUMP:
        return buffer_dump(&b->buf, j->run->dev, s->path, e);
    case DO_SUM:
    case DO_AT:
        return do_print(j, s, e);
    default:
        return do_expect(j, s, e);
    }
}

static bool do_all(struct job *j, struct err *e)
{
    for (u32 i = 0; i < j->step.n; i++)
        if (!do_step(j, &j->step.at[i], e))
            return err_at(e, "%s:%u", j->run->program, j->step.at[i].line);
    return true;
}

static void free_step(struct job_line *s)
{
    for (u32 i = 0; i < s->n_arg; i++)
        value_free(&s->arg[i].value);
    free(s->arg);
    free(s->path);
}

static void free_job(struct job *j)
{
    for (u32 i = 0; i < j->step.n; i++)
        free_step(&j->step.at[i]);
    for (u32 i = 0; i < j->buffer.n; i++) {
        free(j->buffer.at[i].name);
        free(j->buffer.at[i].buf.fill.path);
    }
    VEC_FREE(&j->step);
    VEC_FREE(&j->buffer);
}

bool run_job(struct program_run *r, struct err *e)
{
    struct job j = {.run = r};
    bool ok = read_job(&j, e) && do_all(&j, e);
    free_job(&j);
    return ok;
}
