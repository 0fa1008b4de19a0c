/*
 * ptx.h -- PTX text as a tree: what ptx_lex and ptx_parse make, what select reads.
 *
 * The reader accepts PTX ISA 1.4 to 8.x and checks everything that needs no
 * knowledge of single instructions: grammar, names and their scopes, sizes,
 * initialisers, labels.  Which suffixes and operands an instruction may have is
 * select's business; so an instruction is kept as its name, its suffixes and its
 * operands, each with the column it stood in, for the caret of an error.
 *
 *     text -> ptx_lex (tokens) -> ptx_parse (struct ptx_module) -> select (struct ir_func)
 *
 * Everything hangs on the module's arena and lives until ptx_free.  Names are
 * zero-terminated.  A module is never changed after ptx_parse returned it.
 */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "base/base.h"
#include "base/err.h"

enum ptx_type {
    PT_NONE,
    PT_B8,
    PT_U8,
    PT_S8,
    PT_B16,
    PT_U16,
    PT_S16,
    PT_F16,
    PT_B32,
    PT_U32,
    PT_S32,
    PT_F32,
    PT_F16X2,
    PT_B64,
    PT_U64,
    PT_S64,
    PT_F64,
    PT_B128,
    PT_BF16,
    PT_BF16X2,
    PT_PRED,
    PT_TEXREF,
    PT_SAMPLERREF,
    PT_SURFREF,
    N_PT,
};

u32 ptx_type_bytes(enum ptx_type t);        /* 1..16; references 8; pred and none 0 */
const char *ptx_type_name(enum ptx_type t); /* "u32" */
enum ptx_type ptx_type_find(const char *s); /* "u32" -> PT_U32; PT_NONE if it is no type */

enum ptx_space {
    PS_NONE,
    PS_REG,
    PS_CONST,
    PS_GLOBAL,
    PS_LOCAL,
    PS_PARAM,
    PS_SHARED,
    PS_TEX,
    N_PS
};

/* What stands in an initialiser where a number cannot: the address of something. */
struct ptx_reloc {
    u64 off;                   /* into the variable */
    u32 bytes;                 /* 4 or 8; 1 with `shift` for the mask form 0xFF00(name) */
    u32 shift;                 /* mask form: the address is shifted right by this many bits first */
    bool generic;              /* generic(name): the address in the generic space */
    const struct ptx_var *var; /* one of these two */
    const struct ptx_func *func;
    s64 addend;
    struct ptx_reloc *next;
};

struct ptx_var {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    u32 vec;   /* 1, 2 or 4 elements a unit (.v2, .v4) */
    u32 align; /* bytes: as given, or the natural one */
    u64 size;  /* bytes; 0 for an array of unknown length (extern .shared x[]) */
    bool is_extern, is_array;
    u8 *init; /* size bytes, or NULL for zeros */
    struct ptx_reloc *reloc;
    u32 line;
    u32 id;                /* index in ptx_module.var or ptx_func.var */
    struct ptx_func *func; /* whose variable or parameter it is; NULL: the module's */
};

/* A declared register.  Vector registers (.reg .v4 .f32 %v) are `vec` consecutive ones. */
struct ptx_reg {
    const char *name; /* with the % and, for %r<10>, the number */
    enum ptx_type type;
    u32 vec;
    s32 number; /* the decimal number at the end of its name; -1: none */
};

/*
 * A register declared outside functions, as PTX before 3.0 allows: one of a thread, which all its
 * functions see.  Every function has a register of its own for it (ptx_func.module_reg), whose value
 * goes through a slot in local memory where functions call and return.
 */
struct ptx_module_reg {
    const char *name;
    enum ptx_type type;
    u32 vec, line;
    struct ptx_var *slot; /* a module variable without a name, `vec` times 8 bytes */
};

enum ptx_opnd_kind {
    PO_REG,   /* reg (neg: !p of a predicate; off: reg+4, outside brackets) */
    PO_INT,   /* imm: 64 bits, negative numbers sign-extended */
    PO_FLOAT, /* imm: bits of a double (from 0d... or decimal) */
    PO_F32,   /* imm: bits of a float (from 0f...) */
    PO_SREG,  /* name: "%tid.x"; known to the lexer only by its shape */
    PO_VAR,   /* var, off: the address of a variable (off: sym+4) */
    PO_FUNC,  /* func */
    PO_LABEL, /* label: index into ptx_func.label */
    PO_TABLE, /* table: a .branchtargets, .calltargets or .callprototype */
    PO_ADDR,  /* [base + off]: elem[0] is the base (REG, VAR, or INT with the sum in imm), off */
    PO_VEC,   /* {a, b, ...}: elem */
    PO_LIST,  /* (a, b, ...) of a call: elem */
    PO_TEX,   /* [tex, coords] or [tex, sampler, coords]: elem; a coordinate vector is a PO_VEC */
    PO_PAIR,  /* p|q: elem[0], elem[1] */
    PO_SINK,  /* _ */
};

