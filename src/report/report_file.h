/*
 * report_file.h -- a JSON file that grows by entries and is whole after each of them.
 *
 *     head  entry  entry  entry | closing part
 *                               at
 *
 * A new entry and a new closing part take the place of the old closing part in one write, so that
 * an entry costs the same whether it is the first or the millionth.  Room for it is made before:
 * on a full disk the file stays as it was.  New files are written beside the old one and renamed.
 *
 * One write is not one step for whoever kills the process.  So before it, the same bytes go as a
 * note to whoever will look after the file (`smelt run`: memory of its own), who can complete it.
 *
 * The descriptor is kept, high up, but it lives in other people's programs, which may close it and
 * open something else: it is only used if it still is our file.  If the path leads to another file
 * by now, ours is put there again.  What cannot be grown (a pipe; "-" is standard output) gets all
 * at the end, from a nameless file in $TMPDIR.
 */
#ifndef REPORT_REPORT_FILE_H
#define REPORT_REPORT_FILE_H

#include <sys/types.h>

#include "base/base.h"
#include "base/err.h"

struct report_file {
    char *path; /* NULL before report_file_begin */
    int fd;
    dev_t dev;
    ino_t inode;
    u64 at;        /* where the closing part begins */
    char *closing; /* as it is in the file */
    size_t len;    /* of it */
    size_t room;   /* from `at` to the end of the file: len and blanks */
    bool spool;    /* nameless; `path` is written at the end, once */
    bool delivered;
    int (*notes)(void); /* opens the file of notes; -1, or NULL: nobody wants them */
};

/* On failure a file of that name is as it was, and `f` not begun. */
bool report_file_begin(struct report_file *f, const char *path, const char *head,
                       const char *closing, struct err *e);

/* Adds entries ("": none).  On failure the file is as it was, and can be tried again. */
bool report_file_grow(struct report_file *f, const char *entries, const char *closing,
                      struct err *e);

/* Nothing more comes: what there is goes to the disk, or where a spool belongs. */
bool report_file_end(struct report_file *f, struct err *e);
void report_file_free(struct report_file *f);

/*
 * What a file should be by the last note, if the file is still the one that it is about: true, and
 * f has `at` and `closing`; they may not be in the file.
 */
bool report_file_noted(struct report_file *f, const char *path, int notes);
bool report_file_is_there(const struct report_file *f); /* its path still leads to it */
bool report_file_has_closing(const struct report_file *f);

/* Puts a file of the first f->at bytes and this closing part in its place. */
bool report_file_replace(struct report_file *f, const char *closing, struct err *e);

#endif
