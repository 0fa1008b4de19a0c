/* The store: rows, results, claims, and files that are none. */
#include "store/store.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/test_main.h"

#define KEY_A "0123456789abcdef0123456789abcdef"
#define KEY_B "0123ffffffffffffffffffffffffffff"

static struct err e;
static const char result[] = "{\n  \"status\": \"done\"\n}\n";

static struct store *fresh(const char *path)
{
    unlink(path);
    struct store *s = store_open(path, STORE_WRITE, &e);

    if (!s)
        fail_msg("%s", e.msg);
    return s;
}

static void sql(const char *path, const char *text)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static struct store_row row(const char *key, enum store_state state, const char *finished)
{
    struct store_row r = {.program = text_dup("dir/bfs"),
                          .args = text_dup("--size 9"),
                          .gpu = text_dup("gtx480"),
                          .mech = text_dup("gates:variant=naive"),
                          .set = text_dup("sm.n_warp=8"),
                          .build = text_dup("1.0 (abc) 99aa"),
                          .state = state,
                          .message = state == STORE_DONE ? NULL : text_dup("why\nlast line"),
                          .finished = text_dup(finished),
                          .host = text_dup("here"),
                          .cycles = 12345678901.0,
                          .warp_insts = 7,
                          .thread_insts = 8,
                          .ipc = 0.1,
                          .energy_j = NAN,
                          .power_w = NAN,
                          .seconds = 1.5,
                          .cpu_seconds = 1.25,
                          .sample = 100,
                          .peak_bytes = 4096};

    memcpy(r.key, key, HASH_HEX);
    return r;
}

static void put(struct store *s, const char *key, enum store_state state, const char *finished)
{
    struct store_row r = row(key, state, finished);

    assert_true(store_put(s, &r, state == STORE_DONE ? result : NULL, strlen(result), &e));
    store_row_free(&r);
}

/* ---- rows */

static void a_row_comes_back_whole(void **state)
{
    struct store *s = fresh("a.db");
    struct store_row r;
    size_t len;

    (void)state;
    assert_int_equal(store_state(s, KEY_A), STORE_NONE);
    put(s, KEY_A, STORE_DONE, "2025-01-01T00:00:00Z");
    assert_int_equal(store_state(s, KEY_A), STORE_DONE);
    assert_true(store_get(s, KEY_A, &r, &e));
    assert_string_equal(r.program, "dir/bfs");
    assert_string_equal(r.set, "sm.n_warp=8");
    assert_true(r.cycles == 12345678901.0 && r.ipc == 0.1 && isnan(r.energy_j));
    assert_true(r.sample == 100 && r.peak_bytes == 4096 && r.result_bytes == strlen(result));
    assert_null(r.message);
    store_row_free(&r);
    char *json = store_json(s, KEY_A, &len, &e);

    assert_string_equal(json, result);
    assert_int_equal(len, strlen(result));
    free(json);
    store_close(s);
}

static void a_later_row_takes_the_place_of_a_failed_one(void **state)
{
    struct store *s = fresh("a.db");
    struct store_row r;
    size_t len;

    (void)state;
    put(s, KEY_A, STORE_FAILED, "2025-01-01T00:00:00Z");
    assert_int_equal(store_state(s, KEY_A), STORE_FAILED);
    assert_null(store_json(s, KEY_A, &len, &e));
    assert_string_equal(e.msg, "a.db: point " KEY_A " failed and has no result");
    assert_true(store_get(s, KEY_A, &r, &e));
    assert_string_equal(r.message, "why\nlast line");
    store_row_free(&r);
    put(s, KEY_A, STORE_DONE, "2025-01-02T00:00:00Z");
    assert_int_equal(store_state(s, KEY_A), STORE_DONE);
    store_close(s);
}

static void what_is_not_there_is_told(void **state)
{
    struct store *s = fresh("a.db");
    struct store_row r;
    size_t len;

    (void)state;
    assert_false(store_get(s, KEY_A, &r, &e));
    assert_string_equal(e.msg, "a.db: no point " KEY_A);
    assert_null(store_json(s, KEY_A, &len, &e));
    assert_string_equal(e.msg, "a.db: no point " KEY_A);
    store_close(s);
}

static void a_damaged_result_is_told(void **state)
{
    static const char *const damage[] = {
        "UPDATE point SET result = 'rubbish'",
        "UPDATE point SET result = substr(result, 1, length(result) - 3)",
        "UPDATE point SET result = x''",
    };
    size_t len;

    (void)state;
    for (u32 i = 0; i < LEN(damage); i++) {
        struct store *s = fresh("a.db");

        put(s, KEY_A, STORE_DONE, "2025-01-01T00:00:00Z");
        sql("a.db", damage[i]);
        assert_null(store_json(s, KEY_A, &len, &e));
        assert_string_equal(e.msg, "a.db: the result of point " KEY_A " is damaged");
        store_close(s);
    }
}

/* ---- several */

static bool count_one(const struct store_row *r, void *user)
{
    (void)r;
    ++*(u32 *)user;
    return true;
}

static u32 count(struct store *s, struct store_filter f)
{
    u32 n = 0;

    assert_true(store_each(s, &f, count_one, &n, &e));
    return n;
}

