/* helper_image.h -- pictures and comparisons under the names that samples of CUDA 5 give them. */
#ifndef SMELT_HELPER_IMAGE_H
#define SMELT_HELPER_IMAGE_H

#include <cutil.h>

static inline bool sdkLoadPGM(const char *path, unsigned char **data, unsigned int *w,
                              unsigned int *h)
{
    return cutLoadPGMub(path, data, w, h);
}

static inline bool sdkLoadPGM(const char *path, float **data, unsigned int *w, unsigned int *h)
{
    return cutLoadPGMf(path, data, w, h);
}

static inline bool sdkSavePGM(const char *path, unsigned char *data, unsigned int w, unsigned int h)
{
    return cutSavePGMub(path, data, w, h);
}

static inline bool sdkSavePGM(const char *path, float *data, unsigned int w, unsigned int h)
{
    return cutSavePGMf(path, data, w, h);
}

static inline bool sdkLoadPPM4ub(const char *path, unsigned char **data, unsigned int *w,
                                 unsigned int *h)
{
    return cutLoadPPM4ub(path, data, w, h);
}

static inline bool sdkSavePPM4ub(const char *path, unsigned char *data, unsigned int w,
                                 unsigned int h)
{
    return cutSavePPM4ub(path, data, w, h);
}

static inline bool sdkLoadPPM4(const char *path, unsigned char **data, unsigned int *w,
                               unsigned int *h)
{
    return cutLoadPPM4ub(path, data, w, h);
}

static inline bool sdkComparePPM(const char *path, const char *reference, float epsilon,
                                 float threshold, bool verbose)
{
    return cutComparePPM(path, reference, epsilon, threshold, verbose);
}

static inline bool sdkComparePGM(const char *path, const char *reference, float epsilon,
                                 float threshold, bool verbose)
{
    return cutComparePGM(path, reference, epsilon, threshold, verbose);
}

#define SDK_FILE(type, letter)                                                                     \
    static inline bool sdk_read(const char *path, type **data, unsigned int *len)                  \
    {                                                                                              \
        return cutReadFile##letter(path, data, len);                                               \
    }                                                                                              \
    static inline bool sdk_write(const char *path, const type *data, unsigned int len)             \
    {                                                                                              \
        return cutWriteFile##letter(path, data, len);                                              \
    }
SDK_FILE(float, f)
SDK_FILE(double, d)
SDK_FILE(int, i)
SDK_FILE(unsigned int, ui)
SDK_FILE(unsigned char, ub)
#undef SDK_FILE

template <class T>
static inline bool sdkReadFile(const char *path, T **data, unsigned int *len, bool verbose)
{
    (void)verbose;
    return sdk_read(path, data, len);
}

template <class T, class S>
static inline bool sdkWriteFile(const char *path, const T *data, unsigned int len, S epsilon,
                                bool verbose)
{
    (void)epsilon, (void)verbose;
    return sdk_write(path, data, len);
}

/* Memory as it is, into a file; and two such files, as numbers. */
static inline void sdkDumpBin(void *data, unsigned int bytes, const char *path)
{
    FILE *f = fopen(path, "wb");
    cut_check(f && fwrite(data, 1, bytes, f) == bytes && fclose(f) == 0, path, __FILE__, __LINE__);
}

template <class T>
static inline bool sdk_compare_files(const char *path, const char *reference, unsigned int n,
                                     float epsilon, float threshold)
{
    T *data[2] = {(T *)malloc(n * sizeof(T)), (T *)malloc(n * sizeof(T))};
    const char *const paths[2] = {path, reference};
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(paths[i], "rb");
        ok = f && fread(data[i], sizeof(T), n, f) == n && ok;
        if (f)
            fclose(f);
    }
    unsigned int wrong = 0;
    for (unsigned int i = 0; ok && i < n; i++)
        wrong += !(fabs((double)data[0][i] - (double)data[1][i]) <= epsilon);
    free(data[0]);
    free(data[1]);
    return ok && wrong <= threshold * n;
}

static inline bool sdkCompareBin2BinFloat(const char *path, const char *reference, unsigned int n,
                                          const float epsilon, const float threshold, char *)
{
    return sdk_compare_files<float>(path, reference, n, epsilon, threshold);
}

static inline bool sdkCompareBin2BinUint(const char *path, const char *reference, unsigned int n,
                                         const float epsilon, const float threshold, char *)
{
    return sdk_compare_files<unsigned int>(path, reference, n, epsilon, threshold);
}

template <class T, class S>
static inline bool compareData(const T *reference, const T *data, unsigned int len, S epsilon,
                               float threshold)
{
    unsigned int wrong = 0;
    for (unsigned int i = 0; i < len; i++)
        wrong += !(fabs((double)reference[i] - (double)data[i]) <= epsilon);
    return wrong <= threshold * len;
}

static inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned int len,
                                  float epsilon)
{
    return cutCompareL2fe(reference, data, len, epsilon);
}

#endif
