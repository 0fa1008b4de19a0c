/* Any bytes at all: the PTX reader answers with a module or a message, and leaks nothing. */
#include "base/text.h"
#include "front/ptx.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    struct err e;
    char *text = text_dup_n((const char *)data, size);
    struct ptx_module *m = ptx_parse("fuzz.ptx", text, size, &e);
    free(text);
    ptx_free(m);
    return 0;
}
