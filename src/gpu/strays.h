/*
 * strays.h -- accesses out of bounds that kernels survive (mem.bounds=report), told.
 *
 * Executors note them, on whatever host thread they are; here they are told in the order in which
 * they happened, one of a source line over all launches of the device.
 */
#ifndef GPU_STRAYS_H
#define GPU_STRAYS_H

#include "gpu/device.h"

/*
 * What n executors have noted, of n_sm SMs each that of its first kernel, then of its second, and so on.
 * Main thread, memory as it was when they ran.
 */
void strays_tell(struct device *d, struct exec *x, u32 n, u32 n_sm);

#endif
