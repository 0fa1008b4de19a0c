/*
 * cuda_gl_interop.h -- for programs that include it without need: there is no OpenGL here, and
 * the functions it is for say so when they are called (cuda_absent.h).
 */
#include <cuda_runtime.h>
