/* show.h -- the ways a key or a counter is described to people. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "base/sheet.h"

#define SHOW_STALL "stall." /* before the names of stall reasons */

const char *show_default(const struct key *k, char *buf, size_t size); /* "32 warps"; returns buf */
const char *show_kind(const struct key *k);                            /* "whole number" */

#endif
