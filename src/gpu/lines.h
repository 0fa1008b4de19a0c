/*
 * lines.h -- which lines of the program lost the cycles (smelt run --lines).
 *
 * A cycle in which a scheduler issues nothing is charged to the instruction that the oldest warp
 * concerned would issue next.  Cycles without such a warp (no warp on board, all have ended) belong
 * to no line: lines.elsewhere.  All together they are scheduler_cycles - issued.
 *
 * SMs count per pc and reason for each kernel on board (board.line); here the sums over SMs and
 * launches are kept per program, and shown by line: of the CUDA source if the PTX names it, else of
 * the PTX.  So a cycle of an SM that several kernels share is that line's which is to blame, of
 * whichever kernel; what launches get of such cycles in their own accounts is divided (overlap.h).
 */
#ifndef GPU_LINES_H
#define GPU_LINES_H

#include "base/json.h"
#include "gpu/device.h"
#include "sm/front/front.h"

struct lines {
    u32 n_prog;
    struct line_counts {
        const struct program *prog;
        u64 (*stalled)[N_STALL]; /* per pc and reason */
        u64 *issued;             /* per pc */
    } * at;
    u64 elsewhere;
};

void lines_begin(struct device *d, const struct program *p); /* before a launch of it begins */

/* Kernel k comes on board of a front end, and leaves it: the cycles that its lines have lost there. */
void lines_enter(const struct program *p, struct front *fe, u32 k);
u64 lines_leave(struct device *d, const struct program *p, struct front *fe, u32 k);

/* Of a launch with these counts its lines have lost so much. */
void lines_end(struct device *d, const struct counters *c, u64 lost);
void lines_free(struct lines *s);

/* Members "lines" and "elsewhere" of the result; all lines with counts, the worst first. */
void lines_json(const struct device *d, struct json *j);

/* A table of the worst on stderr. */
void lines_say(const struct device *d);

#endif
