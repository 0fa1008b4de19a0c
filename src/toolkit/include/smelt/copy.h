/*
 * copy.h -- threads that copy together: the plain form of what newer GPUs do asynchronously.
 *
 * The copy has happened for the thread that made it when it returns; the others see it after the
 * barrier that they wait at in any case.
 */
#ifndef SMELT_COPY_H
#define SMELT_COPY_H

#include <smelt/lanes.h>

namespace __smelt
{

template <class Unit>
SMELT_DEVICE void copy_units(char *to, const char *from, size_t n, size_t rank, size_t threads)
{
    for (size_t i = rank; i < n / sizeof(Unit); i += threads)
        reinterpret_cast<Unit *>(to)[i] = reinterpret_cast<const Unit *>(from)[i];
}

/* Units of 16 or 4 bytes if places and size are multiples of that, else bytes. */
SMELT_DEVICE void copy(void *to, const void *from, size_t n, size_t rank, size_t threads)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    size_t all = (size_t)t | (size_t)f | n;
    if (all % 16 == 0)
        copy_units<uint4>(t, f, n, rank, threads);
    else if (all % 4 == 0)
        copy_units<unsigned int>(t, f, n, rank, threads);
    else
        copy_units<char>(t, f, n, rank, threads);
}

} // namespace __smelt

#endif
