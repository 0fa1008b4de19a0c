/* single.cu -- transforms of single precision. */
#include "transform.h"

EXEC_FUNCTIONS(C2C, R2C, C2R, float, cufftComplex)
