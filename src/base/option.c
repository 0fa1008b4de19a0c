/* option.c -- see option.h */
#include "base/option.h"

#include <string.h>

/* Where in `word` the name ends: all of it, before a '=', or after a letter; 0: another's. */
static size_t name_end(const char *word, const char *name, size_t n)
{
    bool letter = n == 2 && name[1] != '-';

    return strncmp(word, name, n) == 0 && (letter || !word[n] || word[n] == '=') ? n : 0;
}

bool option_is(const char *word, const char *names, const char **value)
{
    size_t end = 0;

    while (!end && *names) {
        size_t n = strcspn(names, "|");

        end = name_end(word, names, n);
        names += n + (names[n] == '|');
    }
    *value = !end || !word[end] ? NULL : word + end + (word[end] == '=');
    return end;
}
