/* replay.c -- a fuzzer's target with files instead of a fuzzer: each once, in their order. */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static int replay(const char *path)
{
    FILE *f = fopen(path, "rb");
    long size = -1;

    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size < 0) {
        perror(path);
        return 1;
    }
    u8 *data = malloc((size_t)size + 1);

    rewind(f);
    size_t n = fread(data, 1, (size_t)size, f);

    fclose(f);
    LLVMFuzzerTestOneInput(data, n);
    free(data);
    return n != (size_t)size;
}

int main(int argc, char **argv)
{
    int bad = argc < 2;

    for (int i = 1; i < argc; i++)
        bad |= replay(argv[i]);
    return bad;
}
