/*
 * lower_deps.c -- which instructions of a stretch of code must stay behind which.
 *
 * Registers: a read stays behind the write it reads, a write behind earlier reads and writes.
 * Memory: loads may pass loads; a load and a store may pass each other, and stores too, only if
 * they cannot touch the same byte: other spaces, or other bytes from the same base.  Atomics keep
 * their order; a volatile access is a wall that no access passes.  Kernel parameters, constants
 * and .nc loads are read-only and depend on nothing.
 *
 * To keep this linear, at most MAX_OPEN accesses are remembered: the next one becomes a wall.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"
#include "ptx/lower/lower_sched.h"

enum { MAX_OPEN = 96 };

struct mem_access {
    u32 node;
    u8 space;
    bool writes, frame;
    u32 base, version; /* register and the node that defined it */
    u64 from;          /* relative to base: addresses wrap, so may this */
    u32 bytes;
};

struct cell { /* a node that reads a register, in a list per register */
    u32 node, next;
};

struct builder {
    const struct ir_func *f;
    const struct ir_inst *code;
    struct deps *d;
    u32 *def;   /* per register: the last node that wrote it, or IR_NONE */
    u32 *reads; /* per register: cells of nodes that read it since */
    VEC(struct cell) cell;
    struct mem_access open[MAX_OPEN];
    u32 n_open;
    u32 wall, atomic; /* last of their kind, or IR_NONE */
};

static void add_edge(struct builder *x, u32 from, u32 to, u32 latency)
{
    struct deps *d = x->d;

    if (from == IR_NONE || from == to)
        return;
    u32 at = d->edge.n;
    *VEC_ADD(&d->edge) = (struct dep_edge){to, d->first[from], latency};
    d->first[from] = at;
    d->n_pred[to]++;
}

u32 dep_latency(const struct ir_inst *in)
{
    const struct op_info *o = &op_info[in->op];

    switch ((enum op_class)o->cls) {
    case CL_LD:
        if (o->space == SP_SHARED)
            return 30;
        return o->space == SP_PARAM || o->space == SP_CONST ? 10 : 200;
    case CL_ATOM:
        return o->space == SP_SHARED ? 60 : 200;
    case CL_TEX:
        return 200;
    case CL_SFU:
    case CL_DSFU:
    case CL_FDIV:
    case CL_DDIV:
    case CL_IDIV:
    case CL_IREM:
    case CL_SHFL:
    case CL_MMA:
        return 20;
    default:
        return 10;
    }
}

/* ---- registers ---- */

static void add_uses(struct builder *x, u32 node)
{
    u32 reg[IR_MAX_OPND];

    for (u32 n = ir_uses(x->f, &x->code[node], reg); n-- > 0;) {
        u32 r = reg[n], d = x->def[r];

        if (d != IR_NONE)
            add_edge(x, d, node, dep_latency(&x->code[d]));
        u32 at = x->cell.n;
        *VEC_ADD(&x->cell) = (struct cell){node, x->reads[r]};
        x->reads[r] = at;
    }
}

static void add_defs(struct builder *x, u32 node)
{
    u32 reg[IR_MAX_OPND];

    for (u32 n = ir_defs(x->f, &x->code[node], reg); n-- > 0;) {
        u32 r = reg[n];

        add_edge(x, x->def[r], node, 1);
        for (u32 c = x->reads[r]; c != IR_NONE; c = x->cell.at[c].next)
            add_edge(x, x->cell.at[c].node, node, 0);
        x->reads[r] = IR_NONE;
        x->def[r] = node;
    }
}

static void forget_node(struct builder *x, u32 node)
{
    u32 reg[IR_MAX_OPND];

    for (u32 n = ir_uses(x->f, &x->code[node], reg); n-- > 0;)
        x->reads[reg[n]] = x->def[reg[n]] = IR_NONE;
    for (u32 n = ir_defs(x->f, &x->code[node], reg); n-- > 0;)
        x->reads[reg[n]] = x->def[reg[n]] = IR_NONE;
}

/* ---- memory ---- */

static bool touches_memory(const struct ir_func *f, const struct ir_inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (lower_reads_const(f, in))
        return false;
    if (o->form == FORM_LD)
        return (in->mod >> MOD_CACHE & 7) != CACHE_NC || in->mod & MOD_VOLATILE;
    return o->form == FORM_ST || o->form == FORM_ATOM || o->form == FORM_TEX ||
           o->form == FORM_COPY || in->op == OP_prefetch;
}

