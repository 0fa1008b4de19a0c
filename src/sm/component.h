/*
 * component.h -- what a GPU is made of, as energy, area and residency (sm/residency.h) are booked:
 * component.def.
 *
 * SMs and mechanisms see this list too, and nothing else of src/power.
 */
#ifndef SM_COMPONENT_H
#define SM_COMPONENT_H

#include "base/base.h"
#include "base/err.h"

enum component {
#define COMPONENT(name, per, doc) COMP_##name,
#include "sm/component.def"
    N_COMPONENT
};

extern const char *const component_name[N_COMPONENT];

/* Does each SM have one (or a part of one), that can be switched off by itself? */
bool component_is_of_sm(enum component c);

/* N_COMPONENT and "no component 'icahce'; did you mean icache?" if there is none of that name. */
enum component component_find(const char *name, struct err *e);

#endif
