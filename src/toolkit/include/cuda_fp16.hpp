/* cuda_fp16.hpp -- the older half of cuda_fp16.h, which has it all */
#include <cuda_fp16.h>
