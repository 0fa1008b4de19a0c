/* helper_string.h -- the command line as the samples of CUDA 5 and later read it. */
#ifndef SMELT_HELPER_STRING_H
#define SMELT_HELPER_STRING_H

#include <cutil.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) snprintf(to, size, "%s", from)
#define FOPEN(file, path, mode) ((file) = fopen(path, mode))
#define FOPEN_FAIL(result) ((result) == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

/* Where the text begins after all of `delimiter`; what comes after the last point of a name. */
static inline int stringRemoveDelimiter(char delimiter, const char *s)
{
    int n = 0;
    while (s[n] == delimiter)
        n++;
    return n < (int)strlen(s) - 1 ? n : 0;
}

static inline int getFileExtension(char *path, char **extension)
{
    char *dot = strrchr(path, '.');
    *extension = dot ? dot + 1 : path;
    return (int)(*extension - path);
}

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
