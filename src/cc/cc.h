/*
 * cc.h -- smelt cc: CUDA programs into executables, with nvcc's command line and clang's work.
 *
 *     cc_args.c     reads the command line into struct cc
 *     cc_options.c  .. one option of it: the table of nvcc's options
 *     cc_words.c    .. strings and lists of them
 *     cc_tools.c    where clang, the host's compiler and the toolkit are
 *     cc_steps.c    the commands that make an object, an executable, ..
 *     cc_source.c   .. from sources that clang would not take as they are
 *     cc_host.c     .. and a C++ source for the host's compiler, which holds all of it
 *     cc_exec.c     runs them; temporary files, Ctrl-C
 *     cc_ptx.c      what ptxas would do: register limits, -Xptxas -v
 *     cc_check.c    .. and nvlink with the code of one file: names that exist nowhere
 *     cc_dlink.c    .. and of several: device code linked into one text
 *     cc_object.c   .. which is read from objects and archives
 *     cmd_cc.c      which steps, in which order
 *
 * A .cu file is compiled twice: for the device, into PTX with our math library linked in, and for
 * the host, into an object that holds the PTX as text and hands it to libcudart.so when the
 * program starts.  Other sources go to the host's compiler.  The toolkit (headers, libcudart.so,
 * math.bc; see cmake/toolkit.cmake) is found beside the running command.
 *
 * Device code of a file stands alone unless -rdc=true (or -dc) is said: then objects keep their PTX
 * until it is linked, by -dlink or before an executable is made.
 *
 * Not done: machine code (-cubin and -fatbin write PTX), and OpenMP in .cu files, whose pragmas are
 * ignored: the program's host part runs on one thread there.
 */
#ifndef CC_CC_H
#define CC_CC_H

#include "base/base.h"
#include "base/err.h"

struct cc_words {
    const char **at;
    u32 n, cap;
};

enum cc_mode {
    CC_LINK, /* an executable, or with `shared` a library */
    CC_OBJECT,
    CC_PTX,
    CC_HOST_SOURCE, /* -cuda: what the host's compiler makes an object of */
    CC_PREPROCESS,
    CC_DEPEND, /* -M or -MM: print a rule for make */
    CC_ARCHIVE,
    CC_DEVICE_LINK, /* -dlink: an object that has the device code of others, linked */
    CC_HELP,
    CC_VERSION,
    CC_PRINT_TOOLKIT,
    CC_LIST_ARCH, /* compute_20, .. */
    CC_LIST_CODE, /* sm_20, .. */
};

enum cc_kind { CC_CUDA, CC_C, CC_CXX, CC_OTHER /* for the linker, as it is */ };

struct cc_input {
    const char *path; /* or "-lNAME" */
    enum cc_kind kind;
    const char *object; /* what the linker gets */
};

struct cc {
    bool ignored; /* the first field, so that offset 0 means an option without effect */
    enum cc_mode mode;
    struct {
        struct cc_input *at;
        u32 n, cap;
    } input;
    const char *output, *output_dir, *language; /* -o -odir -x */

    /* Words for: every compilation, host compilations, device code, the linker. */
    struct cc_words common, host, device, link;
    struct cc_words depend; /* -MM, -MF FILE, .. */
    struct cc_words ptxas;  /* of all -Xptxas */
    const char *std, *optimize;

    u32 sm; /* 35 for sm_35; 0: not said */
    const char *max_regs;
    const char *load_cache; /* "cg": of loads that do not say which caches they use; or NULL */
    bool rdc;               /* device functions and variables may be defined in other files */
    bool no_device_link;    /* .. which is left to another call */
    bool fast_math, device_debug, resource_usage, openmp, shared;
    const char *ftz, *prec_div, *prec_sqrt, *fmad; /* "true", "false" or NULL */

    bool dryrun, verbose, keep;
    const char *keep_dir;
    const char *ccbin;

    /* cc_tools.c */
    const char *toolkit, *clang, *clang_headers, *host_cc, *host_cxx;

    char *temp;          /* folder of our own, or NULL */
    struct cc_words own; /* strings to be freed */
};

