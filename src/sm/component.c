/* component.c -- see component.h */
#include "sm/component.h"

#include <string.h>

const char *const component_name[N_COMPONENT] = {
#define COMPONENT(name, per, doc) #name,
#include "sm/component.def"
};

bool component_is_of_sm(enum component c)
{
    enum { CHIP, SM, PIPE, RARE_PIPE, PORT };
    static const u8 per_of[N_COMPONENT] = {
#define COMPONENT(name, per, doc) per,
#include "sm/component.def"
    };

    return per_of[c] != CHIP;
}

enum component component_find(const char *name, struct err *e)
{
    for (u32 c = 0; c < N_COMPONENT; c++)
        if (!strcmp(component_name[c], name))
            return (enum component)c;
    err_no_such(e, name, component_name, N_COMPONENT, "see smelt list components",
                "no component '%s'", name);
    return N_COMPONENT;
}
