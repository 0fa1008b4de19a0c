/*
 * ptx_lex.h -- PTX text cut into tokens, its names made unique.
 *
 * Blanks, comments and the @@DWARF lines of old compilers are skipped.  A token
 * knows where it stood.  Its kind is one of the TK_ below or, for a punctuation
 * mark, the character itself.  A directive, a type or an instruction's suffix is
 * one token, TK_DOT, whose name is without the dot.
 *
 * A mistake in the text makes a token TK_BAD that nobody expects, with the
 * message already set (`failed`): so a parser need not ask after every token.
 *
 * Every different name is one struct ptx_name, so that names are compared by
 * address and what a name means at the moment hangs on it (ptx_int.h).
 */
#ifndef PTX_PTX_LEX_H
#define PTX_PTX_LEX_H

#include "ptx/parse/ptx.h"

enum ptx_tok_kind {
    TK_END,
    TK_BAD = 256,
    TK_NAME,   /* name */
    TK_DOT,    /* name */
    TK_INT,    /* value; is_unsigned: has the suffix U */
    TK_F32,    /* value: bits of a float (0f...) */
    TK_F64,    /* value: bits of a double */
    TK_STRING, /* at and len are without the quotes */
    TK_SHL,
    TK_SHR,
    TK_EQ,
    TK_NE,
    TK_LE,
    TK_GE,
    TK_AND, /* && */
    TK_OR,  /* || */
};

struct ptx_name {
    struct ptx_name *next;  /* in its bucket */
    struct ptx_name *later; /* the name that was met first after this one */
    struct ptx_sym *sym;    /* what it means here, or NULL */
    u32 hash, len;
    u32 label, label_func; /* of labels in closed blocks: see ptx_name.c */
    char s[];
};

struct ptx_names {
    struct ptx_name **bucket;
    u32 n, n_bucket; /* a power of two */
    struct ptx_name *first, *last;
};

struct ptx_tok {
    u32 kind, line, col, len;
    const char *at;
    struct ptx_name *name;
    u64 value;
    bool is_unsigned;
};

struct ptx_lex {
    const char *at, *line_start;
    u32 line;
    bool failed;
    struct ptx_module *m; /* names live in its arena */
    struct ptx_names names;
    struct err *e;
};

/* m->text must hold no 0 but the one at its end. */
void ptx_lex_init(struct ptx_lex *x, struct ptx_module *m, struct err *e);
void ptx_lex_done(struct ptx_lex *x);
void ptx_lex_next(struct ptx_lex *x, struct ptx_tok *t);

/* t is the last token and like `.5`: a suffix unless a number may stand here.  Reads it again. */
void ptx_lex_again_as_number(struct ptx_lex *x, struct ptx_tok *t);

/* A name comes next, perhaps after blanks: is a '!' that of a predicate? */
bool ptx_lex_name_follows(const struct ptx_lex *x);

struct ptx_name *ptx_name_get(struct ptx_lex *x, const char *s, size_t len);

#endif
