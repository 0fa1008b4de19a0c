/*
 * log.h -- what the simulator says while it works: lines "smelt: ..." on stderr
 * and, if stderr is a terminal, one progress line that erases itself.
 *
 * Results never go through here.  Called from the main thread only.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/base.h"

enum log_level { LOG_QUIET, LOG_NORMAL };

void log_set_level(enum log_level level); /* LOG_NORMAL until told */
bool log_is_terminal(void);               /* stderr is one */

void log_warn(const char *fmt, ...) PRINTF(1, 2); /* "smelt: warning: ..", even if quiet */
void log_note(const char *fmt, ...) PRINTF(1, 2); /* unless quiet */

/*
 * Shows " 42% TEXT" in place of the last progress line, at most ten times a second, so it may be
 * called as often as convenient (it reads the clock, so not in the hot loop).  A fraction below 0
 * means unknown.  Any message above, or log_progress_end, erases the line.
 */
void log_progress(double fraction, const char *fmt, ...) PRINTF(2, 3);
void log_progress_end(void);

#endif
