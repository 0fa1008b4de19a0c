/*
 * sm_60_atomic_functions.h -- nothing of its own: all that programs look for in it is in
 * cuda_runtime.h.
 */
#include <cuda_runtime.h>
