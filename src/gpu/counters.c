/* counters.c -- see counters.h */
#include "gpu/counters.h"

#include "base/ensure.h"
#include "base/json.h"

static const struct counter_sheet sheets[] = {
    {&ptx_sheet, "", offsetof(struct counters, ptx), false},
    {&sm_sheet, "", offsetof(struct counters, sm), true},
    {&ops_sheet, "op_", offsetof(struct counters, ops), true},
    {&l1i_sheet, "l1i_", offsetof(struct counters, l1i), true},
    {&l1d_sheet, "l1d_", offsetof(struct counters, l1d), true},
    {&l1c_sheet, "l1c_", offsetof(struct counters, l1c), true},
    {&l1t_sheet, "l1t_", offsetof(struct counters, l1t), true},
    {&l2_sheet, "l2_", offsetof(struct counters, l2), true},
    {&slice_sheet, "l2_", offsetof(struct counters, slice), true},
    {&dram_sheet, "dram_", offsetof(struct counters, dram), true},
    {&noc_sheet, "noc_request_", offsetof(struct counters, request), true},
    {&noc_sheet, "noc_reply_", offsetof(struct counters, reply), true},
};

const struct counter_sheet *counters_list(u32 *n)
{
    *n = LEN(sheets);
    return sheets;
}

void counters_add(struct counters *to, const struct counters *from)
{
    for (u32 i = 0; i < LEN(sheets); i++)
        sheet_add(sheets[i].sheet, (char *)to + sheets[i].off, (const char *)from + sheets[i].off);
    stall_add(&to->stall, &from->stall);
    to->cycles += from->cycles;
    to->chip_cycles += from->chip_cycles;
    hist_merge(&to->mem_latency, &from->mem_latency);
    hist_merge(&to->dram_latency, &from->dram_latency);
    hist_merge(&to->request_latency, &from->request_latency);
    hist_merge(&to->reply_latency, &from->reply_latency);
    for (u32 i = 0; i < MAX_MECHS; i++)
        for (u32 k = 0; k < MECH_EVENTS; k++)
            to->charged.n[i][k] += from->charged.n[i][k];
}

/* Buckets of powers of two, up to the last that is not 0. */
/* "NAME": its mean, "NAME_log2": [..] */
static void put_hist(struct json *j, const char *name, const struct hist *h)
{
    u32 n = HIST;
    char log2[64];

    snprintf(log2, sizeof(log2), "%s_log2", name);
    if (h->n)
        json_key(j, name), json_real(j, (double)h->sum / (double)h->n);
    while (n && !h->bucket[n - 1])
        n--;
    json_key(j, log2);
    json_row(j);
    for (u32 i = 0; i < n; i++)
        json_u64(j, h->bucket[i]);
    json_arr_end(j);
}

void counters_json(const struct counters *c, bool timed, struct json *j)
{
    for (u32 i = 0; i < LEN(sheets); i++)
        if (timed || !sheets[i].timed)
            sheet_json(sheets[i].sheet, (const char *)c + sheets[i].off, sheets[i].prefix, j);
    if (!timed)
        return;
    put_hist(j, "mem_latency", &c->mem_latency);
    put_hist(j, "dram_latency", &c->dram_latency);
    put_hist(j, "noc_request_latency", &c->request_latency);
    put_hist(j, "noc_reply_latency", &c->reply_latency);
}

void counters_stalls_json(const struct counters *c, struct json *j)
{
    sheet_json(&stall_sheet, &c->stall, "", j);
}

/* Counters only count, so that what came since is never less than nothing. */
static void sub(u64 *to, u64 from)
{
    check_here(*to >= from);
    *to -= from;
}

static void sub_hist(struct hist *to, const struct hist *from)
{
    for (u32 i = 0; i < HIST; i++)
        to->bucket[i] -= from->bucket[i];
    to->sum -= from->sum;
    to->n -= from->n;
}

void counters_sub(struct counters *to, const struct counters *from)
{
    for (u32 i = 0; i < LEN(sheets); i++)
        sheet_sub(sheets[i].sheet, (char *)to + sheets[i].off, (const char *)from + sheets[i].off);
    stall_sub(&to->stall, &from->stall);
    sub(&to->cycles, from->cycles);
    sub(&to->chip_cycles, from->chip_cycles);
    sub_hist(&to->mem_latency, &from->mem_latency);
    sub_hist(&to->dram_latency, &from->dram_latency);
    sub_hist(&to->request_latency, &from->request_latency);
    sub_hist(&to->reply_latency, &from->reply_latency);
    for (u32 i = 0; i < MAX_MECHS; i++)
        for (u32 k = 0; k < MECH_EVENTS; k++)
            sub(&to->charged.n[i][k], from->charged.n[i][k]);
}
