/* exec_atom.c -- see atom.h: captured atomics, performed and answered */
#include "exec/atom.h"

#include <assert.h>
#include <string.h>

#include "exec/atom_ops.h"
#include "exec/exec.h"

/* Something was freed since: where is it now? */
static u8 *look_up_again(const struct vmem *mem, u64 addr, u32 bytes)
{
    const struct span *s = vmem_find(mem, addr);

    return s && s->size - (addr - s->lo) >= bytes ? s->host + (addr - s->lo) : NULL;
}

bool exec_atom_perform(const struct vmem *mem, struct atom_capture *a, u32 word, u32 lane)
{
    struct atom_word *w = &a->word[word];
    u8 *host = w->host[lane];
    u64 old = 0;

    assert(a->mask[word] >> lane & 1);
    if (UNLIKELY(!host))
        return true;
    if (UNLIKELY(a->n_freed != mem->n_freed) &&
        !(host = look_up_again(mem, w->addr[lane], a->bytes))) {
        w->old[lane] = 0;
        return false;
    }
    memcpy(&old, host, a->bytes);
    u64 new = atom_result(a->op, a->type, SP_GLOBAL, old, w->b[lane], w->c[lane]);

    memcpy(host, &new, a->bytes);
    w->old[lane] = old;
    return true;
}

bool exec_atom_reads(const struct vmem *mem, struct atom_capture *a, u32 word, u32 lane)
{
    struct atom_word *w = &a->word[word];
    u64 old = 0;

    if (!w->host[lane])
        return true;
    if (a->n_freed != mem->n_freed)
        return false;
    memcpy(&old, w->host[lane], a->bytes);
    u64 new = atom_result(a->op, a->type, SP_GLOBAL, old, w->b[lane], w->c[lane]);

    w->old[lane] = old;
    return !memcmp(&old, &new, a->bytes);
}

void exec_atom_write(struct exec *x, struct warp *w, const struct atom_capture *a, u32 word,
                     u32 mask)
{
    (void)x;
    assert(word < w->n_word && (mask & ~a->mask[word]) == 0);
    (void)w;
    if (!a->has_dst)
        return;
    for (u32 m = mask; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);

        memcpy(a->row[word] + (size_t)i * atom_row_bytes(a), &a->word[word].old[i],
               atom_row_bytes(a));
    }
}
