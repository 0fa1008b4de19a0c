/* t_hash.c -- hashes of contents; the expected ones are what xxhsum -H2 prints. */
#include "base/hash.h"
#include "tests/test_main.h"

#include <stdlib.h>
#include <unistd.h>

static const char *hash_of(const void *p, size_t len)
{
    static char hex[HASH_HEX];
    hash_bytes(p, len, hex);
    return hex;
}

static void hashes_are_those_of_xxh3(void **state)
{
    (void)state;
    assert_string_equal(hash_of("", 0), "99aa06d3014798d86001c324468d497f");
    assert_string_equal(hash_of("abc", 3), "06b05ab6733a618578af5f94892f3950");
}

/* Longer than one piece, so that the pieces must be joined. */
static void a_file_has_the_hash_of_its_bytes(void **state)
{
    (void)state;
    char path[] = "hash_XXXXXX", hex[HASH_HEX];
    static char data[100001];
    struct err e;
    int fd = mkstemp(path);
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (char)(i * 11);
    assert_int_equal(write(fd, data, sizeof(data)), sizeof(data));
    close(fd);
    assert_true(hash_file(path, hex, &e));
    assert_string_equal(hex, hash_of(data, sizeof(data)));
    unlink(path);
}

static void one_bit_makes_another_hash(void **state)
{
    (void)state;
    char data[64] = {0}, first[HASH_HEX];
    hash_bytes(data, sizeof(data), first);
    for (size_t i = 0; i < sizeof(data); i++) {
        data[i] ^= 1;
        assert_string_not_equal(hash_of(data, sizeof(data)), first);
        data[i] ^= 1;
    }
}

static void a_file_that_is_not_there_is_told(void **state)
{
    (void)state;
    char hex[HASH_HEX];
    struct err e;
    assert_false(hash_file("no/such/file", hex, &e));
    assert_string_equal(e.msg, "no/such/file: No such file or directory");
    assert_false(hash_file("/", hex, &e));
    assert_string_equal(e.msg, "/: Is a directory");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hashes_are_those_of_xxh3),
    cmocka_unit_test(a_file_has_the_hash_of_its_bytes),
    cmocka_unit_test(one_bit_makes_another_hash),
    cmocka_unit_test(a_file_that_is_not_there_is_told),
};

TEST_MAIN(tests)
