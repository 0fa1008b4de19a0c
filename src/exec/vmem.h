/*
 * vmem.h -- simulated global memory: a sandbox of live allocations.
 *
 * Device addresses are numbers; only an allocation gives them meaning, and every
 * access is checked against one, so a stray pointer of a simulated program can
 * never touch the simulator.  Allocations do not overlap and are kept sorted by
 * address; `guard` bytes between them make an overrun fall into nothing.
 *
 * Variables of a module lie close to each other, as they do on hardware.  So that an overrun of
 * one falls into nothing too, the address of a variable has a tag in its upper bits, which no
 * neighbour has; caches and channels see it without (`bus`).  Without a tag it is good as well:
 * code with 32-bit addresses has no room for one.
 *
 * Module variables, buffers and the heap of the device's malloc live in regions of
 * their own: from mem.var_base, from mem.base, and above the buffers.  Buffers and heap
 * blocks are placed behind the last one, or first fit where something was freed.  Host
 * memory can be mapped; it is at the address that it has on the host, which lies above
 * all of these, stays its owner's, and ends where it ends: no access may read a byte more.  Its owner
 * may unmap or protect it: it is shut then, and kernels find nothing there (vmem_shut).
 *
 * An address that no allocation holds is fatal unless `bounds` tolerates it (mem.bounds): memory is
 * as ever then, and the access is none (exec_stray.c).
 *
 * With checking on, a shadow byte per byte remembers what has been written.  The host may
 * write mapped memory at any time, so that counts as written.
 */
#ifndef EXEC_VMEM_H
#define EXEC_VMEM_H

#include "base/base.h"
#include "base/err.h"
#include "isa/tag.h"

enum span_kind { SPAN_BUFFER, SPAN_VARIABLE, SPAN_HEAP, SPAN_MAPPED, SPAN_UNTAGGED };

/* How far accesses may stray: the words of mem.bounds, in their order. */
enum bounds { BOUNDS_EXACT, BOUNDS_SLACK, BOUNDS_REPORT };

/* Mapped memory that the host cannot write, or not reach at all, any more. */
enum shut { SHUT_NOT, SHUT_TO_WRITES, SHUT_TO_ALL };

struct span { /* [lo, lo + size) of an address space at host memory */
    u64 lo, size;
    u8 *host;
    u8 *shadow; /* NULL unless checking */
    enum span_kind kind;
    enum shut shut; /* if it is, size is 0 */
    u64 bus;        /* where caches and channels see it: lo, but for variables and mapped memory */
    const char *name; /* of a variable, else NULL */
    u64 whole;        /* bytes of mapped memory, shut or not */
};

struct vmem {
    u32 n, cap;
    struct span *live; /* sorted by lo */
    u64 base, size;    /* the region of buffers */
    u64 used;          /* bytes in live buffers */
    u64 guard, align;
    u64 heap_base, heap_size; /* the region of the heap */
    u64 heap_full;            /* this much and more has no room until a block is freed */
    bool heap_touched;        /* there has been a block */
    bool check;
    enum bounds bounds; /* BOUNDS_EXACT until told */
    u64 slack;          /* mem.slack */
    bool tagged;        /* there are variables with tags */
    u64 bus_next;       /* for what is mapped next; not 0: something has been mapped */
    u32 n_freed;        /* ever */
    struct {
        u64 lo, size;
        enum span_kind kind;
    } freed[64]; /* the last few, for "use after free" */
};

void vmem_init(struct vmem *m, u64 base, u64 size, u64 guard, u64 align, bool check);
void vmem_free_all(struct vmem *m);
void vmem_reset(struct vmem *m); /* nothing but variables is left */

/* 0 and a message if there is no room.  Fresh memory is zero, but unwritten for the check. */
u64 vmem_alloc(struct vmem *m, u64 size, struct err *e);
/* A module variable at its address, which is outside of the region of buffers; name is kept. */
bool vmem_alloc_var(struct vmem *m, u64 addr, u64 size, const char *name, struct err *e);
bool vmem_release(struct vmem *m, u64 addr, struct err *e); /* the start of a buffer */

/* Refused where the simulated GPU has its own addresses, and where something is mapped already. */
bool vmem_map(struct vmem *m, void *host, u64 size, struct err *e);
bool vmem_is_own(const struct vmem *m, u64 addr); /* one of the GPU's, none of the host's */
bool vmem_unmap(struct vmem *m, const void *host, struct err *e); /* the start of what was mapped */

/*
 * What kernels may do with mapped memory, from now on; the host's copies find it in any case.  One that
 * is shut to writes is found by vmem_find_shut.
 */
void vmem_shut(struct vmem *m, const void *host, enum shut how);

/* malloc and free of kernels: 0 if the heap is full; false if addr is no live block's start. */
u64 vmem_heap_alloc(struct vmem *m, u64 size);
bool vmem_heap_release(struct vmem *m, u64 addr);

/*
 * The address that caches and memory channels see.  Mapped memory is where the host happens to have
 * it; on the bus it has places of its own, one after the other, so that time does not depend on the
 * host.  An address that no allocation holds is seen from the nearest one.
 */
u64 vmem_bus(const struct vmem *m, u64 addr);

/* The allocation that holds addr, or NULL. */
struct span *vmem_find(const struct vmem *m, u64 addr);

/* The same, also if it is shut. */
struct span *vmem_find_shut(const struct vmem *m, u64 addr);

/*
 * May an access at addr, which is not wholly in an allocation, go on?  Never at a null pointer.  What
 * was freed is like what never was.
 */
bool vmem_tolerates(const struct vmem *m, u64 addr, enum bounds how);

/* Copies between host and device; the whole range must lie in one allocation. */
bool vmem_write(struct vmem *m, u64 addr, const void *from, u64 n, struct err *e);
bool vmem_read(const struct vmem *m, u64 addr, void *to, u64 n, struct err *e);
bool vmem_set(struct vmem *m, u64 addr, int byte, u64 n, struct err *e);

/* addr for a message: without the tag if it has a variable's. */
u64 vmem_shown(const struct vmem *m, u64 addr);

/* What is at or near addr, in words: "4 bytes after buffer 0xc0000000..0xc0000fff". */
const char *vmem_describe(const struct vmem *m, u64 addr, char *buf, size_t size);

#endif
