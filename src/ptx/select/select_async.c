/*
 * select_async.c -- asynchronous copies, and barriers in memory
 *
 * An mbarrier is 64 bits of shared memory (inst.h, MBAR_*), and its instructions are loads, stores and
 * atomics of it: the state that an arrival returns is what the barrier was before.
 */
#include "ptx/select/select_int.h"

#include <assert.h>
#include <string.h>

#define O(k) (&s->in->opnd[k])

static bool next_shared(struct sel *s, u32 *at)
{
    return sel_next_is(s, at, "shared") || sel_next_is(s, at, "shared::cta");
}

static void emit_wait(struct sel *s, s64 but)
{
    sel_emit(s, OP_cp_async_wait)->imm = but;
}

static u32 to_64_bits(struct sel *s, u32 opnd)
{
    if (!ir_is_reg(opnd))
        return opnd;
    struct ir_inst *in = sel_emit(s, OP_cvt_u64_u32);

    in->src[0] = opnd;
    return in->dst[0] = ir_reg(s->f, IRC_64);
}

/* ---- cp.async */

/* A global address as a register and an offset of 32 bits. */
static bool copy_source(struct sel *s, const struct ptx_opnd *o, u32 *reg, s64 *off)
{
    u32 base;
    bool addr32, frame;
    s64 imm;

    if (!sel_addr(s, o, PS_GLOBAL, &base, &imm, &addr32, &frame))
        return false;
    *off = base != IR_NONE && imm == (s32)imm ? imm : 0;
    *reg = base != IR_NONE && addr32 ? to_64_bits(s, base) : base;
    if (*off == imm && base != IR_NONE)
        return true;
    struct ir_inst *in = sel_emit(s, base == IR_NONE ? OP_mov_64 : OP_add_64);

    in->src[0] = base == IR_NONE ? ir_imm(s->f, (u64)imm) : *reg;
    in->src[1] = base == IR_NONE ? IR_NONE : ir_imm(s->f, (u64)imm);
    *reg = in->dst[0] = ir_reg(s->f, IRC_64);
    return true;
}

/* .L2::128B and the like; with .L2::cache_hint a policy is the last operand, which nothing here follows. */
static bool copy_hints(struct sel *s, u32 *at, bool *policy)
{
    while (*at < s->in->n_suf && !strncmp(s->in->suf[*at], "L2::", 4))
        *policy |= !strcmp(s->in->suf[(*at)++], "L2::cache_hint");
    return *at == s->in->n_suf;
}

static bool copy_suffixes(struct sel *s, u32 at, bool *cg, bool *policy)
{
    *cg = sel_next_is(s, &at, "cg");
    if ((*cg || sel_next_is(s, &at, "ca")) && next_shared(s, &at) &&
        sel_next_is(s, &at, "global") && copy_hints(s, &at, policy))
        return true;
    return sel_fail(
        s, s->in->col,
        "cp.async is written cp.async.ca|cg.shared.global [to], [from], 4|8|16 (.cg: 16)");
}

/* How many bytes are read, or a predicate: none. */
static bool copy_amount(struct sel *s, const struct ptx_opnd *o, struct ir_inst *as)
{
    if (o->kind == PO_REG && s->pf->reg[o->reg].type == PT_PRED)
        return sel_pred(s, o, &as->psrc, &as->psrc_not);
    return sel_src(s, o, PT_U32, &as->src[2]);
}

static bool select_copy(struct sel *s, u32 at)
{
    struct ir_inst as = {.psrc = IR_NONE, .src = {IR_NONE, IR_NONE, IR_NONE}};
    bool cg, policy = false, addr32, frame;
    u32 hint;
    s64 to, from;

    if (!copy_suffixes(s, at, &cg, &policy) || !sel_count(s, 3 + policy, 4 + policy))
        return false;
    u64 bytes = O(2)->kind == PO_INT ? O(2)->imm : 0;

    if (bytes != 16 && (cg || (bytes != 4 && bytes != 8)))
        return sel_fail(s, O(2)->col, "cp.async.%s copies %s bytes, a constant", cg ? "cg" : "ca",
                        cg ? "16" : "4, 8 or 16");
    if (!sel_addr(s, O(0), PS_SHARED, &as.src[0], &to, &addr32, &frame) ||
        !copy_source(s, O(1), &as.src[1], &from) ||
        (s->in->n_opnd > 3u + policy && !copy_amount(s, O(3), &as)) ||
        (policy && !sel_src(s, O(s->in->n_opnd - 1), PT_B64, &hint)))
        return false;
    struct ir_inst *in = sel_emit(s, OP_cp_async);

    in->mod =
        (u16)(bytes / 4 | (addr32 ? MOD_ADDR32 : 0) | (cg ? CACHE_CG : CACHE_CA) << MOD_CACHE);
    in->imm = (s64)((u64)(u32)to | (u64)from << 32);
    memcpy(in->src, as.src, 3 * sizeof as.src[0]);
    in->psrc = as.psrc, in->psrc_not = as.psrc_not;
    return true;
}

