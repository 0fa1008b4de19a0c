/*
 * crt/host_defines.h -- nothing of its own: all that programs look for in it is in host_defines.h.
 */
#include <host_defines.h>
