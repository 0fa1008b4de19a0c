/*
 * program.h -- a loaded module: machine code, variables, and what a launch needs to know.
 *
 * program_load does all of it: parse, select, lower or not, encode.  Code of all
 * functions stands one after the other from pc 0; a pc counts instructions.
 * Module variables have addresses from var_base on (ptx/layout.c); whoever runs the
 * program (gpu/device.c) allocates memory there and fills in their initial values.
 */
#ifndef PTX_PROGRAM_H
#define PTX_PROGRAM_H

#include "base/base.h"
#include "base/err.h"
#include "base/hash.h"
#include "isa/inst.h"
#include "ptx/parse/ptx.h"
#include "ptx/ptx_conf.h"

struct ir_func;

struct call_arg {
    u32 from, to, size;
};

struct call_site {
    u32 func; /* PC_NONE: by address */
    u32 n_arg, n_ret;
    struct call_arg *arg, *ret;
};

/* Functions without code that the device provides: see builtin.h. */
enum builtin { BUILTIN_NONE, BUILTIN_VPRINTF, BUILTIN_MALLOC, BUILTIN_FREE, BUILTIN_ASSERTFAIL };

/* One function's machine code.  A kernel is a function with is_entry. */
struct func {
    const char *name;
    char *label; /* for messages: the name as written in C++ */
    bool is_entry;
    enum builtin builtin;
    u32 id;
    u32 pc, n_inst;    /* inst[pc .. pc+n_inst) of the program */
    u32 n_row, n_pred; /* rows and predicates of one frame */
    u32 regs;          /* 32-bit registers per thread, callees included: what occupancy sees */
    u32 max_live;
    u32 n_spill;
    u32 frame;       /* bytes of local memory of one frame */
    u32 local;       /* bytes of local memory per thread, callees included */
    u32 rows, preds; /* of a warp, callees included */
    u32 shared;      /* static shared memory, callees included */
    u32 dynamic;     /* where dynamic shared memory begins */
    u32 param_bytes;
    u32 n_param;
    struct param {
        const char *name;
        u32 off, size;
        enum ptx_type type;
        bool is_array;
    } * param;
    u8 *consts;  /* the constant pool: rows of ROW_BYTES, 64-byte aligned */
    u16 *list;   /* operand lists */
    u32 **table; /* brx targets: table[t][0] entries, then pcs */
    u32 n_table;
    struct call_site *site;
    u32 n_site;
    s32 *row_number; /* bank number of each row: the row, or the number in its PTX name */
    u32 maxntid[3], reqntid[3];
};

/* What an instruction reads and writes, for whoever tracks dependences and register banks. */
enum reg_kind { REG_32, REG_64, REG_PRED };
struct reg_ref {
    u16 id;     /* row (pairs: the even one) or predicate number, of the frame */
    u8 kind;    /* enum reg_kind */
    s16 number; /* that decides its bank: the row, or the number in its PTX name; -1: no bank */
};
enum { MAX_USE = 12, MAX_DEF = 9 };
struct inst_regs {
    u8 n_use, n_def;
    bool guarded; /* use[0] is the guard */
    u8 n_other; /* sources that are no registers: constants, special registers, what a load reads */
    struct reg_ref use[MAX_USE], def[MAX_DEF];
};

struct src_loc {
    u32 line;           /* PTX */
    u32 file, src_line; /* CUDA source, 0: unknown */
};

/* A module variable (or a texture or surface reference). */
struct var {
    const char *name;
    enum ptx_space space; /* PS_GLOBAL, PS_CONST, PS_TEX */
    u64 size, addr;
    bool is_texture;
    bool is_pinned; /* somebody else's memory: see struct var_places */
    u32 texture;    /* its number */
    const struct ptx_var *ptx;
};

/*
 * Where variables of a module go: one after the other from `base` (see mem.var_base), but for those
 * that have a place already, which is memory that the caller maps and fills: __managed__ variables
 * stand where the host has them.
 */
struct var_pin {
    const char *name;
    u64 addr;
};

struct var_places {
    u64 base;
    const struct var_pin *pin;
    u32 n_pin;
};

struct program {
    char *path;
    char hash[HASH_HEX]; /* of its PTX */
    struct ptx_module *ptx;
    u32 first_inst; /* its place in the code of all that a device has loaded: one after the other */
    u32 n_inst;
    struct inst *inst;
    struct src_loc *loc;    /* of each instruction */
    struct inst_regs *regs; /* likewise */
    u32 n_func;
    struct func *func;
    struct ir_func **ir; /* kept for `disasm` if asked for */
    u32 n_var;
    struct var *var;
    u32 n_texture;
    bool lowered;
};

/*
 * Text is PTX.  With front.lower=on, no kernel takes more registers than limits (NULL: none),
 * front.max_regs, .maxnreg and its launch bounds allow.  Variable addresses start at var_base.
 */
struct program *program_load(const char *path, const char *text, size_t len,
                             const struct ptx_conf *conf, const struct reg_limits *limits,
                             u64 var_base, bool keep_ir, struct err *e);
struct program *program_load_at(const char *path, const char *text, size_t len,
                                const struct ptx_conf *conf, const struct reg_limits *limits,
                                const struct var_places *places, bool keep_ir, struct err *e);
void program_free(struct program *p);

struct func *program_kernel(const struct program *p, const char *name, struct err *e);
struct var *program_var(const struct program *p, const char *name);

/* Windows of the generic address space; everything else is global. */
#define WINDOW_SHARED 0x01000000ull
#define WINDOW_LOCAL 0x02000000ull
#define WINDOW_PARAM 0x03000000ull
#define WINDOW_SIZE 0x01000000ull

/*
 * Textures and surfaces as device code sees them: a handle (exec/texture.h).  That of a .texref or
 * .surfref variable is HANDLE_REF and its number; those of objects are less.
 */
#define HANDLE_REF 0xe0000000ull

/*
 * Functions as device code sees them: numbered, since their pcs are not known while code is made.
 */
enum { CODE_BASE = 0xf0000000u };
static inline u64 func_address(u32 id)
{
    return CODE_BASE + 16ull * (id + 1);
}
static inline u32 func_by_address(u64 address) /* PC_NONE: it is none */
{
    u64 id = (address - CODE_BASE) / 16 - 1;

    return id < PC_NONE && func_address((u32)id) == address ? (u32)id : PC_NONE;
}

/* Bytes that the initial values of v are, addresses filled in, into buf (v->size bytes). */
void program_init_var(const struct program *p, const struct var *v, u8 *buf);

/* "file.ptx:12 (kernel.cu:7)" of a pc, into buf. */
const char *program_where(const struct program *p, u32 pc, char *buf, size_t size);

#endif
