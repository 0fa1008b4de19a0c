/*
 * paper.h -- the figures of a paper, each from one command: smelt reproduce NAME.
 *
 * A paper is a function that names its runs (points.h), has them made, and writes a CSV file and a
 * picture for each figure (figure.h) into the folder.  `quick` leaves out what takes long, `large`
 * takes the programs' large sizes.
 */
#ifndef STUDY_PAPER_H
#define STUDY_PAPER_H

#include "base/base.h"
#include "base/err.h"

struct paper_options {
    const char *dir;
    u32 jobs;
    bool quick, large;
};

struct paper {
    const char *name, *doc;
    bool (*reproduce)(const struct paper_options *o, struct err *e);
};

extern const struct paper paper_gates;

#endif
