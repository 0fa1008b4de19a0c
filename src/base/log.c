#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

static enum log_level level = LOG_NORMAL;
static bool shown;      /* a progress line is on the screen */
static u64 shown_at_ms; /* when it was written */

void log_set_level(enum log_level to)
{
    level = to;
}

bool log_is_terminal(void)
{
    static int known = -1;
    if (known < 0)
        known = isatty(STDERR_FILENO);
    return known;
}

static void say_line(const char *prefix, const char *fmt, va_list ap)
{
    locale_t old = text_c_locale(); /* not the host program's commas */
    log_progress_end();
    fputs(prefix, stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    uselocale(old);
}

void log_warn(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_line("smelt: warning: ", fmt, ap);
    va_end(ap);
}

void log_note(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (level >= LOG_NORMAL)
        say_line("smelt: ", fmt, ap);
    va_end(ap);
}

static u64 now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

/* A line that wrapped could not be erased. */
static u32 terminal_columns(void)
{
    struct winsize w;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col < 20)
        return 79;
    return w.ws_col - 1u;
}

void log_progress(double fraction, const char *fmt, ...)
{
    if (level < LOG_NORMAL || !log_is_terminal())
        return;
    u64 now = now_ms();
    if (shown_at_ms && now < shown_at_ms + 100)
        return;
    char line[256];
    int n = 0;
    if (fraction >= 0)
        n = snprintf(line, sizeof(line), "%3.0f%% ", 100 * (fraction < 1 ? fraction : 1));
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line + n, sizeof(line) - (size_t)n, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\r%.*s\x1b[K", (int)terminal_columns(), line);
    shown = true;
    shown_at_ms = now;
}

void log_progress_end(void)
{
    if (!shown)
        return;
    fputs("\r\x1b[K", stderr);
    shown = false;
}
