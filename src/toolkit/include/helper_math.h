/* helper_math.h -- arithmetic on vectors, as in cutil_math.h. */
#include <cutil_math.h>
