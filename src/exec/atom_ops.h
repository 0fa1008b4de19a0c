/* atom_ops.h -- what an atomic operation makes of the old value and its operands */
#ifndef EXEC_ATOM_OPS_H
#define EXEC_ATOM_OPS_H

#include "exec/lane_ops.h"

#define ATOM_INT(T, U)                                                                             \
    static inline U atom_##T(u32 op, U old_, U b_, U c_)                                           \
    {                                                                                              \
        T old = (T)old_, b = (T)b_;                                                                \
        switch (op) {                                                                              \
        case ATOM_ADD:                                                                             \
            return old_ + b_;                                                                      \
        case ATOM_MIN:                                                                             \
            return (U)(old < b ? old : b);                                                         \
        case ATOM_MAX:                                                                             \
            return (U)(old > b ? old : b);                                                         \
        case ATOM_INC:                                                                             \
            return old_ >= b_ ? 0 : old_ + 1;                                                      \
        case ATOM_DEC:                                                                             \
            return old_ == 0 || old_ > b_ ? b_ : old_ - 1;                                         \
        case ATOM_AND:                                                                             \
            return old_ & b_;                                                                      \
        case ATOM_OR:                                                                              \
            return old_ | b_;                                                                      \
        case ATOM_XOR:                                                                             \
            return old_ ^ b_;                                                                      \
        case ATOM_CAS:                                                                             \
            return old_ == b_ ? c_ : old_;                                                         \
        default:                                                                                   \
            return b_;                                                                             \
        }                                                                                          \
    }

ATOM_INT(u32, u32)
ATOM_INT(s32, u32)
ATOM_INT(u64, u64)
ATOM_INT(s64, u64)

/* When neither arrivals nor transactions are pending a phase ends; the next one expects who is left. */
static inline u64 mbar_arrive(u64 old, u64 b, bool drop)
{
    u64 n = b & UINT32_MAX, tx = ((old >> MBAR_TX) + (b >> 32)) & MBAR_TX_COUNT;
    u64 pending = (old - n) & MBAR_COUNT, expected = old >> MBAR_BITS & MBAR_COUNT;
    u64 phase = old >> MBAR_PHASE;
    bool ends = !pending && !tx;

    expected = drop ? (expected - n) & MBAR_COUNT : expected;
    return (phase + ends) << MBAR_PHASE | tx << MBAR_TX | expected << MBAR_BITS |
           (ends ? expected : pending);
}

/* atom.add.f32 flushes subnormals in global memory and keeps them in shared (PTX ISA, atom). */
static inline u32 atom_add_f32(f32 old, f32 b, u32 space)
{
    return raw_f32(space == SP_SHARED ? old + b : ftz(ftz(old) + ftz(b)));
}

/* Types of 16 bits have .add.noftz only, but .b16 has cas: its type is u16. */
static inline u64 atom_result(u32 op, u32 type, u32 space, u64 old, u64 b, u64 c)
{
    switch (type) {
    case OT_u16:
        return atom_u32(op, (u16)old, (u16)b, (u16)c);
    case OT_f16:
        return f16_add((u16)old, (u16)b, 0);
    case OT_bf16:
        return bf16_add((u16)old, (u16)b, 0);
    case OT_f16x2:
        return HALVES2(f16_add, (u32)old, (u32)b, 0);
    case OT_bf16x2:
        return HALVES2(bf16_add, (u32)old, (u32)b, 0);
    case OT_s32:
        return atom_s32(op, (u32)old, (u32)b, (u32)c);
    case OT_u64:
        return op >= ATOM_ARRIVE ? mbar_arrive(old, b, op == ATOM_DROP) : atom_u64(op, old, b, c);
    case OT_s64:
        return atom_s64(op, old, b, c);
    case OT_f32:
        return atom_add_f32(flt32((u32)old), flt32((u32)b), space);
    case OT_f64:
        return bits64(nan64(flt64(old) + flt64(b), flt64(old), flt64(b), 0));
    default:
        return atom_u32(op, (u32)old, (u32)b, (u32)c);
    }
}

#undef ATOM_INT

#endif
