/*
 * study.h -- a study: which runs, what is measured of them, how it is shown, what a paper says.
 *
 *     struct study *s = study_load("studies/gates.lua", &options, &e);     declares, runs nothing
 *     runner_run(store, s->point.at, s->point.n, ..);
 *     study_evaluate(s, store, &e);                                        figures, targets, claims
 *     study_write(s, "out", &e);                                           CSV, SVG
 *     html_write(s, st, "out", &e);                                        report.html (page/html.h)
 *     study_free(s);
 *
 * A study file is Lua 5.4 in a box: no files, processes, network, clock or random numbers, a limit of
 * instructions and of memory, what it makes of these included; the same file and results give the same
 * bytes.  Executables among its programs are run only if the command says so (allow.h).  What it may
 * call is in docs/STUDIES.md.  It is read once, and declares; functions that it hands over (metrics, rows of
 * figures, claims) are called when the runs are there.
 *
 * `smelt sweep --vary` makes the same struct without a file (sweep.c).
 */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "figure/figure.h"
#include "runs/point.h"
#include "store/store.h"
#include "study/allow.h"

struct study_options {
    bool quick, large;
    const char *const *define; /* NAME=VALUE of -D: options.NAME in the file */
    u32 n_define;
    const struct allow *allow; /* lives as long as the study; NULL: no executables */
};

/* What the paper has and what we have; of a claim, only its text. */
struct study_target {
    char *where; /* "Fig. 9a", "7.3" */
    char *what;  /* a quantity, or a sentence */
    char *unit;
    double paper, ours; /* NAN: none */
    char *here;         /* what was measured, as a text; NULL: `ours` */
    char *check;        /* how it is judged: "sign", "order", "within 5", "claim" */
    bool met;
};

/* How many of them there are, and how many are met. */
struct study_score {
    u32 targets, targets_met;
    u32 claims, claims_met;
};

struct study_number { /* that pages quote */
    char *name;
    double value;
};

struct study_file { /* a text that the study makes of its results: DIR/NAME.txt */
    char *name, *text;
};

struct study_series { /* runs that differ in the program alone */
    char *label;
    VEC(u32) point;
    VEC(char *) program; /* labels, one for each point */
    u32 base;            /* another series, or its own number */
};

struct lua_State;

struct study {
    char *name, *title, *doc, *path;
    VEC(struct point) point;
    VEC(struct study_series) series;
    VEC(struct figure) figure; /* from here on: after study_evaluate */
    VEC(struct study_target) target;
    VEC(struct study_number) number;
    VEC(struct study_file) file;
    VEC(char *) absent;    /* "KERNEL of PROGRAM ARGS" that was not launched: it has no value */
    struct lua_State *lua; /* or NULL: made by sweep.c */
};

struct study *study_load(const char *path, const struct study_options *o, struct err *e);
bool study_evaluate(struct study *s, struct store *st, struct err *e);
void study_free(struct study *s);

/* Notes, once, that the program of the point did not launch a kernel that it has. */
void study_add_absence(struct study *s, u32 point, const char *kernel);

/* Takes a checked point over; its number, the same for the same key. */
u32 study_add_point(struct study *s, struct point *p);

/*
 * DIR/NAME.csv, .md and .svg of each figure, NAME.txt of each text, targets.csv and numbers.csv (all
 * tables and numbers, for pages: summary.h).
 */
bool study_write(const struct study *s, const char *dir, struct err *e);

bool study_is_claim(const struct study_target *t); /* a sentence, not a number or an order */
struct study_score study_score(const struct study *s);

/* A bundled study's file (studies/NAME.lua), to be freed, or NULL; and their names. */
char *study_find(const char *name, struct err *e);
u32 study_names(char ***name); /* sorted; freed with text_split_free */

#endif
