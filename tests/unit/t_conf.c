/* t_conf.c -- GPU files: sections, inheritance, where they are found, and what mistakes say. */
#include "conf/conf.h"
#include "base/text.h"
#include "tests/test_main.h"

#include <sys/stat.h>
#include <unistd.h>

static struct conf c;
static struct err e;

static bool parse(const char *text)
{
    return conf_parse_text(&c, text, "x.conf", &e);
}

static void an_empty_text_gives_the_defaults(void **state)
{
    (void)state;
    assert_true(parse(""));
    assert_int_equal(c.sm.n_warp, 32);
    assert_int_equal(c.mem.base, 0xC0000000);
    assert_int_equal(c.ptx.lower, 1);
    assert_string_equal(c.name, "x");
    assert_true(conf_check(&c, &e));
    conf_free(&c);
}

static void sections_comments_and_blanks_are_understood(void **state)
{
    (void)state;
    assert_true(parse("# a comment\n; another\n\n[sm]\n  n_warp = 7   # why\r\n\tregs=2048 ; so\n"
                      "[gpu]\nname = A #1 of B#2\n[mem]\nsize=32M"));
    assert_int_equal(c.sm.n_warp, 7);
    assert_int_equal(c.sm.regs, 2048);
    assert_string_equal(c.gpu.name, "A");
    assert_int_equal(c.mem.size, 32 << 20);
    conf_free(&c);
}

static void mistakes_name_the_line_and_the_key(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"[sm]\n\nn_warp = 65\n", "x.conf:3: sm.n_warp: 65 warps is outside 1..64"},
        {"[sm]\nn_wrap = 5\n", "x.conf:2: sm.n_wrap: no such key; did you mean n_warp?"},
        {"[smm]\nx = 5\n", "x.conf:2: no module 'smm'; did you mean sm?"},
        {"n_warp = 5\n", "x.conf:1: 'n_warp' stands before any [module]; only base may"},
        {"[sm]\nn_warp = 5\nn_warp = 5\n", "x.conf:3: sm.n_warp: set a second time"},
        {"[sm]\nhello\nn_warp = 99\n", "x.conf:2: is neither 'key = value' nor '[module]'"},
        {"[sm]\nn_warp = 99\nhello\n", "x.conf:2: sm.n_warp: 99 warps is outside 1..64"},
        {"[sm\n", "x.conf:1: is neither 'key = value' nor '[module]'"},
        {"[sm]\nregs = 0x\n", "x.conf:2: sm.regs: '0x' is not a whole number"},
        {"[front]\nlower = onn\n",
         "x.conf:2: front.lower: 'onn' is not one of off|on; did you mean on?"},
    };
    for (size_t i = 0; i < LEN(bad); i++) {
        assert_false(parse(bad[i][0]));
        assert_string_equal(e.msg, bad[i][1]);
        assert_int_equal(e.status, ERR_USER);
    }
}

static void an_unknown_module_lists_the_known_ones(void **state)
{
    (void)state;
    u32 n;
    const struct conf_module *m = conf_modules(&n);
    assert_false(parse("[quux]\nx = 5\n"));
    assert_memory_equal(e.msg, "x.conf:2: no module 'quux'; there are gpu sm ", 45);
    for (u32 i = 0; i < n; i++) {
        char *name = text_printf(" %s", m[i].sheet->module);
        assert_non_null(strstr(e.msg, name));
        free(name);
    }
}

static void a_line_that_is_too_long_is_refused(void **state)
{
    (void)state;
    char text[1000];
    memset(text, 'x', sizeof(text));
    memcpy(text, "[gpu]\nname = ", 13);
    text[sizeof(text) - 1] = 0;
    assert_false(parse(text));
    assert_memory_equal(e.msg, "x.conf:2: a line is longer than ", 32);
}

static void assignments_change_keys(void **state)
{
    (void)state;
    assert_true(parse(""));
    assert_true(conf_set(&c, "sm.n_warp=16", &e));
    assert_true(conf_set(&c, " mem.size = 1G ", &e));
    assert_true(conf_set(&c, "gpu.name=a=b", &e));
    assert_true(conf_set(&c, "front.regs=", &e));
    assert_int_equal(c.sm.n_warp, 16);
    assert_int_equal(c.mem.size, 1 << 30);
    assert_string_equal(c.gpu.name, "a=b");
    conf_free(&c);
}

