/*
 * disasm.h -- one machine instruction as text.
 *
 * The text looks like PTX with allocated registers: rN is row N, rdN the pair of rows
 * N and N+1, pN a predicate, LN the instruction with pc N.  Modifiers stand before the
 * type, as in add.rz.ftz.f32.  It depends on nothing but the program.
 */
#ifndef PTX_DISASM_H
#define PTX_DISASM_H

#include "ptx/program.h"

enum { DISASM_TEXT = 512 }; /* a buffer size that always suffices */

/* Mnemonic and operands without the guard; returns buf, cut off if it does not fit. */
const char *disasm_inst(const struct program *p, const struct func *f, u32 pc, char *buf,
                        size_t size);

/* "@p1", "@!p1", or "". */
const char *disasm_guard(const struct inst *in, char *buf, size_t size);

#endif
