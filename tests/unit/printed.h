/*
 * printed.h -- for tests of what kernels print: a device whose text is caught, and the
 * streams of the process.
 */
#ifndef TESTS_UNIT_PRINTED_H
#define TESTS_UNIT_PRINTED_H

#include <unistd.h>

#include "base/text.h"
#include "tests/kit.h"

struct paper {
    char *text; /* zero-terminated */
    size_t n;
    u32 pieces; /* deliveries */
};

static inline void paper_add(void *arg, const char *text, size_t n)
{
    struct paper *p = arg;

    p->text = xrealloc(p->text, p->n + n + 1);
    memcpy(p->text + p->n, text, n);
    p->n += n;
    p->text[p->n] = 0;
    p->pieces++;
}

/* GPU tiny with one more key; paper NULL: to stdout. */
static inline void open_printing(struct kit *k, const char *text, u32 mode, const char *set,
                                 struct paper *paper)
{
    const char *sets[] = {mode == KIT_OFF ? "front.lower=off" : "front.lower=on", set};
    struct run_opts opts = {
        .functional = true, .print = paper ? paper_add : NULL, .print_arg = paper};

    memset(k, 0, sizeof *k);
    assert_true(conf_make(&k->conf, "tiny", sets, set ? 2 : 1, &k->e));
    k->d = device_new(&k->conf, &opts, &k->e);
    assert_non_null(k->d);
    k->p = device_load(k->d, "test.ptx", text, strlen(text), &k->e);
    if (!k->p)
        fail_msg("%s", k->e.msg);
    if (paper) {
        memset(paper, 0, sizeof *paper);
        paper_add(paper, "", 0);
    }
}

/* What is written to a stream (1 or 2) between the two calls; begin returns what end needs. */
struct caught {
    FILE *file;
    int old, fd;
};

static inline struct caught catch_begin(int fd)
{
    struct caught c = {tmpfile(), 0, fd};

    assert_non_null(c.file);
    fflush(NULL);
    c.old = dup(fd);
    assert_true(dup2(fileno(c.file), fd) == fd);
    return c;
}

static inline char *catch_end(struct caught *c)
{
    char *text;
    long n;

    fflush(NULL);
    dup2(c->old, c->fd);
    close(c->old);
    fseek(c->file, 0, SEEK_END);
    n = ftell(c->file);
    rewind(c->file);
    text = xcalloc(1, (size_t)n + 1);
    assert_int_equal(fread(text, 1, (size_t)n, c->file), n);
    fclose(c->file);
    return text;
}

#endif
