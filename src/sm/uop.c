/* uop.c -- see uop.h */
#include "sm/uop.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "isa/mma.h"
#include "sm/datapath/datapath.h"

static const struct {
    u8 cls;
    size_t unit, lat, ii;
} classes[] = {
#define OPCLASS(class, name, unit, lat, ii, what)                                                  \
    {class, offsetof(struct op_conf, name##_unit), offsetof(struct op_conf, name##_lat),           \
     offsetof(struct op_conf, name##_ii)},
#include "sm/opclass.def"
};

static u64 key_at(const struct op_conf *c, size_t off)
{
    return *(const u64 *)(const void *)((const char *)c + off);
}

static void set_times(struct uop *u, const struct op_conf *op, u32 passes)
{
    u->lat = u->ii = 1;
    for (u32 i = 0; i < LEN(classes); i++) {
        if (classes[i].cls != u->cls)
            continue;
        u->unit = (u8) * (const u32 *)(const void *)((const char *)op + classes[i].unit);
        u->ii = (u16)(key_at(op, classes[i].ii) * passes);
        u->lat = (u16)(key_at(op, classes[i].lat) + (u64)(passes - 1) * key_at(op, classes[i].ii));
        if (u->lat < u->ii)
            u->lat = u->ii;
    }
}

/* Products a cycle of a tensor unit. */
static u64 tensor_rate(u16 op, const struct op_conf *c)
{
    switch (op) {
    case OP_mma_f64:
        return c->mma_f64;
    case OP_mma_f32_tf32:
        return c->mma_tf32;
    case OP_mma_s32_x8:
        return c->mma_x8;
    case OP_mma_s32_x4:
        return c->mma_x4;
    case OP_mma_s32_b1:
        return c->mma_b1;
    default:
        return c->mma_f16;
    }
}

/* A tensor unit takes the words of a warp one after the other; the width of other pipelines is not its. */
static void set_tensor(struct uop *u, const struct inst *in, const struct op_conf *op, u32 words)
{
    u64 rate = tensor_rate(in->op, op),
        ii = (mma_products(in->op, in->mod) + rate - 1) / rate * words;

    u->unit = UNIT_TENSOR;
    u->ii = (u16)ii, u->lat = (u16)(ii + (in->op == OP_mma_884 ? op->mma_step_lat : op->mma_lat));
}

/* Of a warp that goes through a pipeline in so many passes; one pass of a wide pipeline tells nothing. */
static u32 words_of(const struct sm_conf *sm, u32 passes)
{
    u64 n = passes * sm->simd_width / LANES;

    if (sm->simd_width > LANES && n > sm->warp_words)
        n = sm->warp_words;
    return n ? (u32)n : 1;
}

static u8 sfu_kind(u16 op)
{
    switch (op) {
    case OP_lg2_approx_f32:
        return KIND_log;
    case OP_sin_approx_f32:
    case OP_cos_approx_f32:
        return KIND_sin;
    case OP_ex2_approx_f32:
    case OP_tanh_approx_f32:
    case OP_ex2_f16:
    case OP_ex2_f16x2:
    case OP_ex2_bf16:
    case OP_ex2_bf16x2:
    case OP_tanh_f16:
    case OP_tanh_f16x2:
    case OP_tanh_bf16:
    case OP_tanh_bf16x2:
        return KIND_exp;
    default:
        return KIND_sqrt;
    }
}

static u8 mul_kind(u16 op)
{
    switch (op) {
    case OP_mul24_lo_u32:
    case OP_mul24_lo_s32:
    case OP_mul24_hi_u32:
    case OP_mul24_hi_s32:
    case OP_mad24_lo_u32:
    case OP_mad24_lo_s32:
    case OP_mad24_hi_u32:
    case OP_mad24_hi_s32:
    case OP_mad24_hi_sat_s32:
        return KIND_imul24;
    default:
        return opnd_is_64(op_info[op].dst) ? KIND_imul : KIND_imul32;
    }
}

static bool is_float(u8 t)
{
    switch (t) {
    case OT_f16:
    case OT_bf16:
    case OT_f32:
    case OT_f16x2:
    case OT_bf16x2:
    case OT_f64:
        return true;
    default:
        return false;
    }
}

static u8 cvt_source(const struct inst *in)
{
    return in->op == OP_cvt_x ? in->mod >> MOD_CVT_SRC & 15 : op_info[in->op].src[0];
}

/* Does PTX write a float as its (first) type?  For classes without an arithmetic unit of their own. */
static bool is_float_result(const struct inst *in)
{
    const struct op_info *o = &op_info[in->op];

    switch (o->cls) {
    case CL_MOV:
        return (in->op == OP_mov_32 || in->op == OP_mov_64 || in->op == OP_selp_32 ||
                in->op == OP_selp_64) &&
               in->mod & MOD_FLOAT;
    case CL_LOGIC:
        return is_float(o->dst) || in->op == OP_neg_f32 || in->op == OP_abs_f32 ||
               in->op == OP_copysign_f32 || in->op == OP_neg_f64 || in->op == OP_abs_f64 ||
               in->op == OP_copysign_f64;
    case CL_CVT:
        return is_float(in->op == OP_cvt_x ? in->mod >> MOD_CVT_DST & 15 : o->dst);
    case CL_SETP:
        if (in->op == OP_testp_f32 || in->op == OP_testp_f64)
            return true;
        return in->mod & (MOD_SET_REG & ~MOD_SET_U32) ||
               (is_float(o->src[0]) && !(in->mod & MOD_SET_U32));
    default:
        return false;
    }
}

/* Long because it is one table: the kind of each class. */
static u8 kind_of(const struct inst *in)
{
    switch (op_info[in->op].cls) {
    case CL_IADD:
    case CL_IMINMAX:
        return KIND_iadd;
    case CL_IMUL:
    case CL_IMAD:
        return mul_kind(in->op);
    case CL_IDIV:
    case CL_IREM:
        return KIND_idiv;
    case CL_FADD:
    case CL_FMINMAX:
        return KIND_fadd;
    case CL_FFMA:
        return KIND_fp;
    case CL_FMUL:
    case CL_FMAD:
        return KIND_fmul;
    case CL_FDIV:
        return KIND_fdiv;
    case CL_SFU:
        return sfu_kind(in->op);
    case CL_DADD:
    case CL_DMINMAX:
    case CL_DFMA:
        return KIND_dp;
    case CL_DMUL:
        return KIND_dmul;
    case CL_DDIV:
    case CL_DSFU:
        return KIND_ddiv;
    case CL_SHFL:
        return KIND_shfl;
    case CL_MMA:
        return KIND_mma;
    case CL_BRANCH:
    case CL_BARRIER:
        return KIND_branch;
    case CL_LD:
        return KIND_load;
    case CL_ST:
        return KIND_store;
    case CL_ATOM:
        return KIND_atom;
    case CL_TEX:
        return KIND_tex;
    default:
        return is_float_result(in) ? KIND_fother : KIND_other;
    }
}

/*
 * GPGPU-Sim's types: by the type that is written, of conversions, set and slct by that of the source;
 * control has none.
 */
static enum pipe pipe_of(const struct inst *in)
{
    const struct op_info *o = &op_info[in->op];

    switch (o->cls) {
    case CL_FADD:
    case CL_FMUL:
    case CL_FMAD:
    case CL_FFMA:
    case CL_FMINMAX:
        return PIPE_FP;
    case CL_BRANCH:
    case CL_BARRIER:
        return PIPE_FLOW;
    case CL_CVT:
        return is_float(cvt_source(in)) ? PIPE_FP : PIPE_INT;
    case CL_SETP:
        return is_float(o->src[0]) || is_float_result(in) ? PIPE_FP : PIPE_INT;
    case CL_MOV:
        if (in->op == OP_slct_32_f32 || in->op == OP_slct_64_f32)
            return PIPE_FP;
        return is_float_result(in) ? PIPE_FP : PIPE_INT;
    default:
        return is_float_result(in) ? PIPE_FP : PIPE_INT;
    }
}

static bool is_f64_arithmetic(u8 cls)
{
    return cls == CL_DADD || cls == CL_DMUL || cls == CL_DFMA || cls == CL_DMINMAX ||
           cls == CL_DDIV || cls == CL_DSFU;
}

/* Is the type that pipe_of goes by f64? */
static bool is_f64(const struct inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (o->cls == CL_CVT || o->cls == CL_SETP)
        return cvt_source(in) == OT_f64;
    if (in->op == OP_mov_64 || in->op == OP_selp_64)
        return in->mod & MOD_FLOAT;
    return o->dst == OT_f64;
}

/* .. where they meet on an SP cluster: as sm.sp_control and sm.sp_f64 want it. */
static enum pipe sp_pipe_of(const struct uop *u, const struct inst *in, const struct sm_conf *sm)
{
    enum { MIXED, FP, INT };
    enum pipe pipe = pipe_of(in);

    if (u->unit != UNIT_SP)
        return pipe;
    if (pipe == PIPE_FLOW)
        return sm->sp_control ? PIPE_INT : PIPE_FLOW;
    if (sm->sp_f64 == FP && is_f64_arithmetic(u->cls))
        return PIPE_FP;
    return sm->sp_f64 == INT && is_f64(in) ? PIPE_INT : pipe;
}

static u8 mem_bytes(const struct inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (o->form == FORM_ATOM)
        return (u8)opnd_type_bytes(in->mod >> MOD_ATOM_TYPE & 15);
    u32 n = mod_vec(in->mod);

    return (u8)(n * opnd_type_bytes(o->form == FORM_LD ? o->dst : o->src[1]));
}

static void set_memory(struct uop *u, const struct inst *in, const struct sm_conf *sm)
{
    const struct op_info *o = &op_info[in->op];

    u->unit = UNIT_MEM;
    u->space = o->space;
    switch (o->form) {
    case FORM_LD:
        u->flags |= UOP_LOAD;
        u->bytes = mem_bytes(in);
        break;
    case FORM_ST:
        u->flags |= UOP_STORE;
        u->bytes = mem_bytes(in);
        break;
    case FORM_ATOM:
        u->flags |= UOP_ATOM;
        u->bytes = mem_bytes(in);
        break;
    case FORM_COPY:
        u->flags |= UOP_LOAD;
        u->bytes = (u8)(4 * mod_vec(in->mod));
        break;
    case FORM_TEX:
        u->flags |= UOP_TEX;
        u->bytes = 4;
        break;
    default:
        u->flags |= UOP_FENCE;
    }
    if (u->flags & (UOP_LOAD | UOP_ATOM | UOP_TEX) && o->space != SP_SHARED)
        u->flags |= UOP_LONG;
    u->slow = u->flags & UOP_LONG && !(sm->const_wait && o->space == SP_CONST);
}

/*
 * What may touch the memory that an atomic of the warp is under way to, or tell others that it has
 * been performed.  Atomics stay in order by themselves.
 */
static bool after_atoms(const struct uop *u, const struct inst *in)
{
    if (in->op == OP_call || in->op == OP_callx || u->flags & (UOP_BARRIER | UOP_FENCE | UOP_TEX))
        return true;
    return u->flags & (UOP_LOAD | UOP_STORE) && (u->space == SP_GLOBAL || u->space == SP_GENERIC);
}

static u8 keeps(const struct uop *u, const struct inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (in->op >= OP_bra)
        return KEEPS_PLACE | (in->op != OP_bar ? KEEPS_FLOW : 0);
    if (o->flags & OPF_PIN)
        return KEEPS_PLACE;
    if (u->flags & UOP_ATOM || o->form == FORM_COPY)
        return KEEPS_ORDER;
    return u->flags & (UOP_LOAD | UOP_STORE) &&
                   (in->mod & MOD_VOLATILE || (in->mod >> MOD_CACHE & 7) == CACHE_CV)
               ? KEEPS_ORDER
               : 0;
}

static void set_kind(struct uop *u, const struct inst *in, const struct sm_conf *sm)
{
    const struct op_info *o = &op_info[in->op];

    if (o->cls == CL_LD || o->cls == CL_ST || o->cls == CL_ATOM || o->form == FORM_TEX ||
        o->cls == CL_FENCE) {
        if (in->op != OP_prefetch && in->op != OP_discard && in->op != OP_applypriority)
            set_memory(u, in, sm);
    } else if (in->op == OP_bar) {
        u->flags |= UOP_BARRIER;
    } else if (o->cls == CL_WAIT) {
        u->flags |= UOP_FENCE;
    }
    if (in->op >= OP_bra)
        u->flags |= UOP_CONTROL;
    u->after_atoms = after_atoms(u, in);
    u->keeps = keeps(u, in);
}

/* Pairs of rows are two places where registers are allocated, and one where each has its own. */
static u32 n_places(const struct reg_ref *r, u32 n_ref, bool lowered)
{
    u32 n = n_ref;

    for (u32 i = 0; i < n_ref; i++)
        n += r[i].kind == REG_64 && lowered;
    return n;
}

/* Once, however often the instruction names it: sm.war_readers counts instructions. */
static u8 add_place(u16 *to, u8 n, u32 place)
{
    for (u32 i = 0; i < n; i++)
        if (to[i] == place)
            return n;
    to[n] = (u16)place;
    return (u8)(n + 1);
}

static u8 add_places(u16 *to, u8 n, const struct reg_ref *r, u32 n_ref, bool preds, u32 n_row,
                     bool lowered)
{
    for (u32 i = 0; i < n_ref; i++) {
        if ((r[i].kind == REG_PRED) != preds)
            continue;
        n = add_place(to, n, r[i].id + (preds ? n_row : 0));
        if (r[i].kind == REG_64 && lowered)
            n = add_place(to, n, r[i].id + 1u);
    }
    return n;
}

static u8 add_banks(u8 *to, const struct reg_ref *r, u32 n_ref, u32 banks, bool lowered)
{
    u8 n = 0;

    for (u32 i = 0; i < n_ref; i++) {
        if (r[i].number < 0)
            continue;
        to[n++] = (u8)((u32)r[i].number % banks);
        if (r[i].kind == REG_64 && lowered)
            to[n++] = (u8)((u32)(r[i].number + 1) % banks);
    }
    return n;
}

static void set_regs(struct uop *u, const struct inst_regs *r, u32 n_row, u32 banks, bool lowered)
{
    ensure_here(n_places(r->use, r->n_use, lowered) <= UOP_REGS);
    ensure_here(n_places(r->def, r->n_def, lowered) <= UOP_DEFS);
    u8 n = add_places(u->use, 0, r->use, r->n_use, false, n_row, lowered);

    u->n_use_row = n;
    u->n_use = add_places(u->use, n, r->use, r->n_use, true, n_row, lowered);
    n = add_places(u->def, 0, r->def, r->n_def, false, n_row, lowered);
    u->n_def_row = n;
    u->n_def = add_places(u->def, n, r->def, r->n_def, true, n_row, lowered);
    u32 guard = r->guarded; /* the guard is looked up at issue, without a bank */

    u->n_read = add_banks(u->read, r->use + guard, r->n_use - guard, banks, lowered);
    u->n_write = add_banks(u->write, r->def, r->n_def, banks, lowered);
    u->n_operand = r->n_other;
}

static void add_counter(struct uop *u, size_t offset)
{
    ensure_here(u->n_count < LEN(u->count));
    u->count[u->n_count++] = (u16)(offset / sizeof(u64));
}

static void set_counters(struct uop *u)
{
    static const size_t of_unit[] = {
        [UNIT_SP] = offsetof(struct sm_stat, issued_sp),
        [UNIT_SFU] = offsetof(struct sm_stat, issued_sfu),
        [UNIT_DP] = offsetof(struct sm_stat, issued_dp),
        [UNIT_MEM] = offsetof(struct sm_stat, issued_mem),
        [UNIT_TENSOR] = offsetof(struct sm_stat, issued_tensor),
    };

    add_counter(u, of_unit[u->unit]);
    if (u->unit != UNIT_SP)
        return;
    if (u->pipe == PIPE_FP)
        add_counter(u, offsetof(struct sm_stat, issued_fp));
    if (u->pipe == PIPE_FP && (u->cls == CL_MOV || u->cls == CL_LOGIC))
        add_counter(u, offsetof(struct sm_stat, issued_fmove));
    if (u->pipe == PIPE_INT)
        add_counter(u, offsetof(struct sm_stat, issued_int));
    if (u->pipe == PIPE_INT && u->cls == CL_CVT && u->kind == KIND_fother)
        add_counter(u, offsetof(struct sm_stat, issued_itof));
}

struct uop *uop_decode(const struct program *p, const struct func *f, const struct sm_conf *sm,
                       const struct op_conf *op, u32 passes)
{
    struct uop *all = xcalloc_lines(p->n_inst + 1, sizeof all[0]);

    for (u32 pc = 0; pc < p->n_inst; pc++) {
        struct uop *u = &all[pc];
        const struct inst *in = &p->inst[pc];

        u->cls = op_info[in->op].cls;
        u->kind = kind_of(in);
        set_times(u, op, passes);
        u->pipe = (u8)sp_pipe_of(u, in, sm);
        if (u->cls == CL_MMA)
            set_tensor(u, in, op, words_of(sm, passes));
        set_kind(u, in, sm);
        set_regs(u, &p->regs[pc], f->rows, (u32)sm->banks, p->lowered);
        set_counters(u);
    }
    return all;
}

/* ---- hazards */

struct regs { /* that an instruction names, in its frame */
    const u16 *at;
    u32 n, n_row, frame;
};

static u32 place(const struct regs *r, u32 i)
{
    return r->at[i] + (i < r->n_row ? r->frame & 0xffff : r->frame >> 16);
}

static bool meet(struct regs a, struct regs b)
{
    for (u32 i = 0; i < a.n; i++)
        for (u32 k = 0; k < b.n; k++)
            if (place(&a, i) == place(&b, k))
                return true;
    return false;
}

u32 uop_hazards(const struct uop *u, u32 frame, const struct uop *before, u32 its_frame)
{
    struct regs use = {u->use, u->n_use, u->n_use_row, frame};
    struct regs def = {u->def, u->n_def, u->n_def_row, frame};
    struct regs used = {before->use, before->n_use, before->n_use_row, its_frame};
    struct regs made = {before->def, before->n_def, before->n_def_row, its_frame};

    return (meet(use, made) ? HAZARD_RAW : 0) | (meet(def, made) ? HAZARD_WAW : 0) |
           (meet(def, used) ? HAZARD_WAR : 0);
}

/* Places modulo 64, for a first look. */
static u64 some(const u16 *reg, u32 n)
{
    u64 s = 0;

    for (u32 i = 0; i < n; i++)
        s |= (u64)1 << (reg[i] & 63);
    return s;
}

void uop_find_waits(struct uop *all, u32 n)
{
    u64 *use = xcalloc(n + 1, sizeof *use), *def = xcalloc(n + 1, sizeof *def);

    for (u32 pc = 0; pc < n; pc++) {
        use[pc] = some(all[pc].use, all[pc].n_use), def[pc] = some(all[pc].def, all[pc].n_def);
        for (u32 d = 0; d < 64 && d < pc; d++) {
            u32 p = pc - 1 - d;

            u32 h = ((use[pc] | def[pc]) & def[p]) | (def[pc] & use[p])
                        ? uop_hazards(&all[pc], 0, &all[p], 0)
                        : 0;

            all[pc].waits |= (u64)(h != 0) << d;
            all[pc].reads |= (u64)(h & HAZARD_RAW ? 1 : 0) << d;
            all[pc].again |= (u64)(h & HAZARD_WAW ? 1 : 0) << d;
        }
    }
    free(use), free(def);
}
