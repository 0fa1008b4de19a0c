/*
 * atomic_object.h -- cuda::atomic, cuda::atomic_ref, and cuda::std::atomic, which is the host's too.
 *
 * With the operations of C++20 and CUDA's fetch_min and fetch_max.  A thread that waits polls, so
 * threads of one warp cannot wait for each other.
 */
#ifndef SMELT_ATOMIC_OBJECT_H
#define SMELT_ATOMIC_OBJECT_H

#include <smelt/atomic_memory.h>
#include <stddef.h>

namespace cuda
{

namespace __smelt_atomic
{

/* Distances: a number's own type, or a pointer's steps. */
template <class T> struct distance {
    typedef T type;
};
template <class T> struct distance<T *> {
    typedef ptrdiff_t type;
};

/* Place says where: an object of its own, or somebody's.  Long because: many small functions. */
template <class T, thread_scope Scope, class Place> class operations : public Place
{
    typedef typename word<sizeof(T)>::type W;
    typedef typename distance<T>::type D;
    SMELT_ANY W *at() const
    {
        return (W *)(void *)this->place();
    }
    template <class Op> SMELT_ANY T act(Op op, T v, memory_order o) const
    {
        before<Scope>(o);
        T old = modify(this->place(), op, v);
        after<Scope>(o);
        return old;
    }
    template <class U> SMELT_ANY U shift(U *, ptrdiff_t by, memory_order o) const
    {
        return act(add(), (U)by, o);
    }
    template <class U> SMELT_ANY U *shift(U **, ptrdiff_t by, memory_order o) const
    {
        before<Scope>(o);
        ptrdiff_t old = modify((ptrdiff_t *)this->place(), add(), by * (ptrdiff_t)sizeof(U));
        after<Scope>(o);
        return (U *)old;
    }
    SMELT_ANY float shift(float *, float by, memory_order o) const
    {
        return act(add(), by, o);
    }
    SMELT_ANY double shift(double *, double by, memory_order o) const
    {
        return act(add(), by, o);
    }

  public:
    typedef T value_type;
    operations() = default;
    template <class V> SMELT_ANY constexpr explicit operations(V &&v) : Place(v)
    {
    }

    SMELT_ANY T load(memory_order o = memory_order_seq_cst) const
    {
        T v = bits<T>(__smelt_atomic::load(at()));
        after<Scope>(o);
        return v;
    }
    SMELT_ANY void store(T v, memory_order o = memory_order_seq_cst) const
    {
        before<Scope>(o);
        __smelt_atomic::store(at(), bits<W>(v));
        if (o == memory_order_seq_cst)
            fence<Scope>();
    }
    SMELT_ANY operator T() const
    {
        return load();
    }
    SMELT_ANY T exchange(T v, memory_order o = memory_order_seq_cst) const
    {
        return act(take(), v, o);
    }
    SMELT_ANY bool compare_exchange_strong(T &seen, T v, memory_order yes, memory_order no) const
    {
        W want = bits<W>(seen);
        before<Scope>(yes);
        W was = swap_if(at(), want, bits<W>(v));
        after<Scope>(was == want ? yes : no);
        seen = bits<T>(was);
        return was == want;
    }
    SMELT_ANY bool compare_exchange_strong(T &seen, T v,
                                           memory_order o = memory_order_seq_cst) const
    {
        return compare_exchange_strong(seen, v, o,
                                       o == memory_order_acq_rel   ? memory_order_acquire
                                       : o == memory_order_release ? memory_order_relaxed
                                                                   : o);
    }
    SMELT_ANY bool compare_exchange_weak(T &seen, T v, memory_order yes, memory_order no) const
    {
        return compare_exchange_strong(seen, v, yes, no);
    }
    SMELT_ANY bool compare_exchange_weak(T &seen, T v, memory_order o = memory_order_seq_cst) const
    {
        return compare_exchange_strong(seen, v, o);
    }

    SMELT_ANY T fetch_add(D v, memory_order o = memory_order_seq_cst) const
    {
        return shift((T *)0, v, o);
    }
    SMELT_ANY T fetch_sub(D v, memory_order o = memory_order_seq_cst) const
    {
        return shift((T *)0, (D)-v, o);
    }
    SMELT_ANY T fetch_and(T v, memory_order o = memory_order_seq_cst) const
    {
        return act(bit_and(), v, o);
    }
    SMELT_ANY T fetch_or(T v, memory_order o = memory_order_seq_cst) const
    {
        return act(bit_or(), v, o);
    }
    SMELT_ANY T fetch_xor(T v, memory_order o = memory_order_seq_cst) const
    {
        return act(bit_xor(), v, o);
    }
    SMELT_ANY T fetch_min(T v, memory_order o = memory_order_seq_cst) const
    {
        return act(least(), v, o);
    }
    SMELT_ANY T fetch_max(T v, memory_order o = memory_order_seq_cst) const
    {
        return act(most(), v, o);
    }

    SMELT_ANY T operator++() const
    {
        return fetch_add(1) + 1;
    }
    SMELT_ANY T operator++(int) const
    {
        return fetch_add(1);
    }
    SMELT_ANY T operator--() const
    {
        return fetch_sub(1) - 1;
    }
    SMELT_ANY T operator--(int) const
    {
        return fetch_sub(1);
    }
    SMELT_ANY T operator+=(D v) const
    {
        return fetch_add(v) + v;
    }
    SMELT_ANY T operator-=(D v) const
    {
        return fetch_sub(v) - v;
    }
    SMELT_ANY T operator&=(T v) const
    {
        return fetch_and(v) & v;
    }
    SMELT_ANY T operator|=(T v) const
    {
        return fetch_or(v) | v;
    }
    SMELT_ANY T operator^=(T v) const
    {
        return fetch_xor(v) ^ v;
    }

    SMELT_ANY void wait(T old, memory_order o = memory_order_seq_cst) const
    {
        while (bits<W>(load(memory_order_relaxed)) == bits<W>(old))
            ;
        after<Scope>(o);
    }
    SMELT_ANY void notify_one() const
    {
    }
    SMELT_ANY void notify_all() const
    {
    }
    SMELT_ANY bool is_lock_free() const
    {
        return true;
    }
};

template <class T> struct own {
    alignas(sizeof(T)) mutable T value;
    own() = default;
    SMELT_ANY constexpr explicit own(T v) : value(v)
    {
    }
    SMELT_ANY T *place() const
    {
        return &value;
    }
};

template <class T> struct other {
    T *value;
    SMELT_ANY constexpr explicit other(T *p) : value(p)
    {
    }
    SMELT_ANY T *place() const
    {
        return value;
    }
};

} // namespace __smelt_atomic

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public __smelt_atomic::operations<T, Scope, __smelt_atomic::own<T>>
{
    typedef __smelt_atomic::operations<T, Scope, __smelt_atomic::own<T>> base;

  public:
    atomic() = default;
    SMELT_ANY constexpr atomic(T v) : base(v)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    SMELT_ANY T operator=(T v)
    {
        this->store(v);
        return v;
    }
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public __smelt_atomic::operations<T, Scope, __smelt_atomic::other<T>>
{
    typedef __smelt_atomic::operations<T, Scope, __smelt_atomic::other<T>> base;

  public:
    SMELT_ANY explicit atomic_ref(T &v) : base(&v)
    {
    }
    SMELT_ANY T operator=(T v) const
    {
        this->store(v);
        return v;
    }
};

SMELT_ANY void atomic_thread_fence(memory_order o, thread_scope scope = thread_scope_system)
{
    if (o == memory_order_relaxed)
        return;
    if (scope == thread_scope_system)
        __smelt_atomic::fence<thread_scope_system>();
    else if (scope == thread_scope_device)
        __smelt_atomic::fence<thread_scope_device>();
    else
        __smelt_atomic::fence<thread_scope_block>();
}

namespace std
{
template <class T> class atomic : public ::cuda::atomic<T, thread_scope_system>
{
    typedef ::cuda::atomic<T, thread_scope_system> base;

  public:
    atomic() = default;
    SMELT_ANY constexpr atomic(T v) : base(v)
    {
    }
    SMELT_ANY T operator=(T v)
    {
        this->store(v);
        return v;
    }
};

template <class T> class atomic_ref : public ::cuda::atomic_ref<T, thread_scope_system>
{
    typedef ::cuda::atomic_ref<T, thread_scope_system> base;

  public:
    SMELT_ANY explicit atomic_ref(T &v) : base(v)
    {
    }
    SMELT_ANY T operator=(T v) const
    {
        this->store(v);
        return v;
    }
};

SMELT_ANY void atomic_thread_fence(memory_order o)
{
    ::cuda::atomic_thread_fence(o);
}

typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
typedef atomic<long> atomic_long;
typedef atomic<unsigned long> atomic_ulong;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
typedef atomic<size_t> atomic_size_t;
} // namespace std

} // namespace cuda

#endif
