/* nvrtc_option.c -- the options of nvrtcCompileProgram, as `smelt cc` takes them */
#include <string.h>

#include "nvrtc/nvrtc_int.h"

enum takes { NOTHING, VALUE, JOINED /* -DX, too */ };
enum does { PASS, DROP, DEFAULT_DEVICE };

/* Both dashes or one are right for names of more than a letter.  Dropped: what is always so. */
static const struct option {
    const char *names; /* with a '|' between */
    enum takes takes;
    enum does does;
} options[] = {
    {"gpu-architecture|arch", VALUE, PASS},
    {"D|define-macro", JOINED, PASS},
    {"U|undefine-macro", JOINED, PASS},
    {"I|include-path", JOINED, PASS},
    {"include|pre-include", VALUE, PASS},
    {"std", VALUE, PASS},
    {"maxrregcount", VALUE, PASS},
    {"ftz|prec-sqrt|prec-div|fmad", VALUE, PASS},
    {"relocatable-device-code|rdc|ptxas-options|Xptxas", VALUE, PASS},
    {"use_fast_math|device-debug|G|generate-line-info|lineinfo", NOTHING, PASS},
    {"device-as-default-execution-space|default-device", NOTHING, DEFAULT_DEVICE},
    {"device-c|dc|device-w|dw|disable-warnings|w|restrict", NOTHING, DROP},
    {"extra-device-vectorization|dlink-time-opt|dlto|gen-opt-lto", NOTHING, DROP},
    {"display-error-number|err-no|no-display-error-number|no-err-no", NOTHING, DROP},
    {"no-source-include|split-compile|minimal|device-int128", NOTHING, DROP},
    {"builtin-move-forward|builtin-initializer-list|version-ident|dopt", VALUE, DROP},
    {"optimization-info|opt-info|diag-error|diag-suppress|diag-warn", VALUE, DROP},
};

static bool is_in_list(const char *names, const char *name, size_t n)
{
    for (;; names++) {
        size_t len = strcspn(names, "|");
        if (len == n && strncmp(names, name, n) == 0)
            return true;
        names += len;
        if (!*names)
            return false;
    }
}

/* *apart: its value is the next option. */
static const struct option *find_option(const char *text, bool *apart)
{
    const char *name = text + strspn(text, "-");
    size_t n = strcspn(name, "="), dashes = (size_t)(name - text);
    *apart = false;
    for (u32 i = 0; i < LEN(options) && dashes >= 1 && dashes <= 2; i++) {
        const struct option *o = &options[i];
        if (n && is_in_list(o->names, name, n) && (o->takes != NOTHING || !name[n])) {
            *apart = o->takes != NOTHING && !name[n];
            return o;
        }
        if (o->takes == JOINED && dashes == 1 && name[0] && is_in_list(o->names, name, 1))
            return o;
    }
    return NULL;
}

nvrtcResult rtc_take_options(struct rtc_options *o, int n, const char *const *option, char **log)
{
    for (int i = 0; i < n; i++) {
        bool apart;
        const struct option *found = option[i] ? find_option(option[i], &apart) : NULL;
        if (!found || (apart && (i + 1 == n || !option[i + 1]))) {
            *log = text_printf("nvrtc: error: %s option '%s'\n",
                               found ? "a value is missing after" : "unknown",
                               option[i] ? option[i] : "(null)");
            return NVRTC_ERROR_INVALID_OPTION;
        }
        o->default_device |= found->does == DEFAULT_DEVICE;
        for (int k = i; k <= i + apart && found->does == PASS; k++)
            *VEC_ADD(&o->word) = option[k];
        i += apart;
    }
    return NVRTC_SUCCESS;
}
