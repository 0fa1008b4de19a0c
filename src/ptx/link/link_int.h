/* link_int.h -- what link.c and link_write.c share and nobody else includes. */
#ifndef PTX_LINK_INT_H
#define PTX_LINK_INT_H

#include "ptx/link/link.h"
#include "ptx/parse/ptx_int.h"

enum link_kind { LINK_NOTHING, LINK_OTHER, LINK_VAR, LINK_FUNC, LINK_KERNEL };

struct link_piece { /* a declaration of module scope */
    struct link_text *s;
    enum link_kind kind;
    const char *from, *to;       /* of the text */
    const char *head, *head_end; /* without words of linkage, value and body */
    const char *name, *space;    /* space: of a variable, "global" */
    bool is_definition, is_extern, is_weak;
    bool is_local;                  /* its text's alone */
    const struct link_piece *taken; /* in its place; NULL: itself */
};

struct link_text {
    struct ptx_module m; /* path, text and memory alone */
    u32 number;
    u32 n_file, file_base; /* numbers of .file: how many there are, what is added to them */
    const char *version, *target, *address_size;
    VEC(struct link_piece) piece;
    VEC(const char *) local; /* names, sorted */
};

struct ptx_link {
    VEC(struct link_text *) text;
};

/* A copy that lives as long as the text. */
const char *link_keep(struct link_text *s, const char *from, const char *to);
bool link_is_local(const struct link_text *s, const char *name);

#endif
