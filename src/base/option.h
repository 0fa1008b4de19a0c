/*
 * option.h -- how a word names an option: on command lines and in SMELT_ARGS alike.
 *
 *     option_is("--gpu", "-g|--gpu", &v)       v is NULL: the value, if it has one, is the next word
 *     option_is("--gpu=v100", ..), option_is("-gv100", ..), option_is("-g=v100", ..)     v is "v100"
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include "base/base.h"

bool option_is(const char *word, const char *names, const char **value);

#endif
