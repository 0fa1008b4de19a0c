/*
 * cutil_data.h -- cutil's files (numbers as text, PGM and PPM pictures) and comparisons.
 *
 * A pointer that is NULL gets memory from malloc; otherwise it is taken to be large enough.
 */
#ifndef SMELT_CUTIL_DATA_H
#define SMELT_CUTIL_DATA_H

#include <math.h>

/* --- numbers, separated by blanks --- */

/* Elements of `size` bytes, at most a double's, each read by `format`. */
static inline CUTBoolean cut_read(const char *path, void **data, unsigned int *len,
                                  const char *format, size_t size)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return CUTFalse;
    unsigned int n = 0, room = 0;
    double v;
    int c;
    while ((c = fgetc(f)) == '#') /* a line of comment */
        while (c != '\n' && c != EOF)
            c = fgetc(f);
    ungetc(c, f);
    char *all = NULL;
    while (fscanf(f, format, (void *)&v) == 1) {
        if (n == room) {
            room = room ? 2 * room : 1024;
            all = (char *)realloc(all, room * size);
        }
        memcpy(all + n++ * size, &v, size);
    }
    fclose(f);
    if (*data) {
        memcpy(*data, all, (*len < n ? *len : n) * size);
        free(all);
    } else {
        *data = all;
        *len = n;
    }
    return CUTTrue;
}

#define CUT_FILE(letter, type, read_format, write_format)                                          \
    CUT_API CUTBoolean cutReadFile##letter(const char *path, type **data, unsigned int *len,       \
                                           bool verbose CUT_DEFAULT(false))                        \
    {                                                                                              \
        (void)verbose;                                                                             \
        return cut_read(path, (void **)(void *)data, len, read_format, sizeof(type));              \
    }                                                                                              \
    CUT_API CUTBoolean cutWriteFile##letter(const char *path, const type *data, unsigned int len,  \
                                            const type epsilon CUT_DEFAULT(0),                     \
                                            bool verbose CUT_DEFAULT(false))                       \
    {                                                                                              \
        (void)epsilon, (void)verbose;                                                              \
        FILE *f = fopen(path, "w");                                                                \
        if (!f)                                                                                    \
            return CUTFalse;                                                                       \
        for (unsigned int i = 0; i < len; i++)                                                     \
            fprintf(f, write_format, data[i]);                                                     \
        fputc('\n', f);                                                                            \
        return fclose(f) == 0;                                                                     \
    }
CUT_FILE(f, float, "%f", "%.9g ")
CUT_FILE(d, double, "%lf", "%.17g ")
CUT_FILE(i, int, "%d", "%d ")
CUT_FILE(ui, unsigned int, "%u", "%u ")
CUT_FILE(b, char, " %c", "%c ")
CUT_FILE(ub, unsigned char, " %c", "%c ")
#undef CUT_FILE

/* --- pictures: P5 (grey) and P6 (colour), 8 bits a component --- */

static inline int cut_picture_number(FILE *f)
{
    int c, n = 0;
    while ((c = fgetc(f)) == '#' || c == ' ' || c == '\n' || c == '\r' || c == '\t')
        while (c == '#' && (c = fgetc(f)) != '\n' && c != EOF)
            c = '#';
    for (; c >= '0' && c <= '9' && n < 1 << 20; c = fgetc(f))
        n = 10 * n + c - '0';
    return n;
}

/* `have` components a pixel in the file become `want`; a fourth one is 0. */
static inline CUTBoolean cut_load_picture(const char *path, unsigned char **data, unsigned int *w,
                                          unsigned int *h, int want)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return CUTFalse;
    int magic = fgetc(f) == 'P' ? fgetc(f) : 0, have = magic == '5' ? 1 : 3;
    *w = (unsigned int)cut_picture_number(f);
    *h = (unsigned int)cut_picture_number(f);
    bool ok = (magic == '5' || magic == '6') && have == (want == 1 ? 1 : 3) &&
              cut_picture_number(f) == 255 && *w && *h;
    size_t n = (size_t)*w * *h;
    if (ok && !*data)
        *data = (unsigned char *)malloc(n * (size_t)want);
    for (size_t i = 0; ok && i < n; i++)
        for (int k = 0; ok && k < want; k++) {
            int c = k < have ? fgetc(f) : 0;
            ok = c != EOF;
            (*data)[i * (size_t)want + (size_t)k] = (unsigned char)c;
        }
    fclose(f);
    return ok;
}

static inline CUTBoolean cut_save_picture(const char *path, const unsigned char *data,
                                          unsigned int w, unsigned int h, int have)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return CUTFalse;
    int want = have == 1 ? 1 : 3;
    fprintf(f, "P%d\n%u %u\n255\n", want == 1 ? 5 : 6, w, h);
    for (size_t i = 0; i < (size_t)w * h; i++)
        fwrite(data + i * (size_t)have, 1, (size_t)want, f);
    return fclose(f) == 0;
}

#define CUT_PICTURE(name, components)                                                              \
    CUT_API CUTBoolean cutLoad##name(const char *path, unsigned char **data, unsigned int *w,      \
                                     unsigned int *h)                                              \
    {                                                                                              \
        return cut_load_picture(path, data, w, h, components);                                     \
    }                                                                                              \
    CUT_API CUTBoolean cutSave##name(const char *path, unsigned char *data, unsigned int w,        \
                                     unsigned int h)                                               \
    {                                                                                              \
        return cut_save_picture(path, data, w, h, components);                                     \
    }
