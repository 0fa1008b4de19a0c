/* lanes.h -- the tables that exec_lane.c is compiled into, one per host instruction set */
#ifndef EXEC_LANES_H
#define EXEC_LANES_H

#include "exec/exec.h"

extern const lane_fn lanes_base[N_OP];
#ifdef SMELT_HAVE_X86_LANES
extern const lane_fn lanes_avx2[N_OP], lanes_avx512[N_OP];
#endif

#endif
