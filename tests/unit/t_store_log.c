/* t_store_log.c -- stores of groups that other groups do not see yet: who joins whom, and their order */
#include "exec/store_log.h"
#include "tests/test_main.h"

enum { DEVICE = 0x10000 };

struct logs {
    struct store_log at[2];
    u8 memory[4 * STORE_LOG_BLOCK];
};

static void logs_open(struct logs *l)
{
    memset(l, 0, sizeof *l);
    for (u32 i = 0; i < 2; i++)
        store_log_init(&l->at[i]);
}

/* A word of log i to a word of memory. */
static void add_word(struct logs *l, u32 i, u64 cycle, u32 word, u32 v)
{
    store_log_add(&l->at[i], cycle, DEVICE + 4ull * word, l->memory + 4ull * word, &v, sizeof v);
}

static u32 word_at(const struct logs *l, u32 word)
{
    u32 v;

    memcpy(&v, l->memory + 4ull * word, sizeof v);
    return v;
}

static void logs_apply(struct logs *l)
{
    struct store_log *all[2] = {&l->at[0], &l->at[1]};

    store_logs_apply(all, 2);
    assert_int_equal(l->at[0].n + l->at[1].n, 0);
}

static void logs_close(struct logs *l)
{
    for (u32 i = 0; i < 2; i++)
        store_log_free(&l->at[i]);
}

/* Words 0 to 7 of a cycle are one record; of the next block, another one; word 40 follows nobody. */
static void neighbours_of_a_cycle_are_one_record(void **state)
{
    struct logs l;

    (void)state;
    logs_open(&l);
    for (u32 k = 0; k < 8; k++)
        add_word(&l, 0, 5, k, 100 + k);
    assert_int_equal(l.at[0].n, 1);
    add_word(&l, 0, 5, 31, 131);
    add_word(&l, 0, 5, 32, 132);
    assert_int_equal(l.at[0].n, 3);
    add_word(&l, 0, 5, 40, 140);
    assert_int_equal(l.at[0].n, 4);
    logs_apply(&l);
    for (u32 k = 0; k < 8; k++)
        assert_int_equal(word_at(&l, k), 100 + k);
    assert_int_equal(word_at(&l, 31), 131);
    assert_int_equal(word_at(&l, 32), 132);
    assert_int_equal(word_at(&l, 40), 140);
    logs_close(&l);
}

/*
 * Log 0 writes word 0 in cycle 1 and word 1, its neighbour, in cycle 2; log 1 word 1 in cycle 1.  The last of
 * word 1 is log 0's.
 */
static void a_neighbour_of_a_later_cycle_keeps_its_cycle(void **state)
{
    struct logs l;

    (void)state;
    logs_open(&l);
    add_word(&l, 0, 1, 0, 10), add_word(&l, 0, 2, 1, 20);
    add_word(&l, 1, 1, 1, 30);
    assert_int_equal(l.at[0].n, 2);
    logs_apply(&l);
    assert_int_equal(word_at(&l, 0), 10);
    assert_int_equal(word_at(&l, 1), 20);
    logs_close(&l);
}

/* Of one cycle the higher log is later, of one log what was stored later. */
static void in_a_cycle_logs_go_in_order(void **state)
{
    struct logs l;

    (void)state;
    logs_open(&l);
    add_word(&l, 1, 3, 0, 10);
    add_word(&l, 0, 3, 0, 20), add_word(&l, 0, 3, 1, 21);
    add_word(&l, 0, 4, 2, 22), add_word(&l, 0, 4, 2, 23);
    logs_apply(&l);
    assert_int_equal(word_at(&l, 0), 10);
    assert_int_equal(word_at(&l, 1), 21);
    assert_int_equal(word_at(&l, 2), 23);
    logs_close(&l);
}

/* Neighbours on the device that are far apart on the host: the end of one allocation and the next. */
static void places_apart_on_the_host_are_two_records(void **state)
{
    static const u32 v[] = {7, 8};
    struct logs l;

    (void)state;
    logs_open(&l);
    store_log_add(&l.at[0], 1, DEVICE, l.memory, &v[0], 4);
    store_log_add(&l.at[0], 1, DEVICE + 4, l.memory + 200, &v[1], 4);
    assert_int_equal(l.at[0].n, 2);
    logs_apply(&l);
    assert_int_equal(word_at(&l, 0), 7);
    assert_int_equal(word_at(&l, 1), 0);
    assert_int_equal(word_at(&l, 50), 8);
    logs_close(&l);
}

/* Lane 0 reads words 0 and 1, of which 1 is in the log, twice; lane 1 words 2 and 3, which are not. */
static void a_load_sees_the_newest_bytes(void **state)
{
    const u64 addr[LANES] = {DEVICE, DEVICE + 8};
    const u32 was[] = {1, 2, 3, 4}, want[] = {1, 21};
    struct logs l;

    (void)state;
    logs_open(&l);
    memcpy(l.memory, was, sizeof was);
    u8 *host[LANES] = {l.memory, l.memory + 8};

    add_word(&l, 0, 1, 1, 20), add_word(&l, 0, 2, 1, 21);
    assert_int_equal(store_log_patch(&l.at[0], addr, host, 3, 8), 1);
    assert_memory_equal(l.at[0].patch[0], want, sizeof want);
    assert_int_equal(store_log_patch(&l.at[1], addr, host, 3, 8), 0);
    logs_close(&l);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(neighbours_of_a_cycle_are_one_record),
    cmocka_unit_test(a_neighbour_of_a_later_cycle_keeps_its_cycle),
    cmocka_unit_test(in_a_cycle_logs_go_in_order),
    cmocka_unit_test(places_apart_on_the_host_are_two_records),
    cmocka_unit_test(a_load_sees_the_newest_bytes),
};

TEST_MAIN(tests)
