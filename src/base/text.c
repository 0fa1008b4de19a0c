#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

void *xmalloc(size_t size)
{
    void *p = memory_refused() ? NULL : malloc(size ? size : 1);
    if (!p)
        memory_out();
    return p;
}

void *try_calloc(size_t n, size_t size)
{
    return memory_refused() ? NULL : calloc(n ? n : 1, size ? size : 1);
}

void *xcalloc(size_t n, size_t size)
{
    void *p = try_calloc(n, size);
    if (!p)
        memory_out();
    return p;
}

void *xcalloc_lines(size_t n, size_t size)
{
    enum { HOST_LINE = 64 };
    bool possible = !memory_refused() && (!n || size <= SIZE_MAX / 2 / n);
    size_t bytes = align_up(n && size ? n * size : 1, HOST_LINE);
    void *p = possible ? aligned_alloc(HOST_LINE, bytes) : NULL;

    if (!p)
        memory_out();
    memset(p, 0, bytes);
    return p;
}

void *xrealloc(void *p, size_t size)
{
    p = memory_refused() ? NULL : realloc(p, size ? size : 1);
    if (!p)
        memory_out();
    return p;
}

void *vec_grow(void *at, u32 *cap, size_t size)
{
    u32 more = *cap ? *cap * 2 : 8;

    if (*cap > UINT32_MAX / 2 || more > SIZE_MAX / size)
        memory_out();
    at = xrealloc(at, more * size);
    *cap = more;
    return at;
}

char *text_dup_n(const char *s, size_t n)
{
    char *p = xmalloc(n + 1);
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

char *text_dup(const char *s)
{
    return text_dup_n(s, strlen(s));
}

char *text_printf(const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    assert(n >= 0);
    char *p = xmalloc((size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(ap);
    return p;
}

/* Works for pipes too, whose length nobody knows. */
static char *read_all(FILE *f, size_t *len)
{
    size_t n = 0, cap = 1 << 14;
    char *p = xmalloc(cap);
    for (size_t got; (got = fread(p + n, 1, cap - n - 1, f)) > 0;) {
        n += got;
        if (n > TEXT_FILE_MAX) {
            errno = EFBIG;
            free(p);
            return NULL;
        }
        if (n + 1 == cap)
            p = xrealloc(p, cap *= 2);
    }
    if (ferror(f)) {
        free(p);
        return NULL;
    }
    p[n] = 0;
    *len = n;
    return p;
}

static FILE *open_file(const char *path)
{
    struct stat st;
    FILE *f = fopen(path, "rb");
    if (f && fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        fclose(f);
        errno = EISDIR;
        return NULL;
    }
    return f;
}

char *text_read_file(const char *path, size_t *len, struct err *e)
{
    bool is_stdin = strcmp(path, "-") == 0;
    size_t n = 0;
    char *p = NULL;
    errno = 0;
    FILE *f = is_stdin ? stdin : open_file(path);
    if (f)
        p = read_all(f, &n);
    int why = errno;
    if (f && !is_stdin)
        fclose(f);
    if (!p) {
        err_set(e, "%s: %s", is_stdin ? "standard input" : path, strerror(why));
        return NULL;
    }
    if (len)
        *len = n;
    return p;
}

void text_absolute(char **path)
{
    char here[PATH_MAX];
    if ((*path)[0] == '/' || !getcwd(here, sizeof(here)))
        return;
    char *full = text_printf("%s/%s", here, *path);
    free(*path);
    *path = full;
}

bool text_begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

bool text_ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);
    return n >= m && strcmp(s + n - m, with) == 0;
}

const char *text_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *text_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return text_dup_n(path, slash ? (size_t)(slash - path) : 0);
}

char *text_real_path(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : text_dup(path);
}

char *text_trim(char *s)
{
    const char *blanks = " \t\r\n";
    size_t from = strspn(s, blanks), to = strlen(s);
    while (to > from && strchr(blanks, s[to - 1]))
        to--;
    memmove(s, s + from, to - from);
    s[to - from] = 0;
    return s;
}

