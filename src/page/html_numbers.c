/* html_numbers.c -- see html_numbers.h */
#include "page/html_numbers.h"

#include <math.h>

static const struct {
    const char *name, *object, *key;
    double scale;
} numbers[N_MAIN] = {
    {"cycles", "total", "cycles", 1},
    {"IPC", "total", "ipc", 1},
    {"occupancy, %", "stats", "occupancy", 100},
    {"SIMT, %", "stats", "simt_efficiency", 100},
    {"L1D misses, %", "stats", "l1d_miss_rate", 100},
    {"L2 misses, %", "stats", "l2_miss_rate", 100},
    {"DRAM use, %", "stats", "dram_utilization", 100},
    {"power, W", "total", "power_w", 1},
    {"energy, mJ", "total", "energy_j", 1000},
};

double html_json_number(const struct json_value *run, const char *object, const char *key)
{
    return json_number(json_get(run, object), key, NAN);
}

const char *html_json_text(const struct json_value *v, const char *key)
{
    const struct json_value *m = json_get(v, key);
    return m && m->text ? m->text : "";
}

struct html_numbers html_numbers_of(const struct json_value *run)
{
    struct html_numbers n;
    for (u32 i = 0; i < N_MAIN; i++)
        n.v[i] = numbers[i].scale * html_json_number(run, numbers[i].object, numbers[i].key);
    return n;
}

struct html_numbers html_numbers_none(void)
{
    return html_numbers_of(NULL);
}

void html_numbers_columns(struct html *h)
{
    for (u32 i = 0; i < N_MAIN; i++)
        html_column(h, numbers[i].name);
}

void html_numbers_cells(struct html *h, const struct html_numbers *n)
{
    for (u32 i = 0; i < N_MAIN; i++)
        html_number(h, n->v[i]);
}

struct json_value *html_result(struct store *st, const char *key, struct err *e)
{
    size_t len;
    char *text = store_json(st, key, &len, e);
    struct json_slices kernels = {0};
    struct json_value *run = text ? json_read_slices(key, text, len, "kernels", &kernels, e) : NULL;
    VEC_FREE(&kernels);
    free(text);
    return run;
}
