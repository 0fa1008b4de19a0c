#include "cli/show.h"

#include <stdio.h>

const char *show_default(const struct key *k, char *buf, size_t size)
{
    bool unit = k->unit[0] && k->kind != KEY_IS_SIZE;
    snprintf(buf, size, "%s%s%s", k->def[0] ? k->def : "-", unit ? " " : "", unit ? k->unit : "");
    return buf;
}

const char *show_kind(const struct key *k)
{
    static const char *const kinds[] = {
        [KEY_IS_INT] = "whole number",
        [KEY_IS_SIZE] = "size in bytes; K, M and G may follow it",
        [KEY_IS_REAL] = "number",
        [KEY_IS_ENUM] = "one of the words",
        [KEY_IS_STR] = "text",
        [KEY_IS_LIST] = "words with commas between them",
        [KEY_IS_FILE] = "name of a file, or a path",
    };
    return kinds[k->kind];
}
