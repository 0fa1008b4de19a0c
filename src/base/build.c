/* build.c -- see build.h */
#include "base/build.h"

#include "build_id.h"

const char build_commit[] = BUILD_COMMIT;
const bool build_is_dirty = BUILD_IS_DIRTY;