static u32 access_bytes(const struct ir_inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (o->form == FORM_LD)
        return opnd_type_bytes((enum opnd_type)o->dst) * mod_vec(in->mod);
    if (o->form == FORM_ST)
        return opnd_type_bytes((enum opnd_type)o->src[1]) * mod_vec(in->mod);
    return opnd_type_bytes(in->mod >> MOD_ATOM_TYPE & 15);
}

static struct mem_access describe_access(const struct builder *x, u32 node)
{
    const struct ir_inst *in = &x->code[node];
    const struct op_info *o = &op_info[in->op];
    struct mem_access a = {.node = node, .space = o->space, .base = in->src[0]};

    a.writes = o->form == FORM_ST || o->form == FORM_ATOM || o->form == FORM_COPY;
    a.version = ir_is_reg(a.base) ? x->def[a.base] : IR_NONE;
    a.frame = o->form != FORM_ATOM && in->mod & MOD_FRAME;
    if (o->form == FORM_TEX || o->form == FORM_COPY || in->op == OP_prefetch) { /* anywhere */
        a.space = SP_GENERIC;
        a.version = node;
    }
    if (o->flags & OPF_CROSS) /* of rows that other lanes name */
        a.version = node;
    a.from = (u64)in->imm;
    a.bytes = access_bytes(in);
    return a;
}

static bool may_overlap(const struct mem_access *a, const struct mem_access *b)
{
    if (!a->writes && !b->writes)
        return false;
    if (a->space != b->space)
        return a->space == SP_GENERIC || b->space == SP_GENERIC;
    if (a->base != b->base || a->version != b->version || a->frame != b->frame)
        return true;
    return b->from - a->from < a->bytes || a->from - b->from < b->bytes;
}

static void add_wall(struct builder *x, u32 node)
{
    for (u32 i = 0; i < x->n_open; i++)
        add_edge(x, x->open[i].node, node, 1);
    x->n_open = 0;
    x->wall = node;
}

static bool is_volatile(const struct ir_inst *in)
{
    u8 form = op_info[in->op].form;

    return (form == FORM_LD || form == FORM_ST) && in->mod & MOD_VOLATILE;
}

static void add_memory(struct builder *x, u32 node)
{
    const struct ir_inst *in = &x->code[node];

    if (!touches_memory(x->f, in))
        return;
    struct mem_access a = describe_access(x, node);
    bool is_atomic = op_info[in->op].form == FORM_ATOM;

    add_edge(x, x->wall, node, 1);
    if (is_atomic || is_volatile(in)) {
        add_edge(x, x->atomic, node, 1);
        x->atomic = node;
    }
    if (is_volatile(in) || x->n_open == MAX_OPEN) {
        add_wall(x, node);
        return;
    }
    for (u32 i = 0; i < x->n_open; i++)
        if (may_overlap(&x->open[i], &a))
            add_edge(x, x->open[i].node, node, 1);
    x->open[x->n_open++] = a;
}

/* ---- all of it ---- */

struct builder *deps_builder_new(const struct ir_func *f)
{
    struct builder *x = xcalloc(1, sizeof(*x));

    x->f = f;
    x->def = xmalloc((f->n_reg + 1) * sizeof(u32));
    x->reads = xmalloc((f->n_reg + 1) * sizeof(u32));
    memset(x->def, 0xff, (f->n_reg + 1) * sizeof(u32));
    memset(x->reads, 0xff, (f->n_reg + 1) * sizeof(u32));
    return x;
}

void deps_builder_free(struct builder *x)
{
    VEC_FREE(&x->cell);
    free(x->def);
    free(x->reads);
    free(x);
}

void deps_build(struct builder *x, struct deps *d, const struct ir_inst *code, u32 n)
{
    x->code = code;
    x->d = d;
    x->cell.n = x->n_open = 0;
    x->wall = x->atomic = IR_NONE;
    d->edge.n = 0;
    memset(d->first, 0xff, n * sizeof(u32));
    memset(d->n_pred, 0, n * sizeof(u32));
    for (u32 i = 0; i < n; i++) {
        add_memory(x, i); /* before the definitions: the base is read first */
        add_uses(x, i);
        add_defs(x, i);
    }
    for (u32 i = 0; i < n; i++)
        forget_node(x, i);
}
