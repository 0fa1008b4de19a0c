/*
 * crt/math_functions.h -- nothing of its own: all that programs look for in it is in
 * math_functions.h.
 */
#include <math_functions.h>
