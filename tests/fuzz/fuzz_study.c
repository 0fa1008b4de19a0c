/*
 * fuzz_study.c -- any bytes at all as a study: it is read, and evaluated with no run there, or there is
 * a message of one line.
 *
 * Limits are far lower than a user's, so that an endless loop is found in no time.  Nothing is left
 * behind, however it ends; the same bytes give the same figures.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "study/study_lua.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const struct box_limits limits = {
    .instructions = 200000, .bytes = 16 << 20, .text = 1 << 16, .seconds = 5};

/* No run is ever in it. */
static struct store *empty_store(void)
{
    static struct store *st;
    char dir[] = "/tmp/fuzz-study-XXXXXX";
    struct err e;

    if (st)
        return st;
    if (!mkdtemp(dir))
        abort();
    char *path = text_printf("%s/store.db", dir);

    st = store_open(path, STORE_WRITE, &e);
    free(path);
    if (!st)
        abort();
    return st;
}

static void check_message(const struct err *e)
{
    if (strncmp(e->msg, "fuzz.lua:", 9) != 0 || strchr(e->msg, '\n') || strlen(e->msg) < 12)
        abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    static const char *const define[] = {"colour=red"};
    const struct study_options o = {.quick = true, .define = define, .n_define = 1};
    struct store *st = empty_store();
    char *text = xmalloc(size); /* without a 0 behind it: reading on would be noticed */
    struct err e;

    memcpy(text, data, size);
    struct study *s = study_load_text("fuzz.lua", text, size, &o, &limits, &e);

    if (!s || !study_evaluate(s, st, &e))
        check_message(&e);
    study_free(s);
    free(text);
    return 0;
}
