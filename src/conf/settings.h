/*
 * settings.h -- what a user asks of a run besides the program: GPU, keys, JSON, host options.
 *
 * The same settings come from three places, in the same words:
 *
 *     smelt run -g tiny --set sm.n_warp=8 --functional PROGRAM     the command line
 *     SMELT_ARGS="-g tiny --set sm.n_warp=8 --functional"          all of it in one variable
 *     SMELT_GPU=tiny SMELT_SET=sm.n_warp=8 SMELT_FUNCTIONAL=1      one by one
 *
 * The last two are for CUDA programs that are started without `smelt run`, which itself hands
 * its settings to the program in SMELT_ARGS.  SMELT_ARGS wins over the single variables.
 */
#ifndef CONF_SETTINGS_H
#define CONF_SETTINGS_H

#include "base/err.h"
#include "base/text.h"

#define SETTINGS_GPU "gtx480" /* unless told */
#define SETTINGS_LAUNCHES 1000

struct settings {
    char *gpu, *json;  /* json: NULL unless wanted */
    u64 json_launches; /* of each kernel, that have entries of their own: report.h */
    VEC(char *) set;   /* "sm.n_warp=8" */
    VEC(char *) mech;  /* "buddy:size=4", in the order in which they were said */
    bool functional, no_skip;
    bool check;
    bool quiet;                  /* no summary */
    bool lines;                  /* which lines of the program lost the cycles */
    u64 max_insts, max_cycles;   /* 0: no limit */
    u64 sample;                  /* counters every so many cycles, 0: not */
    u32 first_timed, last_timed; /* launches, from 1; 0: all */
    u32 threads;
    char *isa; /* NULL: the best this host has */
};

struct setting {
    const char *option;   /* "-g|--gpu" */
    const char *variable; /* "SMELT_GPU" */
    bool has_value;       /* else a flag: a variable's value is 1 or 0 */
    bool (*take)(struct settings *s, const char *value, struct err *e);
};

extern const struct setting setting_row[];
extern const u32 n_setting;

void settings_init(struct settings *s);
void settings_free(struct settings *s);

/* From the environment, as above; to be freed also if it fails. */
bool settings_from_env(struct settings *s, struct err *e);

/* Its paths from the root: a program may change its folder before they are used. */
void settings_absolute(struct settings *s);

/* The text for SMELT_ARGS, to be freed. */
char *settings_text(const struct settings *s);

/* Do they go together? */
bool settings_check(const struct settings *s, struct err *e);

#endif
