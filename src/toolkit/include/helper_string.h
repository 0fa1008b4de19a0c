/* helper_string.h -- the command line as the samples of CUDA 5 and later read it. */
#ifndef SMELT_HELPER_STRING_H
#define SMELT_HELPER_STRING_H

#include <cutil.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return cutCheckCmdLineFlag(argc, argv, name);
}

static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    int value = 0;
    cutGetCmdLineArgumenti(argc, argv, name, &value);
    return value;
}

static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    float value = 0;
    cutGetCmdLineArgumentf(argc, argv, name, &value);
    return value;
}

static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name,
                                            char **value)
{
    *value = NULL;
    return cutGetCmdLineArgumentstr(argc, argv, name, value);
}

static inline char *sdkFindFilePath(const char *file, const char *program)
{
    return cutFindFilePath(file, program);
}

#endif
