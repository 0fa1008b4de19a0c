/* cuda_bf16.hpp -- the older half of cuda_bf16.h, which has it all */
#include <cuda_bf16.h>
