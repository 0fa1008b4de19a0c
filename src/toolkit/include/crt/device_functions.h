/*
 * crt/device_functions.h -- nothing of its own: all that programs look for in it is in
 * device_functions.h.
 */
#include <device_functions.h>