static void filters_find_what_they_say(void **state)
{
    struct store *s = fresh("a.db");

    (void)state;
    put(s, KEY_A, STORE_DONE, "2025-01-01T00:00:00Z");
    put(s, KEY_B, STORE_FAILED, "2025-06-01T00:00:00Z");
    assert_int_equal(count(s, (struct store_filter){0}), 2);
    assert_int_equal(count(s, (struct store_filter){.program = "bfs"}), 2);
    assert_int_equal(count(s, (struct store_filter){.program = "dir/bfs"}), 2);
    assert_int_equal(count(s, (struct store_filter){.program = "fs"}), 0);
    assert_int_equal(count(s, (struct store_filter){.gpu = "gtx480"}), 2);
    assert_int_equal(count(s, (struct store_filter){.gpu = "tiny"}), 0);
    assert_int_equal(count(s, (struct store_filter){.mech = "naive"}), 2);
    assert_int_equal(count(s, (struct store_filter){.set = "n_warp"}), 2);
    assert_int_equal(count(s, (struct store_filter){.build = "99aa"}), 2);
    assert_int_equal(count(s, (struct store_filter){.not_build = "99aa"}), 0);
    assert_int_equal(count(s, (struct store_filter){.failed = true}), 1);
    assert_int_equal(count(s, (struct store_filter){.before = "2025-03-01"}), 1);
    assert_int_equal(count(s, (struct store_filter){.key = "01234"}), 1);
    store_close(s);
}

static void pruning_removes_what_the_filter_finds(void **state)
{
    struct store *s = fresh("a.db");
    u64 n;

    (void)state;
    put(s, KEY_A, STORE_DONE, "2025-01-01T00:00:00Z");
    put(s, KEY_B, STORE_FAILED, "2025-06-01T00:00:00Z");
    assert_true(store_prune(s, &(struct store_filter){.failed = true}, &n, &e));
    assert_int_equal(n, 1);
    assert_int_equal(store_state(s, KEY_A), STORE_DONE);
    assert_int_equal(store_state(s, KEY_B), STORE_NONE);
    store_close(s);
}

static void the_beginning_of_a_key_finds_it_if_it_is_the_only_one(void **state)
{
    struct store *s = fresh("a.db");
    char key[HASH_HEX];

    (void)state;
    put(s, KEY_A, STORE_DONE, "2025-01-01T00:00:00Z");
    put(s, KEY_B, STORE_DONE, "2025-01-01T00:00:00Z");
    assert_true(store_find_key(s, "01234", key, &e));
    assert_string_equal(key, KEY_A);
    assert_false(store_find_key(s, "0123", key, &e));
    assert_string_equal(e.msg, "a.db: several keys begin with '0123'; say more digits");
    assert_false(store_find_key(s, "77", key, &e));
    assert_string_equal(e.msg, "a.db: no point's key begins with '77'; see smelt store list");
    store_close(s);
}

/* ---- claims */

static bool claim(struct store *s, const char *key)
{
    bool mine;

    if (!store_claim(s, key, &mine, &e))
        fail_msg("%s", e.msg);
    return mine;
}

