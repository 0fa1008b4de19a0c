/*
 * shared_ptr_base.h -- libstdc++'s header of this name, which says __attribute__((__noinline__));
 * CUDA's macro __noinline__ has to be out of its way.
 */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
