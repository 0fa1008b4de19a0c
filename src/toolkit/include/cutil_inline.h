/* cutil_inline.h -- nothing of its own: all that programs look for in it is in cutil.h. */
#include <cutil.h>
