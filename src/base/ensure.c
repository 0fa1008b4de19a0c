/* ensure.c -- see ensure.h */
#include "base/ensure.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

_Thread_local struct ensure_worker ensure_worker;

static const char *settings;

void ensure_settings(const char *args)
{
    settings = args;
}

void ensure_tell_worker(FILE *f, const void *subject)
{
    (void)subject;
    if (ensure_worker.tell)
        ensure_worker.tell(f, ensure_worker.subject);
    else
        fputs("no kernel is running", f);
}

/* Without malloc, of which nobody knows the state. */
static void put_command(FILE *f)
{
    static char word[1 << 14];
    int file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t n = file < 0 ? 0 : read(file, word, sizeof word - 1);

    if (settings) {
        fputs(" SMELT_ARGS=", f);
        text_put_word(f, settings);
    }
    for (const char *w = word; w < word + n; w += strlen(w) + 1) {
        fputc(' ', f);
        text_put_word(f, w);
    }
}

/* From src/ on, wherever the sources were. */
static const char *within(const char *file)
{
    const char *src = strstr(file, "src/");

    return src ? src + strlen("src/") : file;
}

/* Other threads that fail too have to wait, and will not come to say so. */
void ensure_broken(ensure_tell *tell, const void *subject, const char *condition, const char *file,
                   int line)
{
    flockfile(stderr);
    fprintf(stderr, "smelt: broken invariant: %s (%s:%d)\n    ", condition, within(file), line);
    tell(stderr, subject);
    fputs("\n    again:", stderr);
    put_command(stderr);
    fputs("\n", stderr);
    abort();
}
