/*
 * conf.h -- everything a simulation is told about its GPU, and the files that say it.
 *
 * A GPU is a file NAME.conf: `key = value` lines under [module] headings, comments
 * from # or ; to the end of the line.  A first line `base = OTHER` takes all values
 * of another GPU, and the file only says what differs.  What nobody says has its
 * default.  A comment at the top of the file is the GPU's documentation.
 *
 *     # My GPU: a gtx480 with half the warps.
 *     base = gtx480
 *     [sm]
 *     n_warp = 24
 *
 * GPUs are in conf/gpu, wherever that is (base/conf_dir.h).  A name with a '/' in it or
 * ending in .conf is a path.
 *
 * Each module declares its keys in its own .def; the one list of modules is in
 * conf.c.  Host options (threads, paths) are no keys: they change no result.
 */
#ifndef CONF_CONF_H
#define CONF_CONF_H

#include "base/conf_dir.h"
#include "base/json.h"
#include "base/sheet.h"
#include "mem/cache.h"
#include "mem/dram.h"
#include "mem/mem_conf.h"
#include "mem/noc.h"
#include "power/energy.h"
#include "ptx/ptx_conf.h"
#include "sm/sm_conf.h"

#define SHEET_DEF "conf/gpu.def"
struct gpu_conf {
#include "base/sheet_fields.inc"
};

#define SHEET_DEF "conf/sim.def"
struct sim_conf {
#include "base/sheet_fields.inc"
};

#define CONF_GPU "gtx480" /* unless another is asked for */

enum { CONF_NAME = 64 };

struct conf {
    struct gpu_conf gpu;
    struct sm_conf sm;
    struct op_conf op;
    struct cache_conf l1i, l1d, l1c, l1t;
    struct noc_conf noc;
    struct cache_conf l2;
    struct mem_conf mem;
    struct dram_conf dram;
    struct power_conf power;
    struct ptx_conf ptx;
    struct sim_conf sim;
    char name[CONF_NAME]; /* of the file without .conf: "gtx480" */
};

/* --- making one: each function that fills a conf leaves nothing to free if it fails --- */

void conf_defaults(struct conf *c);
bool conf_load(struct conf *c, const char *gpu, struct err *e); /* a name or a path */
bool conf_parse_text(struct conf *c, const char *text, const char *path, struct err *e);
void conf_copy(struct conf *to, const struct conf *from);
void conf_free(struct conf *c);

bool conf_set(struct conf *c, const char *assignment, struct err *e); /* "sm.n_warp=32" */

/* Do the keys fit each other?  After the last conf_set: a GPU may need two to be right again. */
bool conf_check(const struct conf *c, struct err *e);

/* All of it, as a command does: conf_load, conf_set for each, conf_check. */
bool conf_make(struct conf *c, const char *gpu, const char *const *set, u32 n_set, struct err *e);

/* --- looking at one --- */

struct conf_module {
    const struct sheet *sheet; /* sheet->module is the name */
    size_t off;                /* of its struct in struct conf */
};

const struct conf_module *conf_modules(u32 *n);
const struct conf_module *conf_find_module(const char *name); /* or NULL */
bool conf_no_module(const char *name, struct err *e); /* "no module 'smm'; did you mean sm?" */

/*
 * One key of a module, and what follows from it: of a cache, the later of `sets` and `size`
 * decides.
 */
bool conf_assign(struct conf *c, const struct conf_module *m, const char *name, const char *value,
                 struct err *e);

struct conf_key {
    const struct conf_module *module;
    const struct key *key;
};

u64 conf_l2_bytes(const struct conf *c); /* all slices together */

struct reg_limits conf_reg_limits(const struct conf *c); /* for program_load */

/* The value as a user would write it; returns buf. */
const char *conf_show(const struct conf *c, const struct conf_key *k, char *buf, size_t size);

/* All keys, in the order of modules and of their sheets. */
void conf_each(void (*visit)(const struct conf_key *k, void *user), void *user);

/* The object {"gpu.name": .., "sm.n_warp": 32, ..}: sizes in bytes, enums as words. */
void conf_json(const struct conf *c, struct json *j);

/* --- the files --- */

/*
 * power.table: sets the keys that conf/power/NAME.conf says.  A name, or a path: of a table that a
 * file names, from that file's folder; else (`said_in` is NULL) from the working directory.
 */
bool conf_load_table(struct conf *c, const char *name, const char *said_in, struct err *e);
char *conf_find_table(const char *name, const char *said_in, struct err *e); /* to be freed */

u32 conf_list_gpus(struct conf_file **list); /* sorted by name; freed by conf_dir_free */

/* The path of a GPU, to be freed; an unknown name gets the known ones. */
char *conf_find_gpu(const char *gpu, struct err *e);

/* The path of the GPU that a GPU's file inherits from, to be freed; NULL if there is none. */
bool conf_find_base(const char *path, char **base, struct err *e);

/* The comment at the top of a file, without its # marks, to be freed. */
char *conf_read_doc(const char *path, struct err *e);

#endif
