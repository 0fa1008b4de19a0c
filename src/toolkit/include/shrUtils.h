/*
 * shrUtils.h -- what the samples of CUDA 3 and 4 expect of the SDK's shared utilities, as far as
 * they go beyond cutil.h; all of it is in libshrutil.a too (sdk/shrutil.c).  The log goes to stdout only: the file that programs name is not written.
 */
#ifndef SMELT_SHR_UTILS_H
#define SMELT_SHR_UTILS_H

#include <cutil.h>

#include <stdarg.h>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

typedef CUTBoolean shrBOOL;
#define shrTRUE CUTTrue
#define shrFALSE CUTFalse

/* --- the log --- */

enum {
    LOGCONSOLE = 1,
    LOGFILE = 2,
    LOGBOTH = 3,
    APPENDMODE = 4,
    MASTER = 8,
    ERRORMSG = 16,
    CLOSELOG = 32
};

CUT_API void shrSetLogFileName(const char *path)
{
    (void)path;
}

__attribute__((format(printf, 1, 2))) CUT_API int shrLog(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    return 0;
}

__attribute__((format(printf, 3, 4))) CUT_API int shrLogEx(int mode, int error, const char *format,
                                                           ...)
{
    va_list args;
    va_start(args, format);
    if (mode & ERRORMSG)
        printf("error %d: ", error);
    vprintf(format, args);
    va_end(args);
    return error;
}

#define shrCheckError(is, wanted) cut_check((is) == (wanted), #is, __FILE__, __LINE__)
#define shrCheckErrorEX(is, wanted, cleanup) shrCheckError(is, wanted)
#define shrEXIT(argc, argv) exit(EXIT_SUCCESS)

/* --- time and sizes --- */

/* Seconds since the last call for this counter. */
CUT_API double shrDeltaT(int counter)
{
    static double last[3];
    double now = cut_now(), delta = now - last[counter % 3];
    last[counter % 3] = now;
    return 1e-3 * delta;
}

CUT_API size_t shrRoundUp(int group, int total)
{
    return (size_t)((total + group - 1) / group * group);
}

/* Numbers of 0 to 1, the same ones in every call (the step is that of Numerical Recipes). */
CUT_API void shrFillArray(float *data, int n)
{
    unsigned int x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        data[i] = (float)(x >> 8) / (float)(1 << 24);
    }
}

CUT_API CUTBoolean shrGetCmdLineArgumentu(const int argc, const char **argv, const char *name,
                                          unsigned int *value)
{
    const char *s = cut_find_value(argc, argv, name);
    if (s)
        *value = (unsigned int)strtoul(s, NULL, 10);
    return s != NULL;
}

/* --- under their names in cutil.h --- */

#define shrCheckCmdLineFlag cutCheckCmdLineFlag
#define shrGetCmdLineArgumenti cutGetCmdLineArgumenti
#define shrGetCmdLineArgumentf cutGetCmdLineArgumentf
#define shrGetCmdLineArgumentstr cutGetCmdLineArgumentstr
#define shrFindFilePath cutFindFilePath
#define shrFree cutFree
#define shrReadFilef cutReadFilef
#define shrReadFiled cutReadFiled
#define shrReadFilei cutReadFilei
#define shrReadFileui cutReadFileui
#define shrReadFileb cutReadFileb
#define shrReadFileub cutReadFileub
#define shrWriteFilef cutWriteFilef
#define shrWriteFiled cutWriteFiled
#define shrWriteFilei cutWriteFilei
#define shrWriteFileui cutWriteFileui
#define shrWriteFileb cutWriteFileb
#define shrWriteFileub cutWriteFileub
#define shrLoadPGMub cutLoadPGMub
#define shrLoadPGMf cutLoadPGMf
#define shrLoadPGMi cutLoadPGMi
#define shrLoadPGMs cutLoadPGMs
#define shrLoadPPMub cutLoadPPMub
#define shrLoadPPM4ub cutLoadPPM4ub
#define shrSavePGMub cutSavePGMub
#define shrSavePGMf cutSavePGMf
#define shrSavePGMi cutSavePGMi
#define shrSavePGMs cutSavePGMs
#define shrSavePPMub cutSavePPMub
#define shrSavePPM4ub cutSavePPM4ub
#define shrComparef cutComparef
#define shrComparefe cutComparefe
#define shrComparefet cutComparefet
#define shrCompareL2fe cutCompareL2fe
#define shrComparei cutComparei
#define shrCompareui cutCompareui
#define shrCompareuit cutCompareuit
#define shrCompareub cutCompareub
#define shrCompareube cutCompareube
#define shrCompareubt cutCompareubt
#define shrComparePPM cutComparePPM
#define shrComparePGM cutComparePGM

#endif
