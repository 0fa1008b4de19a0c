/* builtin.c -- see builtin.h */
#include "ptx/select/builtin.h"

#include <string.h>

/* Sizes of results and parameters: p a pointer or size_t, w 32 bits. */
static const struct {
    const char *name, *ret, *param, *text;
} table[] = {
    [BUILTIN_VPRINTF] = {"vprintf", "w", "pp", "(.b32) vprintf(.b64 format, .b64 arguments)"},
    [BUILTIN_MALLOC] = {"malloc", "p", "p", "(.b64) malloc(.b64 bytes)"},
    [BUILTIN_FREE] = {"free", "", "p", "free(.b64 address)"},
    [BUILTIN_ASSERTFAIL] = {"__assertfail", "", "ppwpp",
                            "__assertfail(.b64 message, .b64 file, .b32 line, .b64 function, "
                            ".b64 character size)"},
};

enum builtin builtin_find(const char *name)
{
    for (u32 b = BUILTIN_NONE + 1; b < LEN(table); b++)
        if (!strcmp(table[b].name, name))
            return (enum builtin)b;
    return BUILTIN_NONE;
}

const char *builtin_names(void)
{
    return "vprintf, malloc, free and __assertfail";
}

const char *builtin_declaration(enum builtin b)
{
    return table[b].text;
}

static bool sizes_fit(const char *want, u32 n, struct ptx_var *const *have, u32 address_size)
{
    if (strlen(want) != n)
        return false;
    for (u32 i = 0; i < n; i++)
        if (have[i]->size != (want[i] == 'p' ? address_size / 8 : 4))
            return false;
    return true;
}

bool builtin_declared_well(enum builtin b, const struct ptx_func *f, u32 address_size)
{
    return sizes_fit(table[b].ret, f->n_ret, f->ret, address_size) &&
           sizes_fit(table[b].param, f->n_param, f->param, address_size);
}
