/* html_run.h -- the parts of a run's page: html_run.c writes it, html_run_figures.c has its figures. */
#ifndef PAGE_HTML_RUN_H
#define PAGE_HTML_RUN_H

#include "page/html_numbers.h"

enum { RUN_STALLS, RUN_ENERGY, RUN_CACHES, RUN_DRAM, RUN_LATENCY, N_RUN_FIGURE };

struct html_run {
    struct html h;
    const char *path;
    char *title;
    struct json_value *run; /* without its launches: kernels */
    struct json_slices kernels;
    struct figure figure[N_RUN_FIGURE]; /* one without rows is not shown */
};

void html_run_measure(struct html_run *p); /* fills the figures; p->run may be NULL */
bool html_run_figures(struct html_run *p, struct err *e);

#endif