static void wrong_assignments_are_explained(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"sm.n_warp", "'sm.n_warp' is not MODULE.KEY=VALUE"},
        {"n_warp=3", "no key 'n_warp'; did you mean sm.n_warp?"},
        {"foo=3", "no key 'foo': a key is MODULE.NAME, such as sm.n_warp"},
        {"xm.n_warp=3", "no module 'xm'; did you mean sm?"},
        {"sm.=3", "sm.: no such key; see smelt list keys"},
        {"sm.n_warp=many", "sm.n_warp: 'many' is not a whole number"},
    };
    assert_true(parse(""));
    for (size_t i = 0; i < LEN(bad); i++) {
        assert_false(conf_set(&c, bad[i][0], &e));
        assert_string_equal(e.msg, bad[i][1]);
    }
    conf_free(&c);
}

static void keys_that_do_not_fit_each_other_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"[sm]\nwarp_words = 2\nmax_threads = 32\n",
         "sm.max_threads: 32 is less than one warp of 64 threads (32 * sm.warp_words)"},
        {"[sm]\nshared_granule = 96\n", "sm.shared_granule: 96 is not a power of two"},
        {"[sm]\nshared_granule = 64K\n", "sm.shared_granule: 64K is more than sm.shared, 48K"},
        {"[mem]\nalign = 48\n", "mem.align: 48 is not a power of two"},
        {"[mem]\nbase = 0x10001\n", "mem.base: 0x10001 is not a multiple of mem.align, 256"},
        {"[mem]\nbase = 0x20000\nvar_base = 0x20000\n",
         "mem.var_base: 0x20000 is not below mem.base, 0x20000"},
        {"[mem]\nsize = 1M\nheap = 2M\n", "mem.heap: 2M is more than mem.size, 1M"},
        {"[front]\nmax_regs = 64\n[sm]\nregs = 1024\n",
         "front.max_regs: 64 registers for each of the 32 threads of a warp are more than "
         "sm.regs, 1024"},
        {"[front]\nregs = many\n", "front.regs: 'many' is not a number of registers"},
        {"[front]\nregs = k:0\n", "front.regs: 0 registers is outside 1..255"},
        {"[front]\nregs = :3\n", "front.regs: ':3' has no kernel before the colon"},
        {"[front]\nregs = a:3,4\n", "front.regs: '4' needs KERNEL: before it, as others have"},
    };
    for (size_t i = 0; i < LEN(bad); i++) {
        assert_true(parse(bad[i][0]));
        assert_false(conf_check(&c, &e));
        assert_string_equal(e.msg, bad[i][1]);
        conf_free(&c);
    }
}

static void registers_may_be_given_per_kernel(void **state)
{
    (void)state;
    assert_true(parse("[front]\nregs = add:12, mul:20\n") && conf_check(&c, &e));
    assert_int_equal(ptx_conf_regs(&c.ptx, "add"), 12);
    assert_int_equal(ptx_conf_regs(&c.ptx, "mul"), 20);
    assert_int_equal(ptx_conf_regs(&c.ptx, "ad"), 0);
    assert_true(conf_set(&c, "front.regs=17", &e));
    assert_int_equal(ptx_conf_regs(&c.ptx, "add"), 17);
    assert_true(conf_set(&c, "front.regs=", &e));
    assert_int_equal(ptx_conf_regs(&c.ptx, "add"), 0);
    conf_free(&c);
}

static void a_copy_is_independent(void **state)
{
    (void)state;
    struct conf d;
    assert_true(parse("[gpu]\nname = one\n"));
    conf_copy(&d, &c);
    assert_true(conf_set(&c, "gpu.name=two", &e));
    assert_string_equal(d.gpu.name, "one");
    assert_string_equal(d.name, "x");
    conf_free(&c);
    conf_free(&d);
}

static void json_has_every_key_once_with_its_type(void **state)
{
    (void)state;
    struct json j;
    assert_true(parse("[gpu]\nname = \"q\"\n[mem]\nsize = 1G\n"));
    json_open_buf(&j);
    conf_json(&c, &j);
    char *text = json_close_buf(&j, NULL);
    assert_non_null(strstr(text, "\n  \"gpu.name\": \"\\\"q\\\"\",\n"));
    assert_non_null(strstr(text, "\n  \"sm.n_warp\": 32,\n"));
    assert_non_null(strstr(text, "\n  \"mem.size\": 1073741824,\n"));
    assert_non_null(strstr(text, "\n  \"mem.base\": 3221225472,\n"));
    assert_non_null(strstr(text, "\n  \"front.lower\": \"on\",\n"));
    assert_null(strstr(text, "threads\": 0"));
    free(text);
    conf_free(&c);
}

