/* exec_atom.c -- see atom.h: captured atomics, performed and answered */
#include "front/atom.h"

#include <assert.h>
#include <string.h>

#include "front/atom_ops.h"
#include "front/exec.h"

u64 exec_atom_perform(struct atom_capture *a, u32 word, u32 lane)
{
    struct atom_word *w = &a->word[word];
    u64 old = 0;

    assert(a->mask[word] >> lane & 1);
    memcpy(&old, w->host[lane], a->bytes);
    u64 new = atom_result(a->op, a->type, SP_GLOBAL, old, w->b[lane], w->c[lane]);

    memcpy(w->host[lane], &new, a->bytes);
    w->old[lane] = old;
    return old;
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

        memcpy(a->row[word] + (size_t)i * a->bytes, &a->word[word].old[i], a->bytes);
    }
}
