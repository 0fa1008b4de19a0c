/*
 * lines.h -- which lines of the program lost the cycles (smelt run --lines).
 *
 * A cycle in which a scheduler issues nothing is charged to the instruction that the oldest warp
 * concerned would issue next.  Cycles without such a warp (no warp on board, all have ended) belong
 * to no line: lines.elsewhere.  All together they are scheduler_cycles - issued.
 *
 * SMs count per pc and reason while a launch runs (sm.line_stall, line_issued); here the sums over SMs
 * and launches are kept per program, and shown by line: of the CUDA source if the PTX names it, else of
 * the PTX.
 */
#ifndef GPU_LINES_H
#define GPU_LINES_H

#include "base/json.h"
#include "gpu/device.h"

struct lines {
    u32 n_prog;
    struct line_counts {
        const struct program *prog;
        u64 (*stalled)[N_STALL]; /* per pc and reason */
        u64 *issued;             /* per pc */
    } * at;
    u64 elsewhere;
};

void lines_begin(struct device *d, const struct program *p); /* before the SMs begin a launch */
void lines_end(struct device *d, const struct program *p, const struct counters *c);
void lines_free(struct lines *s);

/* Members "lines" and "elsewhere" of the result; all lines with counts, the worst first. */
void lines_json(const struct device *d, struct json *j);

/* A table of the worst on stderr. */
void lines_say(const struct device *d);

#endif
