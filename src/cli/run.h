/*
 * run.h -- what the files of `smelt run` share.
 *
 *     cmd_run.c     options, then one of     run_ptx.c   one launch, described by options
 *                                            run_job.c   launches described by a file
 *                                            run_cuda.c  a CUDA program, in a process of its own
 *     args_value.c  numbers and buffers as users write them
 *
 * The first two drive a struct device (gpu/device.h) through run_launch, which also keeps
 * the report (report/report.h) up to date, so that an interrupted run leaves its results behind;
 * in a CUDA program, libcudart (src/rt) does that.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "base/err.h"
#include "base/text.h"
#include "gpu/device.h"
#include "report/report.h"
#include "conf/settings.h"

/* --- elements and buffers --- */

enum elem { EL_U8, EL_S8, EL_U16, EL_S16, EL_U32, EL_S32, EL_U64, EL_S64, EL_F32, EL_F64, N_ELEM };

struct elem_info {
    const char *name;
    u32 bytes;
    bool is_float, is_signed;
};
extern const struct elem_info elem_info[N_ELEM];

bool elem_find(const char *name, enum elem *t, struct err *e); /* i32 is s32, and so on */
bool elem_parse(enum elem t, const char *text, u8 out[8], struct err *e);
double elem_get(enum elem t, const u8 *at);

enum fill_kind { FILL_ZERO, FILL_CONST, FILL_IOTA, FILL_LCG, FILL_RAND, FILL_FILE };

/*
 * What a buffer holds at first.  LCG and RAND step x = x * 1664525 + 1013904223 mod 2^32 from
 * `seed` before each element.  LCG gives lo + (hi - lo) * (x >> 8) / 2^24, in float, truncated
 * for integers.  RAND gives floats (x >> 8) / 2^24, so 0 <= v < 1, and integers of their full
 * range: the high bits of x; 64-bit ones take two steps, the first is the high half.
 */
struct fill {
    enum fill_kind kind;
    u8 value[8];
    u32 seed;
    float lo, hi;
    char *path;
};

struct buffer {
    enum elem type;
    u64 n;
    struct fill fill;
    u64 addr; /* once on the device */
};

/* "zero", "iota", "rand:7", "file:x.bin" */
bool fill_parse(struct fill *f, const char *text, struct err *e);

bool buffer_count(struct buffer *b, const char *text, struct err *e);
bool buffer_upload(struct buffer *b, struct device *d, struct err *e);
u8 *buffer_download(const struct buffer *b, struct device *d, struct err *e); /* to be freed */
bool buffer_dump(const struct buffer *b, struct device *d, const char *path, struct err *e);

/* --- arguments --- */

enum value_kind { VALUE_SCALAR, VALUE_BYTES, VALUE_BUFFER };

struct value {
    enum value_kind kind;
    enum elem type; /* SCALAR */
    u8 scalar[8];
    u8 *bytes; /* BYTES */
    u32 n_bytes;
    struct buffer buffer; /* BUFFER; a job has its buffers elsewhere: only addr counts */
    const char *text;     /* as given, for messages */
    bool loose;           /* SCALAR: only its size must fit, not int or float */
};

bool value_parse(struct value *v, const char *text, struct err *e); /* "u32:5", "buf:f32[8]=zero" */
bool value_parse_bytes(struct value *v, const char *hex, struct err *e);
void value_free(struct value *v);

/* Does v suit parameter i of f?  pointer: bytes of an address in its module. */
bool value_check(const struct value *v, const struct func *f, u32 i, u32 pointer, struct err *e);
bool value_check_count(const struct func *f, u32 n, struct err *e);
void value_store(const struct value *v, const struct func *f, u32 i, u8 *param); /* checked */

/* --- a run --- */

struct program_run {
    const char *program; /* path, "-", or a workload's name */
    struct settings settings;

    /* a .ptx file's */
    const char *kernel, *grid_text, *block_text, *smem_text;
    VEC(const char *) arg;
    VEC(const char *) dump;
    VEC(const char *) word; /* all of that but dump, for the report */

    char **args; /* a CUDA program's own, up to a NULL */

    struct device *dev;
    struct report report;
};

bool run_ptx(struct program_run *r, struct err *e);
bool run_job(struct program_run *r, struct err *e);

/* Runs it and waits; the exit status of `smelt run`, everything told. */
int run_cuda(struct program_run *r);

struct program *run_load(struct program_run *r, const char *path, struct err *e);
u32 run_pointer_bytes(const struct program *p);

bool run_launch(struct program_run *r, struct program *p, const char *kernel, const u32 grid[3],
                const u32 block[3], u32 smem, const u8 *param, struct err *e);

#endif
