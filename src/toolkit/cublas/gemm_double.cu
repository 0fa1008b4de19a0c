/* gemm_double.cu -- gemm of double precision. */
#include "gemm.h"

GEMM_FUNCTIONS(cublasDgemm_v2, cublasDgemmBatched, cublasDgemmStridedBatched, double, double)
