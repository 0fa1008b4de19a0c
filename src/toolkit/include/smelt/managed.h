/*
 * smelt/managed.h -- __managed__ variables, as the host's turn of a compilation tells of them.
 *
 * clang knows them of another language only.  So they are __device__ variables in a section of their
 * own (host_defines.h): the host's stand-in for one is the variable itself, at whose address kernels
 * find it, and libcudart.so is told where the section is before it hears of the variables in it.
 */
#ifndef SMELT_MANAGED_H
#define SMELT_MANAGED_H

#if !defined(__CUDA_ARCH__)
extern "C" {
/* The linker's: NULL if the program has no such section. */
extern char __start_smelt_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_smelt_managed[] __attribute__((weak, visibility("hidden")));
void __smeltRegisterManaged(void *begin, void *end);
}

__attribute__((constructor(101))) static void __smelt_managed(void)
{
    if (__start_smelt_managed)
        __smeltRegisterManaged(__start_smelt_managed, __stop_smelt_managed);
}
#endif

#endif
