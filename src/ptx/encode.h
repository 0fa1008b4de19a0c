/*
 * encode.h -- the last step: registers have places, labels have addresses.
 *
 * encode_func appends one function's machine code to the program, which has room for it.
 */
#ifndef PTX_ENCODE_H
#define PTX_ENCODE_H

#include "ptx/ir.h"
#include "ptx/program.h"

/* Gives every register a place of its own: what front.lower=off runs with. */
bool encode_plain_rows(struct ir_func *f, struct err *e);

bool encode_func(struct program *p, struct func *out, const struct ir_func *f, struct err *e);

#endif