static bool wait_group(struct sel *s)
{
    if (!sel_count(s, 1, 1))
        return false;
    if (O(0)->kind != PO_INT || (s64)O(0)->imm < 0 || O(0)->imm > INT32_MAX)
        return sel_fail(s, O(0)->col,
                        "cp.async.wait_group: a constant is needed: the groups that may be left");
    emit_wait(s, (s64)O(0)->imm);
    return true;
}

/* ---- mbarrier */

struct mbar { /* where it is */
    enum ptx_space space;
    u32 base;
    s64 imm;
    bool addr32;
};

static bool mbar_at(struct sel *s, const struct ptx_opnd *o, bool shared, struct mbar *b)
{
    bool frame;

    b->space = shared ? PS_SHARED : PS_NONE;
    return sel_addr(s, o, b->space, &b->base, &b->imm, &b->addr32, &frame);
}

static void mbar_access(struct sel *s, const struct mbar *b, bool load, u32 reg)
{
    s->s.type[0] = PT_B64, s->s.vec = 1;
    struct ir_inst *in = sel_emit_access(s, b->space, load, &reg, true);

    in->src[0] = b->base, in->imm = b->imm;
    in->mod |= (u16)((b->addr32 ? MOD_ADDR32 : 0) | MOD_VOLATILE);
}

static void mbar_arrive(struct sel *s, const struct mbar *b, bool drop, u32 count, u32 dst)
{
    bool shared = b->space == PS_SHARED;
    enum op op = dst == IR_NONE ? shared ? OP_red_shared : OP_red_generic
                 : shared       ? OP_atom_shared
                                : OP_atom_generic;
    struct ir_inst *in = sel_emit(s, op);

    in->mod = (u16)((drop ? ATOM_DROP : ATOM_ARRIVE) | OT_u64 << MOD_ATOM_TYPE |
                    (b->addr32 ? MOD_ATOM_ADDR32 : 0));
    in->dst[0] = dst, in->src[0] = b->base, in->src[1] = count, in->imm = b->imm;
}

/* Behind what it does, a barrier's instructions have order and scope, space and type. */
static bool mbar_words(struct sel *s, u32 at, bool *shared)
{
    static const char *const order[] = {"release", "acquire", "relaxed", "cta", "cluster"};

    for (u32 i = 0; i < LEN(order); i++)
        sel_next_is(s, &at, order[i]);
    *shared = next_shared(s, &at);
    if (sel_next_is(s, &at, "b64") && at == s->in->n_suf)
        return true;
    return sel_fail(s, s->in->col,
                    "%s: no such form; there are init, inval, arrive, arrive_drop (and "
                    ".noComplete, .expect_tx), expect_tx, complete_tx, test_wait, "
                    "try_wait (and .parity) and pending_count of .shared.b64",
                    s->in->name);
}

static bool mbar_init(struct sel *s, u32 at)
{
    u32 count, value;
    struct mbar b;
    bool shared;

    if (!mbar_words(s, at, &shared) || !sel_count(s, 2, 2) || !mbar_at(s, O(0), shared, &b) ||
        !sel_src(s, O(1), PT_U32, &count))
        return false;
    struct ir_inst *in = sel_emit(s, OP_mul_wide_u32); /* pending and expected */

    in->src[0] = count, in->src[1] = ir_imm(s->f, 1u | 1u << MBAR_BITS);
    value = in->dst[0] = ir_reg(s->f, IRC_64);
    mbar_access(s, &b, false, value);
    return true;
}

