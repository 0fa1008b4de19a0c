/*
 * fuzz_logistic.c -- any bytes at all as a file of coefficients: the reader answers with a model or a
 * message.
 *
 * A model that it accepts can be asked, and what is written of it is read as the same.  Nothing is left
 * behind either way.
 */
#include "base/logistic.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const char *const metric[] = {"ctas", "loads", "noc"};

static char *text_of(const struct logistic *m)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    logistic_write(m, f);
    fclose(f);
    return text;
}

static void use(const struct logistic *m)
{
    const double value[LEN(metric)] = {1, -2, 1e300};
    char *text = text_of(m), *again;
    struct logistic copy;
    struct err e;

    logistic_check(m, metric, LEN(metric), &e);
    logistic_logit(m, metric, value, LEN(metric));
    if (!logistic_parse(&copy, text, "again.conf", &e))
        abort();
    again = text_of(&copy);
    if (strcmp(text, again))
        abort();
    logistic_free(&copy);
    free(text), free(again);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    char *text = text_dup_n((const char *)data, size);
    struct logistic m;
    struct err e;

    if (logistic_parse(&m, text, "fuzz.conf", &e)) {
        use(&m);
        logistic_free(&m);
    }
    free(text);
    return 0;
}
