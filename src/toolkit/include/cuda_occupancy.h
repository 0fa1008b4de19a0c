/*
 * cuda_occupancy.h -- nothing of its own: how many CTAs fit on an SM is the runtime's to say
 * (cudaOccupancyMaxActiveBlocksPerMultiprocessor), which knows the simulated GPU.
 */
#include <cuda_runtime_api.h>
