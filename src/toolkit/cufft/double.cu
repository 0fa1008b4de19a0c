/* double.cu -- transforms of double precision. */
#include "transform.h"

EXEC_FUNCTIONS(Z2Z, D2Z, Z2D, double, cufftDoubleComplex)