/* A process that claims a key; while it lives it waits for the end of a pipe. */
static pid_t other_process(const char *path, const char *key, int *hold)
{
    int up[2], down[2];
    char byte = 0;

    assert_true(pipe(up) == 0 && pipe(down) == 0);
    pid_t pid = fork();

    if (pid == 0) {
        close(down[1]);
        struct store *s = store_open(path, STORE_WRITE, &e);
        bool mine = s && claim(s, key);
        ssize_t n = write(up[1], mine ? "y" : "n", 1);

        n += read(down[0], &byte, 1);
        _exit(n > 0 ? 0 : 1); /* without store_close, as if killed */
    }
    close(down[0]);
    assert_int_equal(read(up[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    *hold = down[1];
    close(up[0]), close(up[1]);
    return pid;
}

static void a_claim_ends_with_its_process(void **state)
{
    struct store *s = fresh("a.db");
    int hold;
    pid_t pid = other_process("a.db", KEY_A, &hold);
    char *who = store_claimed_by(s, KEY_A), *begin = text_printf("process %d on ", (int)pid);

    (void)state;
    assert_false(claim(s, KEY_A));
    assert_true(claim(s, KEY_B));
    assert_int_equal(strncmp(who, begin, strlen(begin)), 0);
    close(hold);
    waitpid(pid, NULL, 0);
    assert_true(claim(s, KEY_A));
    free(who), free(begin);
    store_close(s);
}

static void a_number_that_another_process_has_by_now_is_no_claim(void **state)
{
    struct store *s = fresh("a.db");

    (void)state;
    assert_true(claim(s, KEY_A));
    sql("a.db", "UPDATE claim SET pid = 1, began = began + 1"); /* init began earlier */
    assert_true(claim(s, KEY_A));
    sql("a.db", "UPDATE claim SET pid = 1, boot = 'yesterday'");
    assert_true(claim(s, KEY_A));
    store_close(s);
}

static void a_claim_of_another_machine_counts_while_it_is_renewed(void **state)
{
    struct store *s = fresh("a.db");

    (void)state;
    assert_true(claim(s, KEY_A));
    sql("a.db", "UPDATE claim SET place = 'far pid:[1]', pid = 1");
    assert_false(claim(s, KEY_A));
    sql("a.db", "UPDATE claim SET renewed = renewed - 3600");
    assert_true(claim(s, KEY_A));
    store_close(s);
}

static void renewing_and_releasing_are_for_our_own_claims(void **state)
{
    struct store *s = fresh("a.db");
    int hold;
    pid_t pid = other_process("a.db", KEY_A, &hold);

    (void)state;
    store_release(s, KEY_A);
    assert_false(claim(s, KEY_A));
    assert_true(claim(s, KEY_B));
    sql("a.db", "UPDATE claim SET renewed = 0");
    store_renew(s);
    sql("a.db", "CREATE TABLE told AS SELECT count(*) AS n FROM claim WHERE renewed > 0");
    store_release(s, KEY_B);
    close(hold);
    waitpid(pid, NULL, 0);
    sqlite3 *db;
    sqlite3_stmt *q;

    assert_int_equal(sqlite3_open("a.db", &db), SQLITE_OK);
    sqlite3_prepare_v2(db, "SELECT told.n, (SELECT count(*) FROM claim) FROM told", -1, &q, NULL);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(q, 0), 1);
    assert_int_equal(sqlite3_column_int(q, 1), 1);
    sqlite3_finalize(q);
    sqlite3_close(db);
    store_close(s);
}

static void a_row_ends_the_claim(void **state)
{
    struct store *s = fresh("a.db");
    int hold;
    pid_t pid = other_process("a.db", KEY_A, &hold);

    (void)state;
    put(s, KEY_A, STORE_DONE, "2025-01-01T00:00:00Z");
    assert_true(claim(s, KEY_A));
    close(hold);
    waitpid(pid, NULL, 0);
    store_close(s);
}

/* ---- files that are none */

static void refused(const char *path, enum store_mode mode, const char *why)
{
    assert_null(store_open(path, mode, &e));
    assert_string_equal(e.msg, why);
    assert_int_equal(e.status, ERR_USER);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void what_is_no_store_is_refused(void **state)
{
    (void)state;
    unlink("none.db"), unlink("other.db"), unlink("new.db");
    refused("none.db", STORE_READ, "none.db: No such file or directory");
    refused("no/such/s.db", STORE_WRITE, "no/such/s.db: No such file or directory");
    refused(".", STORE_WRITE, ".: Is a directory");
    write_text("text.db", "just a text that is long enough for a header of SQLite\n");
    refused("text.db", STORE_READ, "text.db is not a store: it is no SQLite file");
    refused("text.db", STORE_WRITE, "text.db is not a store: it is no SQLite file");
    write_text("empty.db", "");
    refused("empty.db", STORE_READ, "empty.db is not a store: it is empty");
    sql("other.db", "CREATE TABLE t (a)");
    refused("other.db", STORE_WRITE,
            "other.db is not a store: it is an SQLite file of something else");
    store_close(fresh("new.db"));
    sql("new.db", "PRAGMA user_version = 99");
    refused("new.db", STORE_READ,
            "new.db is of a newer smelt (its tables are of version 99, and this smelt knows 1)");
}

static void a_store_is_read_while_it_is_written(void **state)
{
    struct store *s = fresh("a.db"), *r = store_open("a.db", STORE_READ, &e);

    (void)state;
    assert_non_null(r);
    put(s, KEY_A, STORE_DONE, "2025-01-01T00:00:00Z");
    assert_int_equal(store_state(r, KEY_A), STORE_DONE);
    store_close(r);
    store_close(s);
    r = store_open("a.db", STORE_READ, &e);
    assert_non_null(r);
    struct store_row failed = row(KEY_B, STORE_FAILED, "2025-01-01T00:00:00Z");

    assert_false(store_put(r, &failed, NULL, 0, &e));
    assert_string_equal(e.msg, "a.db: it cannot be written");
    store_row_free(&failed);
    store_close(r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_row_comes_back_whole),
    cmocka_unit_test(a_later_row_takes_the_place_of_a_failed_one),
    cmocka_unit_test(what_is_not_there_is_told),
    cmocka_unit_test(a_damaged_result_is_told),
    cmocka_unit_test(filters_find_what_they_say),
    cmocka_unit_test(pruning_removes_what_the_filter_finds),
    cmocka_unit_test(the_beginning_of_a_key_finds_it_if_it_is_the_only_one),
    cmocka_unit_test(a_claim_ends_with_its_process),
    cmocka_unit_test(a_number_that_another_process_has_by_now_is_no_claim),
    cmocka_unit_test(a_claim_of_another_machine_counts_while_it_is_renewed),
    cmocka_unit_test(renewing_and_releasing_are_for_our_own_claims),
    cmocka_unit_test(a_row_ends_the_claim),
    cmocka_unit_test(what_is_no_store_is_refused),
    cmocka_unit_test(a_store_is_read_while_it_is_written),
};

TEST_MAIN(tests)
