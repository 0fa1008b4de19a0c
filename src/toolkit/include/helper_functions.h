/* helper_functions.h -- all helpers of CUDA's samples but helper_cuda.h and helper_math.h. */
#include <helper_image.h>
#include <helper_string.h>
#include <helper_timer.h>
