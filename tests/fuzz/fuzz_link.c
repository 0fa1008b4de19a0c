/*
 * fuzz_link.c -- any bytes at all as PTX texts to be linked, a line of --- between them: they are
 * joined, or refused with a message.  What is joined once can be cut again.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/link/link.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static char *join(const char *text, struct err *e)
{
    struct ptx_link *l = ptx_link_new();
    bool ok = true;

    for (const char *s = text; s && ok;) {
        const char *end = strstr(s, "\n---\n");

        ok = ptx_link_add(l, "part", s, end ? (size_t)(end - s) : strlen(s), e);
        s = end ? end + 5 : NULL;
    }
    char *joined = ok ? ptx_link_finish(l, e) : NULL;

    ptx_link_free(l);
    return joined;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    char *text = text_dup_n((const char *)data, size);
    struct err e;
    char *joined = join(text, &e);
    struct ptx_link *again = ptx_link_new();

    if (joined && !ptx_link_add(again, "joined", joined, strlen(joined), &e))
        abort();
    ptx_link_free(again);
    free(joined);
    free(text);
    return 0;
}
