/* gemm_single.cu -- gemm of single precision. */
#include "gemm.h"

GEMM_FUNCTIONS(cublasSgemm_v2, cublasSgemmBatched, cublasSgemmStridedBatched, float, float)
