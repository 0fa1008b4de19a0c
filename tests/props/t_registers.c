/* t_registers.c -- how many registers the allocation needs, over the reference kernels */
#include <dirent.h>

#include "base/text.h"
#include "places.h"
#include "tests/kit.h"

#define REFERENCE SMELT_SOURCE_DIR "/bench/reference"

/* Loads every module of the reference folder and calls `each` for its kernels. */
static u32 for_each_kernel(void (*each)(const struct func *f, void *arg), void *arg)
{
    DIR *d = opendir(REFERENCE "/kernels");
    struct ptx_conf conf;
    struct dirent *entry;
    struct err e;
    u32 n = 0;

    sheet_defaults(&ptx_sheet, &conf);
    assert_non_null(d);
    while ((entry = readdir(d))) {
        const char *dot = strrchr(entry->d_name, '.');
        size_t len;

        if (!dot || strcmp(dot, ".ptx"))
            continue;
        char *path = text_printf("%s/kernels/%s", REFERENCE, entry->d_name);
        char *text = text_read_file(path, &len, &e);
        struct program *p = program_load(path, text, len, &conf, NULL, 0x100, false, &e);

        assert_non_null(p);
        for (u32 i = 0; i < p->n_func; i++, n++)
            each(&p->func[i], arg);
        program_free(p);
        free(text);
        free(path);
    }
    closedir(d);
    sheet_free(&ptx_sheet, &conf);
    return n;
}

static void check_bound(const struct func *f, void *arg)
{
    (void)arg;
    if (f->n_row > f->max_live + 3)
        fail_msg("%s: %u registers, %u live", f->name, f->n_row, f->max_live);
    assert_int_equal(f->n_spill, 0);
}

static void allocation_needs_at_most_three_more_than_are_live(void **state)
{
    (void)state;
    assert_true(for_each_kernel(check_bound, NULL) > 40);
}

struct counts {
    char *csv;
    u32 n, diff[256];
};

/* The registers that NVIDIA's assembler gave the kernel: column 5 of a row with its name. */
static u32 reference_regs(const char *csv, const char *kernel)
{
    char *key = text_printf(",%s,", kernel);
    const char *at = strstr(csv, key);
    u32 regs = at ? (u32)strtoul(at + strlen(key), NULL, 10) : 0;

    free(key);
    return regs;
}

static void count_difference(const struct func *f, void *arg)
{
    struct counts *c = arg;
    u32 want = reference_regs(c->csv, f->name);

    if (want && c->n < LEN(c->diff))
        c->diff[c->n++] = f->regs > want ? f->regs - want : want - f->regs;
}

static int ascending(const void *a, const void *b)
{
    return (int)*(const u32 *)a - (int)*(const u32 *)b;
}

static void half_the_kernels_are_within_four_of_the_reference(void **state)
{
    struct counts c = {.n = 0};
    struct err e;

    (void)state;
    c.csv = text_read_file(REFERENCE "/launches.csv", NULL, &e);
    assert_non_null(c.csv);
    for_each_kernel(count_difference, &c);
    free(c.csv);
    assert_true(c.n > 40);
    qsort(c.diff, c.n, sizeof c.diff[0], ascending);
    assert_in_range(c.diff[c.n / 2], 0, 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(allocation_needs_at_most_three_more_than_are_live),
    cmocka_unit_test(half_the_kernels_are_within_four_of_the_reference),
};

TEST_MAIN(tests)
