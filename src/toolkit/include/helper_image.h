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

template <class T>
static inline bool sdkReadFile(const char *path, T **data, unsigned int *len, bool verbose);
template <>
inline bool sdkReadFile<float>(const char *path, float **data, unsigned int *len, bool verbose)
{
    return cutReadFilef(path, data, len, verbose);
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
