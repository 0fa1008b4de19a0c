/*
 * ptx_int.h -- what the files of the PTX parser share and nobody else includes.
 *
 *     ptx_parse.c  the module: .version .target .file .section ..., calls
 *     ptx_func.c     the head of a function, prototypes
 *     ptx_decl.c     variables and registers, with ptx_init.c for `= {...}`
 *     ptx_stmt.c     the body of a function: blocks, labels, tables, instructions
 *     ptx_opnd.c       operands, with ptx_expr.c for constant expressions
 *     ptx_name.c   what a name means: blocks, declarations, labels used before they stand
 *     ptx_lex.c    tokens                    ptx_tree.c  memory, types, messages
 *
 * A function returns false after an error, and its message is in place then.  The
 * first error counts: ptx_fail keeps it.  Parsing functions start at the current
 * token and leave the one after what they read.
 */
#ifndef PTX_PTX_INT_H
#define PTX_PTX_INT_H

#include "base/text.h"
#include "ptx/parse/ptx_lex.h"

/* Bounds for hostile texts: a few bytes must not ask for much. */
#define PTX_MAX_REG (1u << 20)       /* registers of a function */
#define PTX_MAX_REG_ALL (1u << 22)   /* of all functions of a module */
#define PTX_MAX_VAR ((u64)1 << 30)   /* bytes of a variable */
#define PTX_MAX_INIT ((u64)64 << 20) /* bytes of an initialised variable */
#define PTX_MAX_INIT_ALL ((u64)256 << 20)
enum {
    PTX_MAX_FILE = 1 << 16,
    PTX_MAX_DIM = 8,
    PTX_MAX_MODULE_REG = 1024,
    PTX_SHOW = 48 /* characters of a name in a message */
};

struct ptx_chunk;
void *ptx_alloc(struct ptx_chunk **arena, size_t size); /* zeroed; aligned for anything */
void ptx_alloc_free(struct ptx_chunk **arena);

/* Moves what a VEC holds into the arena; the VEC stays for the next function. */
#define PTX_KEEP(p, v) ptx_keep(p, (v)->at, (v)->n, sizeof((v)->at[0]))

enum ptx_sym_kind { SYM_REG, SYM_VAR, SYM_FUNC, SYM_LABEL, SYM_TABLE };

struct ptx_sym {
    struct ptx_name *name;
    struct ptx_sym *outer; /* what the name means outside this block */
    struct ptx_sym *next;  /* declared before it in the same block */
    enum ptx_sym_kind kind;
    u32 depth, line;
    u32 index; /* register, label, table */
    struct ptx_var *var;
    struct ptx_func *func;
};

/* A label's name where the label may yet come: *slot gets its index. */
struct ptx_ref {
    struct ptx_name *name;
    u32 *slot;
    u32 line, col;
};

struct ptx_scope {
    struct ptx_sym *sym;
    u32 first_ref; /* refs made in this block are those from here on */
};

struct ptx_parser {
    struct ptx_module *m;
    struct err *e;
    bool failed;
    struct ptx_lex lex;
    struct ptx_tok tok;
    u32 depth; /* of parentheses */

    u32 n_scope;
    struct ptx_scope scope[PTX_MAX_DEPTH + 3]; /* [0] is the module */
    struct ptx_sym *free_sym;
    struct ptx_chunk *scratch; /* lives as long as the parser */

    VEC(struct ptx_var *) module_var;
    VEC(struct ptx_func *) module_func;
    VEC(struct ptx_module_reg) module_reg;
    VEC(const char *) file;
    u64 n_reg_all, n_init_all;

    /* of the current function */
    struct ptx_func *func;
    u32 func_serial;
    VEC(struct ptx_reg) reg;
    VEC(struct ptx_var *) var;
    VEC(struct ptx_inst) inst;
    VEC(struct ptx_label) label;
    VEC(struct ptx_table) table;
    VEC(struct ptx_ref) ref;
    VEC(struct ptx_opnd) elem; /* a stack: operands of the lists being read */
    bool video;                /* the instruction's registers may have selectors */
    u32 loc_file, loc_line;
};