u32 text_utf8_len(const char *text)
{
    const u8 *s = (const u8 *)text;
    if (s[0] < 0x80)
        return 1;
    u32 n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : 4;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (u32 i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
               (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
    return bad ? 0 : n;
}

u32 text_chars(const char *s)
{
    u32 n = 0;
    for (; *s; s++)
        n += ((u8)*s & 0xc0) != 0x80;
    return n;
}

u32 text_split(const char *s, char ***item)
{
    VEC(char *) v = {0};
    if (s[strspn(s, " \t\r\n")]) {
        for (;;) {
            const char *end = s + strcspn(s, ",");
            *VEC_ADD(&v) = text_trim(text_dup_n(s, (size_t)(end - s)));
            if (!*end)
                break;
            s = end + 1;
        }
    }
    *item = v.at;
    return v.n;
}

void text_split_free(char **item, u32 n)
{
    for (u32 i = 0; i < n; i++)
        free(item[i]);
    free(item);
}

/* strtoull takes signs, blanks and octal: we do not, so look first. */
static bool parse_prefix(const char *s, u64 *v, const char **end)
{
    int base = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
    const char *digits = base == 16 ? s + 2 : s;
    const char *set = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
    size_t n = strspn(digits, set);
    if (n == 0)
        return false;
    errno = 0;
    *v = strtoull(digits, NULL, base);
    *end = digits + n;
    return errno == 0;
}

bool text_parse_u64(const char *s, u64 *v)
{
    const char *end;
    u64 got;
    if (!parse_prefix(s, &got, &end) || *end)
        return false;
    *v = got;
    return true;
}

bool text_parse_size(const char *s, u64 *v)
{
    const char *end;
    u64 got;
    if (!parse_prefix(s, &got, &end))
        return false;
    static const char units[] = "KMG";
    const char *unit = *end ? strchr(units, toupper((u8)*end)) : NULL;
    u32 shift = unit ? 10 * (u32)(unit - units + 1) : 0;
    if (unit)
        end++;
    if (*end || got << shift >> shift != got)
        return false;
    *v = got << shift;
    return true;
}

/* Number formats of the host program's locale must not leak in; the "C" locale never fails. */
locale_t text_c_locale(void)
{
    static locale_t c;
    if (!c)
        c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return uselocale(c);
}

bool text_parse_real(const char *s, double *v)
{
    size_t n = strlen(s);
    if (n == 0 || strspn(s, "0123456789+-.eE") != n)
        return false;
    char *end;
    locale_t old = text_c_locale();
    double got = strtod(s, &end);
    uselocale(old);
    if (*end || !isfinite(got))
        return false;
    *v = got;
    return true;
}

const char *text_show_size(u64 v, char *buf, size_t size)
{
    static const char unit[] = {0, 'K', 'M', 'G'};
    u32 u = 0;
    while (u < 3 && v && v % 1024 == 0)
        v /= 1024, u++;
    snprintf(buf, size, u ? "%" PRIu64 "%c" : "%" PRIu64, v, unit[u]);
    return buf;
}

/* Whole numbers are frequent, and zero the most. */
static bool show_whole(double v, char *buf, size_t size)
{
    if (!(fabs(v) < 1e9) || v != (double)(int)v || (v == 0 && signbit(v)))
        return false;
    int whole = (int)v;
    if (whole && whole % 10 == 0)
        return false; /* 3e+02 may be shorter */
    snprintf(buf, size, "%d", whole);
    return true;
}

/* With more digits than suffice it reads back too; 15 always do if any fewer would. */
static int enough_digits(double v, char *buf, size_t size)
{
    int low = fabs(v) < DBL_MIN ? 1 : 15;
    for (; low < 17; low++) {
        snprintf(buf, size, "%.*g", low, v);
        if (strtod(buf, NULL) == v)
            break;
    }
    return low;
}

/* 300 is 3e+02 with as few digits as it has. */
static int digits_of(const char *s)
{
    int n = 0, zeros = 0;
    for (; *s && *s != 'e'; s++)
        if (*s >= '0' && *s <= '9' && (n || *s != '0'))
            n++, zeros = *s == '0' ? zeros + 1 : 0;
    return n > zeros ? n - zeros : 1;
}

const char *text_show_real(double v, char *buf, size_t size)
{
    if (show_whole(v, buf, size))
        return buf;
    locale_t old = text_c_locale();
    int digits = enough_digits(v, buf, size);
    bool tens = digits < 17 && !strpbrk(buf, ".e");
    if (digits == 17 || tens)
        snprintf(buf, size, "%.*g", tens ? digits_of(buf) : 17, v);
    uselocale(old);
    return buf;
}

static bool is_plain(const char *s)
{
    return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "%+,-./:=@_")] == 0;
}

void text_put_word(FILE *f, const char *s)
{
    if (is_plain(s)) {
        fputs(s, f);
        return;
    }
    fputc('\'', f);
    for (; *s; s++)
        fputs(*s == '\'' ? "'\\''" : (char[]){*s, 0}, f);
    fputc('\'', f);
}
