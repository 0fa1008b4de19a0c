/*
 * spec_type.h -- the words that spec_*.inc are written in, for SPEC_BITS 32 or 64.
 *
 * To be included anew by every spec_*.c, for all of the library is one unit on the device.
 */
#include "toolkit/math/spec.h"
#include "toolkit/math/spec_poly.h"

#undef REAL
#undef NV
#undef OWN
#undef FMA
#undef ADD
#undef MUL
#undef DIV
#undef RCP
#undef SQRT
#undef ABS
#undef RINT
#undef NEGATIVE
#undef EXP2
#undef POLY
#undef INF
#undef NOT_A_NUMBER

#if SPEC_BITS == 32
#define REAL f32
#define NV(fn) __nv_##fn##f
#define OWN(name) spec32_##name
#define FMA fma32
#define ADD add32
#define MUL mul32
#define DIV div32
#define RCP rcp32
#define SQRT sqrt32
#define ABS abs32
#define RINT rint32
#define NEGATIVE(x) ((s32)bits32(x) < 0)
#define EXP2 ex2_approx
#else
#define REAL f64
#define NV(fn) __nv_##fn
#define OWN(name) spec64_##name
#define FMA fma64
#define ADD add64
#define MUL mul64
#define DIV div64
#define RCP rcp64
#define SQRT sqrt64
#define ABS abs64
#define RINT rint64
#define NEGATIVE(x) ((s64)bits64(x) < 0)
#define EXP2 __nv_exp2
#endif

#define POLY(x, name) OWN(poly)(x, OWN(name), (s32)(sizeof OWN(name) / sizeof *OWN(name)))
#define INF ((REAL)__builtin_inff())
#define NOT_A_NUMBER ((REAL)__builtin_nanf(""))