/* ptx_parse.c */
void ptx_next(struct ptx_parser *p);
bool ptx_is_dot(const struct ptx_parser *p, const char *s); /* the directive or suffix .s */
bool ptx_take(struct ptx_parser *p, u32 kind);
bool ptx_take_dot(struct ptx_parser *p, const char *s);
bool ptx_expect(struct ptx_parser *p, u32 kind, const char *what);
bool ptx_expect_name(struct ptx_parser *p, const char *what, struct ptx_tok *name);
bool ptx_expected(struct ptx_parser *p, const char *what); /* always false */
bool ptx_fail(struct ptx_parser *p, const struct ptx_tok *t, const char *fmt, ...) PRINTF(3, 4);
void *ptx_keep(struct ptx_parser *p, const void *at, size_t n, size_t size);
bool ptx_skip_braces(struct ptx_parser *p); /* from the { on */
bool ptx_file_directive(struct ptx_parser *p);
bool ptx_loc_directive(struct ptx_parser *p);
bool ptx_pragma_directive(struct ptx_parser *p);
bool ptx_unsupported(struct ptx_parser *p); /* the current directive; always false */

/* ptx_name.c */
bool ptx_scope_open(struct ptx_parser *p);
bool ptx_scope_close(struct ptx_parser *p); /* false: a label that does not exist */
struct ptx_sym *ptx_declare(struct ptx_parser *p, const struct ptx_tok *t, enum ptx_sym_kind kind);
struct ptx_sym *ptx_declare_name(struct ptx_parser *p, struct ptx_name *name,
                                 const struct ptx_tok *t,
                                 enum ptx_sym_kind kind);           /* t: where, for the message */
bool ptx_undeclared(struct ptx_parser *p, const struct ptx_tok *t); /* always false */
bool ptx_declare_label(struct ptx_parser *p, const struct ptx_tok *t);
void ptx_refer_label(struct ptx_parser *p, struct ptx_name *name, u32 line, u32 col, u32 *slot);
bool ptx_sreg_known(const char *name); /* "%tid" */

/* ptx_expr.c */
enum ptx_num_kind { NUM_S64, NUM_U64, NUM_F32, NUM_F64 };
struct ptx_num {
    enum ptx_num_kind kind;
    u64 bits;
};
bool ptx_expr(struct ptx_parser *p, struct ptx_num *v);
bool ptx_expr_offset(struct ptx_parser *p, s64 *off); /* nothing, or + and - and what follows */
bool ptx_expr_u64(struct ptx_parser *p, u64 max, const char *what, u64 *v);
bool ptx_expr_u32(struct ptx_parser *p, const char *what, u32 *v);

/* ptx_decl.c */
struct ptx_dims {
    u32 n;
    u64 len[PTX_MAX_DIM + 1]; /* outermost first; the elements of a vector are the last */
    bool open;                /* len[0] was not given */
};
bool ptx_linkage(struct ptx_parser *p); /* takes .visible and the like; true: it is .extern */
enum ptx_space ptx_space_find(const char *s);
bool ptx_decl_attribute(struct ptx_parser *p); /* after .attribute */
bool ptx_decl_type(struct ptx_parser *p, struct ptx_var *v);
bool ptx_decl_dims(struct ptx_parser *p, struct ptx_var *v, struct ptx_dims *d);
bool ptx_decl_vars(struct ptx_parser *p, bool is_extern); /* from the space on to the ; */
bool ptx_decl_regs(struct ptx_parser *p);                 /* after .reg */
bool ptx_reg_add(struct ptx_parser *p, struct ptx_name *name, const struct ptx_tok *t,
                 enum ptx_type type, u32 vec, u32 *index);

/* ptx_init.c */
bool ptx_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_dims *d); /* after the = */

/* ptx_func.c */
bool ptx_func_decl(struct ptx_parser *p, bool is_entry);            /* after .entry or .func */
bool ptx_func_prototype(struct ptx_parser *p, struct ptx_func **f); /* after .callprototype */

/* ptx_stmt.c */
bool ptx_body(struct ptx_parser *p); /* after the { to and with its }; the scope is open */

/* ptx_opnd.c: one operand of an instruction called `op` */
bool ptx_opnd(struct ptx_parser *p, const char *op, struct ptx_opnd *o);
bool ptx_opnd_reg(struct ptx_parser *p, u32 *reg); /* a register and nothing else */

#endif
