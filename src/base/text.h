/*
 * text.h -- memory, strings, whole files and numbers as users write them.
 *
 * Memory that cannot be had ends what the thread was doing (memory.h): no caller could do better, so
 * none has to check.  Never used in the hot loop.
 *
 * Numbers are read and written as in the C locale, whatever locale the process
 * is in: the simulator also lives inside other people's programs.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <locale.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/err.h"

void *xmalloc(size_t size); /* size 0 gives a pointer that may be freed */
void *xcalloc(size_t n, size_t size);
void *xcalloc_lines(size_t n, size_t size); /* at the beginning of a line of the host's cache */
void *xrealloc(void *p, size_t size);
void *try_calloc(size_t n,
                 size_t size); /* NULL if there is not so much: sizes that users ask for */

char *text_dup(const char *s);
char *text_dup_n(const char *s, size_t n);
char *text_printf(const char *fmt, ...) PRINTF(1, 2);
void text_absolute(char **path); /* of a file: from the root, whatever the folder is later */
char *text_trim(char *s);        /* removes blanks at both ends, in place; returns s */

bool text_begins(const char *s, const char *with);
bool text_ends(const char *s, const char *with);

const char *text_base_name(const char *path); /* what follows the last '/' */
char *text_folder(const char *path);          /* what precedes it, "" without one; to be freed */
char *text_real_path(const char *path); /* of a link the file itself, so that the link survives */

void text_put_word(FILE *f, const char *s); /* as a shell takes it: in quotes if it has to be */

/* Bytes of the UTF-8 character at s, 0 if it is not one (overlong and surrogates included). */
u32 text_utf8_len(const char *s);
u32 text_chars(const char *s); /* characters of UTF-8 in it */

/*
 * A whole file ("-": standard input) with a 0 byte after its end, to be freed; *len may be NULL.
 * "PATH: No such file or directory" on failure.  At most TEXT_FILE_MAX bytes.
 */
#define TEXT_FILE_MAX ((size_t)2 << 30)
char *text_read_file(const char *path, size_t *len, struct err *e);

/* The words between commas, blanks around each removed; "" has none.  Both levels are freed. */
u32 text_split(const char *s, char ***item);
void text_split_free(char **item, u32 n);

/* All of s is one number, or false: decimal or 0x.. | with K M G | decimal fraction. */
bool text_parse_u64(const char *s, u64 *v);
bool text_parse_size(const char *s, u64 *v);
bool text_parse_real(const char *s, double *v);

/* The "C" locale for this thread; what it was before is for uselocale(). */
locale_t text_c_locale(void);

/* Bytes in the largest unit that is exact ("48K"); the shortest text that reads back as v. */
#define TEXT_NUMBER 40 /* a buffer size that always suffices */
const char *text_show_size(u64 v, char *buf, size_t size);
const char *text_show_real(double v, char *buf, size_t size);

/*
 * A growing array.  A declaration `VEC(struct inst) code;` that is all zero is empty;
 * VEC_ADD returns a pointer to one more, uninitialised entry, valid until the next VEC_ADD.
 *
 *     *VEC_ADD(&code) = (struct inst){..};    for (u32 i = 0; i < code.n; i++) f(&code.at[i]);
 */
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        u32 n, cap;                                                                                \
    }
#define VEC_ADD(v)                                                                                 \
    ((v)->n < (v)->cap ? (void)0                                                                   \
                       : (void)((v)->at = vec_grow((v)->at, &(v)->cap, sizeof((v)->at[0]))),       \
     &(v)->at[(v)->n++])
#define VEC_FREE(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

void *vec_grow(void *at, u32 *cap, size_t size); /* only for VEC_ADD */

#endif
