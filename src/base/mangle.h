/*
 * mangle.h -- C++ names as their authors wrote them.
 *
 * CUDA kernels have C++ linkage, so PTX calls saxpy(int, float *) "_Z5saxpyiPf" (the Itanium
 * C++ ABI).  For messages the name is enough, so parameter types are left out.  Template arguments
 * tell kernels apart: types and numbers are spelled out, what is rarer stays as it is mangled.
 */
#ifndef BASE_MANGLE_H
#define BASE_MANGLE_H

#include "base/base.h"

/*
 * "saxpy" of "_Z5saxpyiPf", "ns::add<float>" of "_ZN2ns3addIfEEvPT_"; other names as they are.
 * Returns buf.
 */
const char *mangle_show(const char *name, char *buf, size_t size);

/* Is it a name that means something in its own file alone: static, or of an unnamed namespace? */
bool mangle_is_local(const char *name);

#endif
