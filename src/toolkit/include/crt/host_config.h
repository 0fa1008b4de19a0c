/* crt/host_config.h -- nothing of its own: all that programs look for in it is in host_config.h. */
#include <host_config.h>