static bool mbar_inval(struct sel *s, u32 at)
{
    struct mbar b;
    bool shared;

    if (!mbar_words(s, at, &shared) || !sel_count(s, 1, 1) || !mbar_at(s, O(0), shared, &b))
        return false;
    mbar_access(s, &b, false, ir_imm(s->f, 0));
    return true;
}

static u32 emit2(struct sel *s, enum op op, enum ir_class cls, u32 a, u32 b)
{
    struct ir_inst *in = sel_emit(s, op);

    in->src[0] = a, in->src[1] = b;
    return in->dst[0] = ir_reg(s->f, cls);
}

static u64 immediate_of(struct sel *s, u32 opnd)
{
    assert(!ir_is_reg(opnd));
    return s->f->imm[opnd & ~IR_IMM];
}

/* What ATOM_ARRIVE takes, of how many arrive (a constant) and a change of the tx-count. */
static u32 mbar_change(struct sel *s, u64 arrive, u32 tx)
{
    if (!ir_is_reg(tx))
        return ir_imm(s->f, arrive | immediate_of(s, tx) << 32);
    struct ir_inst *in = sel_emit(s, OP_pack);

    in->mod = 2 | 4 << 4; /* two of four bytes */
    in->src[0] = ir_imm(s->f, arrive), in->src[1] = tx;
    return in->dst[0] = ir_reg(s->f, IRC_64);
}

/* mbarrier.arrive.expect_tx: more is expected, then one arrives, at once. */
static bool mbar_arrive_tx(struct sel *s, u32 at, bool drop)
{
    u32 tx, dst;
    struct mbar b;
    bool shared;

    if (!mbar_words(s, at, &shared) || !sel_count(s, 3, 3) || !mbar_at(s, O(1), shared, &b) ||
        !sel_src(s, O(2), PT_U32, &tx) || !sel_dst_or_none(s, O(0), PT_B64, &dst))
        return false;
    mbar_arrive(s, &b, drop, mbar_change(s, 1, tx), dst);
    return true;
}

static bool mbar_tx(struct sel *s, u32 at, bool complete)
{
    u32 tx;
    struct mbar b;
    bool shared;

    if (!mbar_words(s, at, &shared) || !sel_count(s, 2, 2) || !mbar_at(s, O(0), shared, &b) ||
        !sel_src(s, O(1), PT_U32, &tx))
        return false;
    if (complete && ir_is_reg(tx))
        tx = emit2(s, OP_sub_32, IRC_32, ir_imm(s->f, 0), tx);
    else if (complete)
        tx = ir_imm(s->f, 0u - (u32)immediate_of(s, tx));
    mbar_arrive(s, &b, false, mbar_change(s, 0, tx), IR_NONE);
    return true;
}

static bool mbar_arrival(struct sel *s, u32 at, bool drop)
{
    if (sel_next_is(s, &at, "expect_tx"))
        return mbar_arrive_tx(s, at, drop);
    u32 count = ir_imm(s->f, 1), dst;
    struct mbar b;
    bool shared;

    sel_next_is(s, &at, "noComplete"); /* a promise */
    if (!mbar_words(s, at, &shared) || !sel_count(s, 2, 3) || !mbar_at(s, O(1), shared, &b) ||
        (s->in->n_opnd > 2 && !sel_src(s, O(2), PT_U32, &count)) ||
        !sel_dst_or_none(s, O(0), PT_B64, &dst))
        return false;
    mbar_arrive(s, &b, drop, to_64_bits(s, count), dst);
    return true;
}

static u32 phase_of(struct sel *s, u32 state)
{
    return emit2(s, OP_cvt_u32_u64, IRC_32,
                 emit2(s, OP_shr_u64, IRC_64, state, ir_imm(s->f, MBAR_PHASE)), IR_NONE);
}

/*
 * The phase of a state, or the one of a parity that is or has just been: has it ended?
 * MODEL: try_wait, which may wait for a while, answers at once.
 */
