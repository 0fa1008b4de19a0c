/*
 * explain_conf.h -- smelt explain of a file of settings: what it says beside what it is built on.
 *
 * A GPU: its base, the keys that it sets otherwise, its area, and which mechanisms it takes, and why
 * not the others.  A table of energies: its keys of [power] likewise.  A predictor: its
 * coefficients, and the mechanisms' keys that take it.  What is wrong in the file is the message.
 */
#ifndef CLI_EXPLAIN_CONF_H
#define CLI_EXPLAIN_CONF_H

#include "base/conf_dir.h"
#include "base/err.h"

bool explain_conf(const struct conf_file *file, struct err *e);

#endif
