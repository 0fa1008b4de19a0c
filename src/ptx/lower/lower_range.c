/* lower_range.c -- live intervals with holes, see lower_alloc.h */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_alloc.h"

struct found {
    u32 reg;
    struct range range;
};

struct finder {
    const struct ir_func *f;
    VEC(struct found) found; /* of each register the last range first */
    u32 *end;                /* of the range that is open, 0: none */
};

static void add_found(struct finder *x, u32 reg, u32 from, u32 to)
{
    *VEC_ADD(&x->found) = (struct found){reg, {from, to}};
}

/* May results not take the rows of operands?  (The first result of most may.) */
static bool writes_early(const struct ir_inst *in)
{
    const struct op_info *o = &op_info[in->op];
    u32 n = 0;

    for (u32 i = 0; i < LEN(in->dst); i++)
        n += in->dst[i] != IR_NONE;
    if (n > 1 || (o->form == FORM_CMP && in->mod & MOD_SET_Q))
        return true;
    return o->form == FORM_MISC || o->form == FORM_TEX || o->form == FORM_MMA ||
           o->form == FORM_CTRL;
}

static void scan_inst(struct finder *x, u32 i)
{
    const struct ir_inst *in = &x->f->inst[i];
    u32 reg[IR_MAX_OPND], written = 2 * i + !writes_early(in);

    for (u32 n = ir_defs(x->f, in, reg); n-- > 0;) {
        u32 r = reg[n];

        add_found(x, r, written, x->end[r] ? x->end[r] : 2 * i + 2);
        x->end[r] = 0;
    }
    for (u32 n = ir_uses(x->f, in, reg); n-- > 0;)
        if (!x->end[reg[n]])
            x->end[reg[n]] = 2 * i + 1;
}

static void scan_block(struct finder *x, const struct live *l, u32 b, u32 *list)
{
    u32 first = x->f->block[b].first, end = first + x->f->block[b].n;
    u32 n = live_list(l, b, true, list);

    for (u32 i = 0; i < n; i++)
        x->end[list[i]] = 2 * end;
    for (u32 i = end; i-- > first;)
        scan_inst(x, i);
    n = live_list(l, b, false, list);
    for (u32 i = 0; i < n; i++) {
        add_found(x, list[i], 2 * first, x->end[list[i]]);
        x->end[list[i]] = 0;
    }
}

void ranges_append(struct interval *v, struct range r)
{
    if (v->n && r.from <= v->at[v->n - 1].to) {
        if (v->at[v->n - 1].to < r.to)
            v->at[v->n - 1].to = r.to;
        return;
    }
    v->at[v->n++] = r;
}

static void sort_out(struct ranges *r, const struct finder *x)
{
    u32 at = 0, *count = xcalloc(r->n_reg + 1, sizeof(u32));

    for (u32 i = 0; i < x->found.n; i++)
        count[x->found.at[i].reg]++;
    r->store = xmalloc((x->found.n + 1) * sizeof(struct range));
    for (u32 reg = 0; reg < r->n_reg; reg++) {
        r->of[reg].at = &r->store[at];
        at += count[reg];
    }
    for (u32 i = x->found.n; i-- > 0;)
        ranges_append(&r->of[x->found.at[i].reg], x->found.at[i].range);
    free(count);
}

struct ranges ranges_new(const struct ir_func *f)
{
    struct finder x = {.f = f, .end = xcalloc(f->n_reg + 1, sizeof(u32))};
    struct ranges r = {.n_reg = f->n_reg};
    struct live *l = live_new(f);
    u32 *list = xmalloc((live_max_list(l) + 1) * sizeof(u32));

    r.of = xcalloc(f->n_reg + 1, sizeof(struct interval));
    r.held = xcalloc(f->n_reg + 1, sizeof(struct interval));
    for (u32 b = f->n_block; b-- > 0;)
        scan_block(&x, l, b, list);
    sort_out(&r, &x);
    live_free(l);
    free(list);
    free(x.end);
    VEC_FREE(&x.found);
    return r;
}

void ranges_free(struct ranges *r)
{
    for (u32 i = 0; i < r->n_reg; i++) {
        if (r->of[i].owned)
            free(r->of[i].at);
        if (r->held[i].owned)
            free(r->held[i].at);
    }
    free(r->of);
    free(r->held);
    free(r->store);
    free(r->held_store);
}

bool ranges_meet(const struct interval *a, const struct interval *b)
{
    for (u32 i = 0, k = 0; i < a->n && k < b->n;) {
        if (a->at[i].to <= b->at[k].from)
            i++;
        else if (b->at[k].to <= a->at[i].from)
            k++;
        else
            return true;
    }
    return false;
}

void ranges_join(struct interval *a, struct interval *b)
{
    struct interval sum = {0, true, xmalloc((a->n + b->n + 1) * sizeof(struct range))};

    for (u32 i = 0, k = 0; i < a->n || k < b->n;) {
        if (k == b->n || (i < a->n && a->at[i].from < b->at[k].from))
            ranges_append(&sum, a->at[i++]);
        else
            ranges_append(&sum, b->at[k++]);
    }
    if (a->owned)
        free(a->at);
    if (b->owned)
        free(b->at);
    *a = sum;
    *b = (struct interval){0};
}

void ranges_demand(const struct ir_func *f, const struct ranges *r, u32 *demand)
{
    u32 *change = xcalloc(2 * f->n_inst + 2, sizeof(u32)), rows = 0;

    for (u32 reg = 0; reg < r->n_reg; reg++)
        for (u32 i = 0; i < r->of[reg].n; i++) {
            change[r->of[reg].at[i].from] += lower_rows(f, reg);
            change[r->of[reg].at[i].to] -= lower_rows(f, reg);
        }
    for (u32 i = 0; i < f->n_inst; i++) {
        u32 read = rows += change[2 * i], written = rows += change[2 * i + 1];

        demand[i] = read > written ? read : written;
    }
    free(change);
}