struct ptx_opnd {
    enum ptx_opnd_kind kind;
    u32 col;
    bool neg;
    bool minus;      /* -%r1, of video instructions only */
    const char *sel; /* the "b0" of %r1.b0, of video instructions only, or NULL */
    u32 reg;
    u64 imm;
    s64 off;
    const char *name;
    const struct ptx_var *var;
    const struct ptx_func *func;
    u32 label, table;
    u32 n_elem;
    struct ptx_opnd *elem;
};

enum { PTX_MAX_SUFFIX = 12, PTX_MAX_OPND = 8 };

struct ptx_inst {
    const char *name;                /* "ld" */
    const char *suf[PTX_MAX_SUFFIX]; /* "volatile", "shared", "v2", "f32" */
    u16 suf_col[PTX_MAX_SUFFIX];
    u8 n_suf, n_opnd;
    u16 col;
    u32 line;               /* of the PTX text, from 1 */
    u32 loc_file, loc_line; /* from .loc; loc_line 0: unknown */
    bool has_guard, guard_not;
    u32 guard;             /* register */
    struct ptx_opnd *opnd; /* n_opnd of them */
};

struct ptx_label {
    const char *name;
    u32 inst; /* the instruction it stands before (n_inst: the end) */
};

enum ptx_table_kind { PTAB_BRANCH, PTAB_CALL, PTAB_PROTO };

struct ptx_table {
    enum ptx_table_kind kind;
    u32 n;
    u32 *label;                   /* PTAB_BRANCH */
    const struct ptx_func **func; /* PTAB_CALL */
    struct ptx_func *proto;       /* PTAB_PROTO: a nameless declaration with ret and param */
};

struct ptx_func {
    const char *name;
    bool is_entry, has_body;
    u32 line;
    u32 id; /* index in ptx_module.func */
    u32 n_ret, n_param;
    struct ptx_var **ret, **param; /* space PS_PARAM, or PS_REG for the old register ABI */
    u32 n_reg;
    struct ptx_reg *reg;
    u32 *ret_reg, *param_reg; /* PS_REG ABI: the register of each; else NULL */
    u32 *module_reg; /* of each of the module's registers, the function's own (the first) */
    u32 n_var;
    struct ptx_var **var; /* declared inside, nested scopes included; unique objects */
    u32 n_inst;
    struct ptx_inst *inst;
    u32 n_label;
    struct ptx_label *label;
    u32 n_table;
    struct ptx_table *table;
    u32 maxntid[3], reqntid[3]; /* 0: not given */
    u32 minnctapersm, maxnreg;
};

struct ptx_module {
    const char *path; /* for messages */
    const char *text; /* the whole text, zero-terminated; owned */
    size_t len;
    u32 sm;           /* from .target sm_35 */
    u32 address_size; /* 32 or 64 */
    u32 n_var;
    struct ptx_var **var;
    u32 n_reg;
    struct ptx_module_reg *reg;
    u32 n_func;
    struct ptx_func **func; /* one per name: a declaration is merged with its definition */
    u32 n_file;
    const char **file; /* .file numbers -> path, NULL where unused */
    struct ptx_chunk *arena;
};

/* The text is copied.  NULL and a message "PATH:LINE: what" with an excerpt on failure. */
struct ptx_module *ptx_parse(const char *path, const char *text, size_t len, struct err *e);
void ptx_free(struct ptx_module *m);

/*
 * An error at a line and column (from 1; 0: none) of the text, and the excerpt: "x.ptx:9: ..",
 * where `.loc` says so "x.ptx:9 (x.cu:2): ..".  If PATH is no .ptx file but the program that the
 * text was in, nobody has seen its lines: "x.cu:2: ..".
 */
bool ptx_err(const struct ptx_module *m, u32 line, u32 col, struct err *e, const char *fmt, ...)
    PRINTF(5, 6);

/* Lines of text, tokens and so on are bounded; the parser never recurses deeper than this. */
enum { PTX_MAX_DEPTH = 64 };

#endif
