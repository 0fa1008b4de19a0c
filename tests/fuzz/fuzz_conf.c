/*
 * fuzz_conf.c -- any bytes at all as a GPU file: the reader answers with a configuration or a message.
 *
 * What it accepts can be checked, shown, copied and written as JSON; then every line is tried as the
 * argument of --set.  Nothing is left behind either way.
 */
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void show(const struct conf_key *k, void *user)
{
    char buf[256];

    conf_show(user, k, buf, sizeof buf);
}

static void use(struct conf *c)
{
    struct conf copy;
    struct err e;

    conf_each(show, c);
    conf_copy(&copy, c);
    conf_check(&copy, &e);
    conf_free(&copy);
}

static void set_lines(char *text)
{
    struct conf c;
    struct err e;

    conf_defaults(&c);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        conf_set(&c, line, &e);
    }
    use(&c);
    conf_free(&c);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    char *text = text_dup_n((const char *)data, size);
    struct conf c;
    struct err e;

    if (conf_parse_text(&c, text, "fuzz.conf", &e)) {
        use(&c);
        conf_free(&c);
    }
    set_lines(text);
    free(text);
    return 0;
}