static bool mbar_test(struct sel *s, u32 at, bool may_wait)
{
    bool parity = sel_next_is(s, &at, "parity"), shared;
    u32 p, state, hint, now = ir_reg(s->f, IRC_64);
    struct mbar b;

    if (!mbar_words(s, at, &shared) || !sel_count(s, 3, may_wait ? 4 : 3) ||
        !mbar_at(s, O(1), shared, &b) || !sel_src(s, O(2), parity ? PT_U32 : PT_B64, &state) ||
        (s->in->n_opnd > 3 && !sel_src(s, O(3), PT_U32, &hint)) || !sel_pred_dst(s, O(0), &p))
        return false;
    mbar_access(s, &b, true, now);
    now = phase_of(s, now), state = parity ? state : phase_of(s, state);
    u32 differ = emit2(s, OP_xor_32, IRC_32, now, state);

    if (parity)
        differ = emit2(s, OP_and_32, IRC_32, differ, ir_imm(s->f, 1));
    struct ir_inst *in = sel_emit(s, OP_setp_ne_u32);

    in->pdst = p, in->src[0] = differ, in->src[1] = ir_imm(s->f, 0);
    return true;
}

static bool mbar_pending(struct sel *s, u32 at)
{
    u32 state, dst;

    if (!sel_next_is(s, &at, "b64") || at != s->in->n_suf)
        return sel_fail(s, s->in->col,
                        "mbarrier.pending_count is written mbarrier.pending_count.b64 n, state");
    if (!sel_count(s, 2, 2) || !sel_src(s, O(1), PT_B64, &state) || !sel_dst(s, O(0), PT_U32, &dst))
        return false;
    u32 low = emit2(s, OP_cvt_u32_u64, IRC_32, state, IR_NONE);
    struct ir_inst *in = sel_emit(s, OP_and_32);

    in->dst[0] = dst, in->src[0] = low, in->src[1] = ir_imm(s->f, MBAR_COUNT);
    return true;
}

static bool sel_mbarrier(struct sel *s)
{
    u32 at = 0;

    if (sel_next_is(s, &at, "init"))
        return mbar_init(s, at);
    if (sel_next_is(s, &at, "inval"))
        return mbar_inval(s, at);
    if (sel_next_is(s, &at, "arrive"))
        return mbar_arrival(s, at, false);
    if (sel_next_is(s, &at, "arrive_drop"))
        return mbar_arrival(s, at, true);
    if (sel_next_is(s, &at, "expect_tx"))
        return mbar_tx(s, at, false);
    if (sel_next_is(s, &at, "complete_tx"))
        return mbar_tx(s, at, true);
    if (sel_next_is(s, &at, "test_wait"))
        return mbar_test(s, at, false);
    if (sel_next_is(s, &at, "try_wait"))
        return mbar_test(s, at, true);
    if (sel_next_is(s, &at, "pending_count"))
        return mbar_pending(s, at);
    bool shared;

    return mbar_words(s, at, &shared);
}

/*
 * The barrier hears of the copies of the thread when they are there.
 * MODEL: the warp waits for them first; without .noinc an arrival is expected for this one, which cancels it.
 */
static bool copy_arrive(struct sel *s, u32 at)
{
    struct mbar b;
    bool noinc = sel_next_is(s, &at, "noinc"), shared;

    if (!mbar_words(s, at, &shared) || !sel_count(s, 1, 1) || !mbar_at(s, O(0), shared, &b))
        return false;
    emit_wait(s, -1);
    if (noinc)
        mbar_arrive(s, &b, false, ir_imm(s->f, 1), IR_NONE);
    return true;
}

static bool sel_cp(struct sel *s)
{
    u32 at = 0;

    if (!sel_next_is(s, &at, "async"))
        return sel_fail(s, s->in->col, "cp is written cp.async");
    if (sel_next_is(s, &at, "bulk"))
        return sel_fail(s, s->in->col,
                        "cp.async.bulk (copies by a unit of its own) is not supported");
    if (sel_next_is(s, &at, "mbarrier"))
        return sel_next_is(s, &at, "arrive") ? copy_arrive(s, at)
                                             : mbar_words(s, at, &(bool){false});
    if (at + 1 == s->in->n_suf && sel_next_is(s, &at, "commit_group"))
        return sel_count(s, 0, 0) && sel_emit(s, OP_cp_async_commit);
    if (at + 1 == s->in->n_suf && sel_next_is(s, &at, "wait_group"))
        return wait_group(s);
    if (at + 1 == s->in->n_suf && sel_next_is(s, &at, "wait_all"))
        return sel_count(s, 0, 0) && (emit_wait(s, -1), true);
    return select_copy(s, at);
}

const struct sel_op sel_async[] = {
    {"cp", sel_cp, S_OWN, 0, 0, 0, 5},
    {"mbarrier", sel_mbarrier, S_OWN, 0, 0, 0, 4},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
