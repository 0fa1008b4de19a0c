/*
 * fuzz_mend.c -- any bytes at all as CUDA source: what comes out has the same lines, and mending it
 * again changes nothing.
 */
#include <string.h>

#include "base/mend.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static u32 lines(const char *s)
{
    u32 n = 0;

    for (; *s; s++)
        n += *s == '\n';
    return n;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    char *text = text_dup_n((const char *)data, size);

    mend_needed(text);
    char *once = mend_text(text), *twice = mend_text(once);

    if (lines(once) != lines(text) || strcmp(once, twice))
        abort();
    free(text);
    free(once);
    free(twice);
    return 0;
}
