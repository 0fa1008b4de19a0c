/* cuda_fp8.hpp -- the other half of cuda_fp8.h, which has it all */
#include <cuda_fp8.h>
