/*
 * cuda_device_runtime_api.h -- nothing of its own: all that programs look for in it is in
 * cuda_runtime_api.h.
 */
#include <cuda_runtime_api.h>
