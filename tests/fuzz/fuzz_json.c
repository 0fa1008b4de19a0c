/*
 * fuzz_json.c -- any bytes at all as JSON: the reader answers with a tree or a message.
 *
 * Strings and numbers of a tree are whole texts; nothing is left behind either way.
 */
#include <string.h>

#include "base/json_read.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static size_t walk(const struct json_value *v)
{
    size_t n = v->text ? strlen(v->text) : 0;

    if (v->key)
        n += strlen(v->key);
    for (u32 i = 0; i < v->n; i++)
        n += walk(&v->at[i]);
    return n;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    char *text = xmalloc(size); /* without a 0 behind it: reading on would be noticed */
    struct err e;

    memcpy(text, data, size);
    struct json_value *v = json_read("fuzz.json", text, size, &e);

    if (v && walk(v) > 4 * size)
        abort();
    json_free(v);
    free(text);
    return 0;
}
