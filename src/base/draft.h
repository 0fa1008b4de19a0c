/*
 * draft.h -- a file that appears under its name when it is whole.
 *
 *     char *draft;
 *     FILE *f = draft_open("out.json", &draft);       out.json.PID.tmp, or NULL and errno
 *     ..
 *     int lock = draft_hold(f);
 *     fclose(f), rename(draft, "out.json"), free(draft);
 *     close(lock);                                    if not negative
 *
 * A process that is killed leaves its draft behind; the next one that opens a draft of the same
 * file removes it.  Whether a draft still has a writer is told by the lock on it, not by the number
 * of the process, which may be one of another container, or another's by now.
 */
#ifndef BASE_DRAFT_H
#define BASE_DRAFT_H

#include <stdio.h>

#include "base/base.h"
#include "base/err.h"

FILE *draft_open(const char *path, char **draft);

/* The file once more: the draft is not for others until this is closed. */
int draft_hold(FILE *f);

/* All of these steps for a text that is there: "PATH: No space left on device" if one fails. */
bool draft_write(const char *path, const char *text, size_t len, struct err *e);

#endif
