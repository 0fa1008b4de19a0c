/*
 * atomic_memory.h -- one place in memory, atomically: what cuda::atomic and cuda::atomic_ref do.
 *
 * On the device on CUDA's atomic functions, on the host on the compiler's.  An operation that
 * neither has is a loop of compare-and-swap; a place of one or two bytes is swapped with the word
 * around it.  Orders are made by fences: before what releases, after what acquires.  The scope only
 * says which fence: atomic functions are the GPU's for every scope.
 */
#ifndef SMELT_ATOMIC_MEMORY_H
#define SMELT_ATOMIC_MEMORY_H

#include <host_defines.h>
#include <string.h>

#define SMELT_ANY __host__ __device__ __forceinline__

namespace cuda
{

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

namespace std
{
enum memory_order {
    memory_order_relaxed = __ATOMIC_RELAXED,
    memory_order_consume = __ATOMIC_CONSUME,
    memory_order_acquire = __ATOMIC_ACQUIRE,
    memory_order_release = __ATOMIC_RELEASE,
    memory_order_acq_rel = __ATOMIC_ACQ_REL,
    memory_order_seq_cst = __ATOMIC_SEQ_CST
};
} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace __smelt_atomic
{

/* --- fences --- */

template <thread_scope Scope> SMELT_ANY void fence()
{
#ifdef __CUDA_ARCH__
    if (Scope == thread_scope_system)
        __threadfence_system();
    else if (Scope == thread_scope_device)
        __threadfence();
    else
        __threadfence_block();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

template <thread_scope Scope> SMELT_ANY void before(memory_order o)
{
    if (o == memory_order_release || o == memory_order_acq_rel || o == memory_order_seq_cst)
        fence<Scope>();
}

template <thread_scope Scope> SMELT_ANY void after(memory_order o)
{
    if (o != memory_order_relaxed && o != memory_order_release)
        fence<Scope>();
}

/* --- values as words --- */

template <int Bytes> struct word;
template <> struct word<1> {
    typedef unsigned char type;
};
template <> struct word<2> {
    typedef unsigned short type;
};
template <> struct word<4> {
    typedef unsigned int type;
};
template <> struct word<8> {
    typedef unsigned long long type;
};

template <class To, class From> SMELT_ANY To bits(const From &v)
{
    static_assert(sizeof(To) == sizeof(From), "an atomic has 1, 2, 4 or 8 bytes");
    To to;
    memcpy((void *)&to, &v, sizeof(to));
    return to;
}

template <class W> SMELT_ANY W load(const W *p)
{
#ifdef __CUDA_ARCH__
    return *(const volatile W *)p;
#else
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
#endif
}

template <class W> SMELT_ANY void store(W *p, W v)
{
#ifdef __CUDA_ARCH__
    *(volatile W *)p = v;
#else
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
#endif
}

#ifdef __CUDA_ARCH__
__device__ __forceinline__ unsigned int swap_if(unsigned int *p, unsigned int seen, unsigned int v)
{
    return atomicCAS(p, seen, v);
}

__device__ __forceinline__ unsigned long long swap_if(unsigned long long *p,
                                                      unsigned long long seen, unsigned long long v)
{
    return atomicCAS(p, seen, v);
}

/* One or two bytes: again, if it was another part of the word that changed. */
template <class W> __device__ __forceinline__ W swap_if(W *p, W seen, W v)
{
    unsigned long long at = (unsigned long long)p;
    unsigned int *whole = (unsigned int *)(at & ~3ull), shift = 8 * (unsigned int)(at & 3);
    unsigned int mask = (unsigned int)(W) ~(W)0 << shift, old = load(whole);
    while ((W)(old >> shift) == seen) {
        unsigned int was = atomicCAS(whole, old, (old & ~mask) | (unsigned int)v << shift);
        if (was == old)
            break;
        old = was;
    }
    return (W)(old >> shift);
}
#else
template <class W> SMELT_ANY W swap_if(W *p, W seen, W v)
{
    __atomic_compare_exchange_n(p, &seen, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return seen;
}
#endif

/* --- read, modify, write; the old value is the result --- */

struct add {
    template <class T> SMELT_ANY T operator()(T a, T b) const
    {
        return (T)(a + b);
    }
};
struct bit_and {
    template <class T> SMELT_ANY T operator()(T a, T b) const
    {
        return (T)(a & b);
    }
};
struct bit_or {
    template <class T> SMELT_ANY T operator()(T a, T b) const
    {
        return (T)(a | b);
    }
};
struct bit_xor {
    template <class T> SMELT_ANY T operator()(T a, T b) const
    {
        return (T)(a ^ b);
    }
};
struct least {
    template <class T> SMELT_ANY T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};
struct most {
    template <class T> SMELT_ANY T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
struct take { /* exchange */
    template <class T> SMELT_ANY T operator()(T, T b) const
    {
        return b;
    }
};

template <class T, class Op, class By> SMELT_ANY T loop(T *p, Op op, By v)
{
    typedef typename word<sizeof(T)>::type W;
    W *at = (W *)(void *)p, seen = load(at);
    for (;;) {
        W was = swap_if(at, seen, bits<W>((T)op(bits<T>(seen), (T)v)));
        if (was == seen)
            return bits<T>(was);
        seen = was;
    }
}

template <class T, class Op> SMELT_ANY T modify(T *p, Op op, T v)
{
    return loop(p, op, v);
}

/* What a GPU has of its own. */
#ifdef __CUDA_ARCH__
#define SMELT_MODIFY(type, as, op, function)                                                       \
    __device__ __forceinline__ type modify(type *p, op, type v)                                    \
    {                                                                                              \
        return (type)function((as *)(void *)p, (as)v);                                             \
    }
#define SMELT_MODIFY_ALL(type, as)                                                                 \
    SMELT_MODIFY(type, as, bit_and, atomicAnd)                                                     \
    SMELT_MODIFY(type, as, bit_or, atomicOr)                                                       \
    SMELT_MODIFY(type, as, bit_xor, atomicXor)                                                     \
    SMELT_MODIFY(type, as, least, atomicMin)                                                       \
    SMELT_MODIFY(type, as, most, atomicMax)
SMELT_MODIFY(int, unsigned int, add, atomicAdd)
SMELT_MODIFY(unsigned int, unsigned int, add, atomicAdd)
SMELT_MODIFY(long, unsigned long long, add, atomicAdd)
SMELT_MODIFY(unsigned long, unsigned long long, add, atomicAdd)
SMELT_MODIFY(long long, unsigned long long, add, atomicAdd)
SMELT_MODIFY(unsigned long long, unsigned long long, add, atomicAdd)
SMELT_MODIFY(float, float, add, atomicAdd)
SMELT_MODIFY(int, int, take, atomicExch)
SMELT_MODIFY(unsigned int, unsigned int, take, atomicExch)
SMELT_MODIFY(unsigned long, unsigned long long, take, atomicExch)
SMELT_MODIFY(unsigned long long, unsigned long long, take, atomicExch)
SMELT_MODIFY_ALL(int, int)
SMELT_MODIFY_ALL(unsigned int, unsigned int)
#if __CUDA_ARCH__ >= 320
SMELT_MODIFY_ALL(long, long long)
SMELT_MODIFY_ALL(unsigned long, unsigned long long)
SMELT_MODIFY_ALL(long long, long long)
SMELT_MODIFY_ALL(unsigned long long, unsigned long long)
#endif
#if __CUDA_ARCH__ >= 600
SMELT_MODIFY(double, double, add, atomicAdd)
#endif
#undef SMELT_MODIFY_ALL
#undef SMELT_MODIFY
#endif

} // namespace __smelt_atomic

} // namespace cuda

#endif