static void count_key(const struct conf_key *k, void *user)
{
    const struct conf_module *m = conf_find_module(k->module->sheet->module);
    assert_ptr_equal(m, k->module);
    assert_ptr_equal(sheet_find(m->sheet, k->key->name), k->key);
    assert_true(strlen(k->key->doc) > 5);
    ++*(u32 *)user;
}

static void every_key_is_found_by_its_name_and_has_a_doc(void **state)
{
    (void)state;
    u32 n = 0, n_module, sum = 0;
    conf_each(count_key, &n);
    const struct conf_module *m = conf_modules(&n_module);
    for (u32 i = 0; i < n_module; i++)
        sum += m[i].sheet->n_key;
    assert_int_equal(n, sum);
    assert_true(n > 30);
}

/* --- files --- */

static char dir[] = "/tmp/smelt_conf_XXXXXX";

static void put(const char *name, const char *text)
{
    char *path = text_printf("%s/gpu/%s", dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(path);
}

static int make_dir(void **state)
{
    (void)state;
    memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
    if (!mkdtemp(dir))
        return -1;
    char *gpu = text_printf("%s/gpu", dir);
    int status = mkdir(gpu, 0700);
    free(gpu);
    setenv("SMELT_CONF_DIR", dir, 1);
    return status;
}

static int drop_dir(void **state)
{
    (void)state;
    static const char *const files[] = {"gpu/a.conf", "gpu/b.conf", "gpu/tiny.conf", "gpu", ""};
    for (size_t i = 0; i < LEN(files); i++) {
        char *path = text_printf("%s/%s", dir, files[i]);
        remove(path);
        free(path);
    }
    unsetenv("SMELT_CONF_DIR");
    return 0;
}

static void a_file_inherits_and_overrides(void **state)
{
    (void)state;
    put("a.conf", "base = b\n[sm]\nn_warp = 3\n");
    put("b.conf", "base = gtx480\n[sm]\nn_warp = 5\nregs = 4096\n");
    assert_true(conf_load(&c, "a", &e));
    assert_string_equal(c.name, "a");
    assert_int_equal(c.sm.n_warp, 3);
    assert_int_equal(c.sm.regs, 4096);
    assert_int_equal(c.gpu.n_sm, 15);
    conf_free(&c);
}

static void an_error_in_a_base_names_both_files(void **state)
{
    (void)state;
    put("a.conf", "# me\nbase = b\n");
    put("b.conf", "[sm]\nn_warp = 0\n");
    assert_false(conf_load(&c, "a", &e));
    assert_non_null(strstr(e.msg, "/gpu/a.conf:2: "));
    assert_non_null(strstr(e.msg, "/gpu/b.conf:2: sm.n_warp: 0 warps is outside 1..64"));
}

static void a_circle_of_bases_is_refused(void **state)
{
    (void)state;
    put("a.conf", "base = b\n");
    put("b.conf", "base = a\n");
    assert_false(conf_load(&c, "a", &e));
    assert_non_null(strstr(e.msg, "base: a inherits from itself"));
    put("a.conf", "base = ./a.conf\n");
    assert_false(conf_load(&c, "a", &e));
    assert_non_null(strstr(e.msg, "inherits from itself"));
}

static void base_comes_first(void **state)
{
    (void)state;
    assert_false(parse("[sm]\nn_warp=3\n[gpu]\nbase = tiny\n"));
    assert_string_equal(e.msg, "x.conf:4: gpu.base: no such key; see smelt list keys");
    assert_false(parse("base = tiny\nbase = tiny\n"));
    assert_string_equal(e.msg, "x.conf:2: base: must come before all keys");
}

static void an_earlier_folder_hides_a_later_one(void **state)
{
    (void)state;
    put("tiny.conf", "[sm]\nn_warp = 9\n");
    assert_true(conf_load(&c, "tiny", &e));
    assert_int_equal(c.sm.n_warp, 9);
    conf_free(&c);
}

static void an_unknown_gpu_lists_the_known_ones(void **state)
{
    (void)state;
    assert_false(conf_load(&c, "gtx48", &e));
    assert_non_null(strstr(e.msg, "no GPU 'gtx48'; known: "));
    assert_non_null(strstr(e.msg, "gtx480, "));
    assert_non_null(strstr(e.msg, "; did you mean gtx480?"));
    assert_false(conf_load(&c, "./gtx480.conf", &e));
    assert_string_equal(e.msg, "./gtx480.conf: No such file or directory");
}

static void the_bundled_gpus_are_consistent_and_documented(void **state)
{
    (void)state;
    struct conf_file *gpu;
    u32 n = conf_list_gpus(&gpu);
    assert_true(n >= 2);
    for (u32 i = 0; i < n; i++) {
        assert_true(conf_make(&c, gpu[i].name, NULL, 0, &e));
        conf_free(&c);
        char *doc = conf_read_doc(gpu[i].path, &e);
        assert_true(strlen(doc) > 40 && doc[0] != '#' && doc[0] != ' ');
        free(doc);
        assert_true(i == 0 || strcmp(gpu[i - 1].name, gpu[i].name) < 0);
    }
    conf_dir_free(gpu, n);
}

/* What other files and tests count on. */
static void gtx480_and_tiny_have_their_sizes(void **state)
{
    (void)state;
    assert_true(conf_make(&c, "gtx480", NULL, 0, &e));
    assert_int_equal(c.gpu.n_sm, 15);
    assert_int_equal(c.sm.n_warp, 48);
    assert_int_equal(c.sm.shared, 49152);
    assert_int_equal(c.mem.guard, 0);
    assert_int_equal(conf_l2_bytes(&c), 12 * 65536);
    conf_free(&c);
    static const char *const set[] = {"sm.n_warp=4", "mem.guard=0"};
    assert_true(conf_make(&c, "tiny", set, 2, &e));
    assert_int_equal(c.sm.n_warp, 4);
    assert_int_equal(c.gpu.n_sm, 2);
    assert_int_equal(c.mem.size, 16 << 20);
    conf_free(&c);
    static const char *const bad[] = {"sm.n_warp=400"};
    assert_false(conf_make(&c, "tiny", bad, 1, &e));
    assert_string_equal(e.msg, "--set: sm.n_warp: 400 warps is outside 1..64");
}

static u64 sets_with(const char *first, const char *second)
{
    const char *const set[] = {first, second};
    if (!conf_make(&c, "gtx480", set, 2, &e))
        fail_msg("%s", e.msg);
    u64 sets = c.l1d.sets;
    conf_free(&c);
    return sets;
}

static void the_size_of_a_cache_makes_its_sets_and_the_later_decides(void **state)
{
    (void)state;
    assert_int_equal(sets_with("l1d.size=32K", "sm.n_warp=48"), 64);
    assert_int_equal(sets_with("l1d.size=16K", "l1d.ways=4"), 32);
    assert_int_equal(sets_with("l1d.size=48K", "l1d.ways=6"), 64);
    assert_int_equal(sets_with("l1d.ways=12", "l1d.size=48K"), 32);
    assert_int_equal(sets_with("l1d.size=32K", "l1d.sets=32"), 32);
    assert_int_equal(sets_with("l1d.sets=32", "l1d.size=32K"), 64);
    assert_int_equal(sets_with("l1d.index=linear", "l1d.size=48K"), 96);
}

#define FILES(f) cmocka_unit_test_setup_teardown(f, make_dir, drop_dir)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_text_gives_the_defaults),
    cmocka_unit_test(sections_comments_and_blanks_are_understood),
    cmocka_unit_test(mistakes_name_the_line_and_the_key),
    cmocka_unit_test(an_unknown_module_lists_the_known_ones),
    cmocka_unit_test(a_line_that_is_too_long_is_refused),
    cmocka_unit_test(assignments_change_keys),
    cmocka_unit_test(wrong_assignments_are_explained),
    cmocka_unit_test(keys_that_do_not_fit_each_other_are_refused),
    cmocka_unit_test(registers_may_be_given_per_kernel),
    cmocka_unit_test(a_copy_is_independent),
    cmocka_unit_test(json_has_every_key_once_with_its_type),
    cmocka_unit_test(every_key_is_found_by_its_name_and_has_a_doc),
    FILES(a_file_inherits_and_overrides),
    FILES(an_error_in_a_base_names_both_files),
    FILES(a_circle_of_bases_is_refused),
    cmocka_unit_test(base_comes_first),
    FILES(an_earlier_folder_hides_a_later_one),
    cmocka_unit_test(an_unknown_gpu_lists_the_known_ones),
    cmocka_unit_test(the_bundled_gpus_are_consistent_and_documented),
    cmocka_unit_test(gtx480_and_tiny_have_their_sizes),
    cmocka_unit_test(the_size_of_a_cache_makes_its_sets_and_the_later_decides),
};

TEST_MAIN(tests)
