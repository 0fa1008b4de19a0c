/* cmd_disasm.c -- smelt disasm: the machine code that a PTX file becomes. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "conf/conf.h"
#include "ptx/disasm.h"
#include "ptx/ir.h"

struct request {
    const char *path, *gpu, *kernel;
    VEC(const char *) set;
    bool live;
};

/* --- one function --- */

struct listing {
    const struct program *prog;
    const struct func *func;
    const struct ir_func *ir;
    bool *starts, *joins; /* per instruction: a block starts, divergent lanes reconverge */
    u32 *live;            /* or NULL */
};

static void mark_blocks(struct listing *l)
{
    const struct func *f = l->func;
    l->starts = xcalloc(f->n_inst + 1, sizeof(bool));
    l->joins = xcalloc(f->n_inst + 1, sizeof(bool));
    for (u32 b = 0; b < l->ir->n_block; b++)
        l->starts[l->ir->block[b].first] = true;
    for (u32 pc = f->pc; pc < f->pc + f->n_inst; pc++) {
        const struct inst *in = &l->prog->inst[pc];
        bool splits = in->op == OP_brx || (in->op == OP_bra && in->guard != PRED_NONE);
        if (splits && in->reconv != PC_NONE)
            l->joins[in->reconv - f->pc] = true;
    }
}

static void count_live(struct listing *l)
{
    l->live = xcalloc(l->func->n_inst + 1, sizeof(u32));
    struct live *sets = live_new(l->ir);
    live_count(sets, l->ir, l->live);
    live_free(sets);
}

static void print_header(const struct func *f)
{
    printf("%s %s: registers %u, most live %u, predicates %u, spilled %u\n",
           f->is_entry ? "kernel" : "function", f->name, f->regs, f->max_live, f->n_pred,
           f->n_spill);
    printf("    shared %u bytes, local %u bytes, parameters %u bytes, instructions %u\n", f->shared,
           f->local, f->param_bytes, f->n_inst);
}

static void print_place(const struct program *p, u32 pc)
{
    const struct src_loc *loc = &p->loc[pc];
    printf("// %u", loc->line);
    if (loc->src_line && loc->file < p->ptx->n_file && p->ptx->file[loc->file])
        printf(" %s:%u", text_base_name(p->ptx->file[loc->file]), loc->src_line);
    putchar('\n');
}

static void print_inst(const struct listing *l, u32 i)
{
    char text[DISASM_TEXT], guard[16];
    u32 pc = l->func->pc + i;
    if (l->starts[i])
        printf("L%u:%s\n", pc, l->joins[i] ? "  // reconvergence" : "");
    printf("%6u ", pc);
    if (l->live)
        printf("%4u ", l->live[i]);
    disasm_guard(&l->prog->inst[pc], guard, sizeof(guard));
    printf("%5s %-48s ", guard, disasm_inst(l->prog, l->func, pc, text, sizeof(text)));
    print_place(l->prog, pc);
}

static void print_func(const struct program *p, const struct func *f, bool live)
{
    struct listing l = {.prog = p, .func = f, .ir = p->ir[f->id]};
    print_header(f);
    mark_blocks(&l);
    if (live)
        count_live(&l);
    for (u32 i = 0; i < f->n_inst; i++)
        print_inst(&l, i);
    free(l.starts);
    free(l.joins);
    free(l.live);
}

/* --- the command --- */

static bool print_program(const struct request *r, const struct program *p, struct err *e)
{
    const struct func *only = NULL;
    bool first = true;
    if (r->kernel && !(only = program_kernel(p, r->kernel, e)))
        return false;
    for (u32 i = 0; i < p->n_func; i++) {
        const struct func *f = &p->func[i];
        if ((only && f != only) || !f->n_inst)
            continue;
        printf("%s", first ? "" : "\n");
        first = false;
        print_func(p, f, r->live);
    }
    return true;
}

static struct program *load_ptx(const struct request *r, struct err *e)
{
    struct conf c;
    size_t len;
    char *text = text_read_file(r->path, &len, e);
    if (!text || !conf_make(&c, r->gpu, r->set.at, r->set.n, e)) {
        free(text);
        return NULL;
    }
    struct reg_limits limits = conf_reg_limits(&c);
    struct program *p = program_load(r->path, text, len, &c.ptx, &limits, c.mem.var_base, true, e);
    free(text);
    conf_free(&c);
    return p;
}

static int disasm(const struct request *r)
{
    struct err e;
    struct program *p = load_ptx(r, &e);
    if (!p)
        return err_tell(&e);
    bool ok = print_program(r, p, &e);
    program_free(p);
    return ok ? 0 : err_tell(&e);
}

static int parse_and_disasm(struct request *r, struct cli_args *a)
{
    const char *word;
    while (cli_more(a)) {
        if (cli_option(a, "--set", &word)) {
            *VEC_ADD(&r->set) = word;
        } else if (cli_flag(a, "--live")) {
            r->live = true;
        } else if (!cli_option(a, "-g|--gpu", &r->gpu) && !cli_option(a, "--kernel", &r->kernel)) {
            if (!cli_word(a, &word))
                return cli_unknown(a);
            if (r->path)
                return cli_misuse(a, "disasm takes one file, not also '%s'", word);
            r->path = word;
        }
    }
    if (a->failed)
        return ERR_USER;
    return r->path ? disasm(r) : cli_misuse(a, "disasm what? no file was given");
}

int cmd_disasm(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct request r = {.gpu = CONF_GPU};
    int status = parse_and_disasm(&r, &a);
    VEC_FREE(&r.set);
    return status;
}
