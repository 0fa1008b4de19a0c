/*
 * kernel.h -- the kernel that random machines run, and what it computes.
 *
 * It meets each organ once: loads and stores of all spaces, a texture, a barrier, a function, lanes that part
 * at a branch and in a loop, loads whose data come at different times, operations among the lanes of a warp,
 * every kind of unit but the tensor's, atomics.  Its results depend on no order.
 */
#ifndef TESTS_RANDOM_KERNEL_H
#define TESTS_RANDOM_KERNEL_H

#include "base/base.h"

enum { KERNEL_BLOCK = 96, KERNEL_GRID = 24 }; /* CTAs: at most */
enum { KERNEL_MOST = KERNEL_BLOCK * KERNEL_GRID };

/*
 * k(in, out, sum), and a texture `tex` of which texel i is input i.  To `sum`, 0 before, n threads do: the
 * sum of their words of `out`; the largest of their numbers; how many they are.
 */
extern const char kernel_text[];

u32 kernel_input(u32 i);                  /* word i of `in`, of KERNEL_MOST */
void kernel_expect(u32 out[KERNEL_MOST]); /* a word for each thread, however many CTAs there are */

#endif