CUT_PICTURE(PGMub, 1)
CUT_PICTURE(PPMub, 3)
CUT_PICTURE(PPM4ub, 4)
#undef CUT_PICTURE

/* Grey values as numbers of another type, `scale` times the bytes. */
#define CUT_PICTURE(name, type, scale, least, most)                                                \
    CUT_API CUTBoolean cutLoad##name(const char *path, type **data, unsigned int *w,               \
                                     unsigned int *h)                                              \
    {                                                                                              \
        unsigned char *bytes = NULL;                                                               \
        CUTBoolean ok = cut_load_picture(path, &bytes, w, h, 1);                                   \
        size_t n = (size_t)*w * *h;                                                                \
        if (ok && !*data)                                                                          \
            *data = (type *)malloc(n * sizeof(type));                                              \
        for (size_t i = 0; ok && i < n; i++)                                                       \
            (*data)[i] = (type)((type)bytes[i] / (type)scale);                                     \
        free(bytes);                                                                               \
        return ok;                                                                                 \
    }                                                                                              \
    CUT_API CUTBoolean cutSave##name(const char *path, const type *data, unsigned int w,           \
                                     unsigned int h)                                               \
    {                                                                                              \
        size_t n = (size_t)w * h;                                                                  \
        unsigned char *bytes = (unsigned char *)malloc(n ? n : 1);                                 \
        for (size_t i = 0; i < n; i++)                                                             \
            bytes[i] = (unsigned char)(scale * (data[i] > least ? data[i] < most ? data[i] : most  \
                                                                : least));                         \
        CUTBoolean ok = cut_save_picture(path, bytes, w, h, 1);                                    \
        free(bytes);                                                                               \
        return ok;                                                                                 \
    }
CUT_PICTURE(PGMf, float, 255.0f, 0.0f, 1.0f) /* of 0 to 1 */
CUT_PICTURE(PGMi, unsigned int, 1, 0, 255)
CUT_PICTURE(PGMs, unsigned short, 1, 0, 255)
#undef CUT_PICTURE

/* --- comparisons: is everything within epsilon, but for a share `threshold` of it? --- */

#define CUT_COMPARE(letter, type)                                                                  \
    CUT_API CUTBoolean cutCompare##letter##et(const type *reference, const type *data,             \
                                              const unsigned int len, const float epsilon,         \
                                              const float threshold)                               \
    {                                                                                              \
        unsigned int wrong = 0;                                                                    \
        for (unsigned int i = 0; i < len; i++)                                                     \
            wrong += !(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);           \
        return wrong <= (double)threshold * len;                                                   \
    }                                                                                              \
    CUT_API CUTBoolean cutCompare##letter##e(const type *reference, const type *data,              \
                                             const unsigned int len, const float epsilon)          \
    {                                                                                              \
        return cutCompare##letter##et(reference, data, len, epsilon, 0);                           \
    }                                                                                              \
    CUT_API CUTBoolean cutCompare##letter(const type *reference, const type *data,                 \
                                          const unsigned int len)                                  \
    {                                                                                              \
        return cutCompare##letter##et(reference, data, len, 0, 0);                                 \
    }
CUT_COMPARE(f, float)
CUT_COMPARE(i, int)
CUT_COMPARE(ui, unsigned int)
CUT_COMPARE(ub, unsigned char)
#undef CUT_COMPARE

/* The same under the names that cutil has for them. */
CUT_API CUTBoolean cutCompareuit(const unsigned int *reference, const unsigned int *data,
                                 const unsigned int len, const float epsilon, const float threshold)
{
    return cutCompareuiet(reference, data, len, epsilon, threshold);
}

CUT_API CUTBoolean cutCompareubt(const unsigned char *reference, const unsigned char *data,
                                 const unsigned int len, const float epsilon, const float threshold)
{
    return cutCompareubet(reference, data, len, epsilon, threshold);
}

/* Two pictures, byte by byte. */
static inline CUTBoolean cut_compare_pictures(const char *path, const char *reference_path,
                                              int components, float epsilon, float threshold)
{
    unsigned char *data = NULL, *reference = NULL;
    unsigned int w = 0, h = 0, reference_w = 0, reference_h = 0;
    CUTBoolean ok =
        cut_load_picture(path, &data, &w, &h, components) &&
        cut_load_picture(reference_path, &reference, &reference_w, &reference_h, components) &&
        w == reference_w && h == reference_h &&
        cutCompareubet(reference, data, (unsigned int)components * w * h, epsilon, threshold);
    free(data);
    free(reference);
    return ok;
}

CUT_API CUTBoolean cutComparePPM(const char *path, const char *reference, const float epsilon,
                                 const float threshold, bool verbose CUT_DEFAULT(false))
{
    (void)verbose;
    return cut_compare_pictures(path, reference, 4, epsilon, threshold);
}

CUT_API CUTBoolean cutComparePGM(const char *path, const char *reference, const float epsilon,
                                 const float threshold, bool verbose CUT_DEFAULT(false))
{
    (void)verbose;
    return cut_compare_pictures(path, reference, 1, epsilon, threshold);
}

/* Is the difference, as a vector, shorter than epsilon times the reference? */
CUT_API CUTBoolean cutCompareL2fe(const float *reference, const float *data, const unsigned int len,
                                  const float epsilon)
{
    double difference = 0, norm = 0;
    for (unsigned int i = 0; i < len; i++) {
        double d = (double)reference[i] - (double)data[i];
        difference += d * d;
        norm += (double)reference[i] * (double)reference[i];
    }
    return norm > 0 && sqrt(difference) < epsilon * sqrt(norm);
}

#endif