/* A string that lives as long as c; add appends words up to a NULL. */
const char *cc_text(struct cc *c, const char *fmt, ...) PRINTF(2, 3);
void cc_add(struct cc_words *w, const char *first, ...) __attribute__((sentinel));
void cc_add_all(struct cc_words *w, const struct cc_words *more);
bool cc_has(const struct cc_words *w, const char *word);

bool cc_ends(const char *path, const char *with); /* after at least one character */

/* The words of -Xcompiler's "-a,-b" and of a response file, added to out. */
void cc_split_list(struct cc *c, const char *s, struct cc_words *out);
void cc_split_text(struct cc *c, const char *s, struct cc_words *out);

/* The arguments after "cc" (or "nvcc") into c. */
bool cc_parse(struct cc *c, int argc, char **argv, struct err *e);

bool cc_find_toolkit(struct cc *c, struct err *e);
bool cc_find_tools(struct cc *c, struct err *e);

/* Is this the folder with the headers of some other CUDA? */
bool cc_is_other_toolkit(const struct cc *c, const char *include);

/*
 * What build systems read in the output of -v before the commands: CMake asks for the toolkit's
 * place, how its library is linked (as the command of cc_link has it), the default architecture.
 */
void cc_show_settings(struct cc *c);

/* --list-gpu-arch and --list-gpu-code: one architecture a line. */
void cc_list_sm(const char *prefix);

/* One step each: 0, or the status to end with; what went wrong has been told. */
int cc_make_ptx(struct cc *c, const struct cc_input *in, const char *to);
int cc_make_object(struct cc *c, const struct cc_input *in, const char *ptx, const char *to);
int cc_make_host_source(struct cc *c, const struct cc_input *in, const char *ptx, const char *to);
int cc_preprocess(struct cc *c, const struct cc_input *in, const char *to); /* to NULL: stdout */
int cc_link(struct cc *c, const char *to);
int cc_archive(struct cc *c, const char *to);

/* cc_dlink.c; the implicit one adds an object to the inputs if there is anything to link. */
int cc_device_link(struct cc *c, const char *to);
int cc_implicit_device_link(struct cc *c);

/*
 * Is there something in a .cu file, or in the program's headers that it names, that only nvcc takes?
 * Then clang gets it preprocessed and mended (base/mend.h), in place.
 */
bool cc_needs_mending(struct cc *c, const char *path);
bool cc_mend_file(const char *path, struct err *e);

/*
 * Host code that clang has made assembly of, as a C++ source: one asm statement.  Any compiler for
 * this machine takes it, none needs to know CUDA's language, and what its optimizer is told is of no
 * consequence to it.
 */
bool cc_wrap_assembly(const struct cc_input *in, const char *assembly, const char *to,
                      struct err *e);

/* Runs a command (or only shows it, if dryrun) and waits; 0 or its status. */
int cc_run(struct cc *c, const struct cc_words *command);
/* Shows "#$ NAME=value" where commands are shown. */
void cc_show_setting(const struct cc *c, const char *name, const char *value);
bool cc_capture(const char *tool, const char *option, char *line, size_t size);

/* A path for a temporary file named after `path`, in a folder of this process alone. */
const char *cc_temp(struct cc *c, const char *path, const char *suffix);
void cc_clean(struct cc *c);

/* Was a signal caught?  Then the process ends by it, once all is cleaned up. */
void cc_catch_signals(void);
void cc_end_if_signalled(void);

/*
 * What ptxas would do with the PTX file at path, in place: .maxnreg on kernels without limits of
 * their own, the cache operator of -dlcm on loads without one, and, if `resource_usage`, a report on stderr.  Ends the text with a 0 byte, which
 * libcudart.so relies on, if `terminate`.
 */
bool cc_finish_ptx(struct cc *c, const struct cc_input *in, const char *path, bool terminate,
                   struct err *e);

/* Is there every device function and variable that the PTX of `in` uses?  Told with its line. */
bool cc_check_names(const struct cc_input *in, const char *ptx, struct err *e);

#endif
