/* nvrtc.c -- the calls of nvrtc.h (see nvrtc_int.h) */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nvrtc/nvrtc_int.h"

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {
        "NVRTC_SUCCESS",
        "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION",
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR",
    };
    return (u32)result < LEN(names) ? names[result] : "NVRTC_ERROR unknown";
}

/* Of the CUDA that the toolkit stands in for. */
nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = 10;
    *minor = 1;
    return NVRTC_SUCCESS;
}

/* Where memory runs out the call says so, and nothing of the program is looked at again. */
#define GUARDED(prog, work)                                                                        \
    do {                                                                                           \
        struct memory_guard g;                                                                     \
        if (!MEMORY_GUARD(&g)) {                                                                   \
            if (prog)                                                                              \
                (prog)->lost = true;                                                               \
            return NVRTC_ERROR_OUT_OF_MEMORY;                                                      \
        }                                                                                          \
        nvrtcResult r = (work);                                                                    \
        memory_unguard(&g);                                                                        \
        return r;                                                                                  \
    } while (0)

/* --- programs --- */

/* Headers are files below a folder of ours, and nowhere else. */
static bool is_header_name(const char *name)
{
    return name && name[0] && name[0] != '/' && !strstr(name, "..");
}

static bool add_headers(struct _nvrtcProgram *p, int n, const char *const *text,
                        const char *const *name)
{
    for (int i = 0; i < n; i++) {
        if (!text[i] || !is_header_name(name[i]))
            return false;
        *VEC_ADD(&p->header) = (struct header){text_dup(name[i]), text_dup(text[i])};
    }
    return true;
}

static nvrtcResult create(nvrtcProgram *prog, const char *src, const char *name, int numHeaders,
                          const char *const *headers, const char *const *includeNames)
{
    if (!prog || !src || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
        return NVRTC_ERROR_INVALID_INPUT;
    struct _nvrtcProgram *p = xcalloc(1, sizeof(*p));
    p->source = text_dup(src);
    p->name = text_dup(name && name[0] ? name : "default_program");
    if (add_headers(p, numHeaders, headers, includeNames)) {
        *prog = p;
        return NVRTC_SUCCESS;
    }
    nvrtcDestroyProgram(&p);
    return NVRTC_ERROR_INVALID_INPUT;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name,
                               int numHeaders, const char *const *headers,
                               const char *const *includeNames)
{
    GUARDED((nvrtcProgram)NULL, create(prog, src, name, numHeaders, headers, includeNames));
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog)
{
    if (!prog || !*prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    struct _nvrtcProgram *p = *prog;
    *prog = NULL;
    if (p->lost)
        return NVRTC_SUCCESS;
    for (u32 i = 0; i < p->header.n; i++)
        free(p->header.at[i].name), free(p->header.at[i].text);
    for (u32 i = 0; i < p->expression.n; i++)
        free(p->expression.at[i].text), free(p->expression.at[i].lowered);
    VEC_FREE(&p->header);
    VEC_FREE(&p->expression);
    free(p->name), free(p->source), free(p->ptx), free(p->log);
    free(p);
    return NVRTC_SUCCESS;
}

/* A program may be compiled again, with other options. */
static nvrtcResult compile(nvrtcProgram prog, int numOptions, const char *const *options)
{
    struct rtc_options o = {0};
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (numOptions < 0 || (numOptions && !options))
        return NVRTC_ERROR_INVALID_INPUT;
    free(prog->ptx), free(prog->log);
    prog->ptx = prog->log = NULL;
    prog->tried = true;
    nvrtcResult result = rtc_take_options(&o, numOptions, options, &prog->log);
    if (result == NVRTC_SUCCESS)
        result = rtc_compile(prog, &o);
    VEC_FREE(&o.word);
    return result;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options)
{
    if (prog && prog->lost)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    GUARDED(prog, compile(prog, numOptions, options));
}

/* --- results --- */

static nvrtcResult size_of_result(nvrtcProgram prog, const char *text, size_t *size)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!size || !text)
        return NVRTC_ERROR_INVALID_INPUT;
    *size = strlen(text) + 1;
    return NVRTC_SUCCESS;
}

static nvrtcResult copy_of(nvrtcProgram prog, const char *text, char *to)
{
    size_t size;
    nvrtcResult result = size_of_result(prog, text, &size);
    if (result != NVRTC_SUCCESS || !to)
        return result != NVRTC_SUCCESS ? result : NVRTC_ERROR_INVALID_INPUT;
    memcpy(to, text, size);
    return NVRTC_SUCCESS;
}

static const char *ptx_of(nvrtcProgram prog)
{
    return prog && !prog->lost ? prog->ptx : NULL;
}

/* A program that nobody has compiled yet has an empty log. */
static const char *log_of(nvrtcProgram prog)
{
    return prog && !prog->lost && prog->log ? prog->log : "";
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet)
{
    return size_of_result(prog, ptx_of(prog), ptxSizeRet);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx)
{
    return copy_of(prog, ptx_of(prog), ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet)
{
    return size_of_result(prog, ptx_of(prog), cubinSizeRet);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin)
{
    return copy_of(prog, ptx_of(prog), cubin);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet)
{
    return size_of_result(prog, log_of(prog), logSizeRet);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log)
{
    return copy_of(prog, log_of(prog), log);
}

/* --- names --- */

static nvrtcResult add_expression(nvrtcProgram prog, const char *name_expression)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression || strchr(name_expression, '\n'))
        return NVRTC_ERROR_INVALID_INPUT;
    if (prog->tried)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    *VEC_ADD(&prog->expression) = (struct expression){text_dup(name_expression), NULL};
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression)
{
    if (prog && prog->lost)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    GUARDED(prog, add_expression(prog, name_expression));
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression,
                                const char **lowered_name)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression || !lowered_name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (prog->lost || !prog->ptx)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (u32 i = 0; i < prog->expression.n; i++)
        if (strcmp(prog->expression.at[i].text, name_expression) == 0) {
            *lowered_name = prog->expression.at[i].lowered;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
