/* t_popc.c -- ones of words, against a loop over the bits; memory at lines of the host's cache. */
#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"
#include "tests/test_main.h"

static u32 ones(u64 a)
{
    u32 n = 0;

    for (u32 i = 0; i < 64; i++)
        n += a >> i & 1;
    return n;
}

static void ones_of_four_bits(void **state)
{
    (void)state;
    for (u32 a = 0; a < 16; a++)
        assert_int_equal(popc_4(a), ones(a));
}

static void check(u64 a)
{
    assert_int_equal(popc_64(a), ones(a));
    assert_int_equal(popc_32((u32)a), ones((u32)a));
    assert_int_equal(popc_32((u32)(a >> 32)), ones(a >> 32));
}

/* No ones, all, and each run of ones from bit i to bit k. */
static void ones_that_lie_together(void **state)
{
    (void)state;
    check(0);
    for (u32 i = 0; i < 64; i++)
        for (u32 k = i; k < 64; k++)
            check(~0ull << i & ~0ull >> (63 - k));
    assert_int_equal(popc_32(~0u), 32);
    assert_int_equal(popc_64(~0ull), 64);
}

static void ones_of_any_word(void **state)
{
    struct rng r = rng_make(1);

    (void)state;
    for (u32 i = 0; i < 20000; i++)
        check(rng_u64(&r));
}

/* ---- memory */

static void memory_by_lines_is_aligned_and_zero(void **state)
{
    static const size_t size[] = {1, 24, 63, 64, 65, 4096};

    (void)state;
    for (u32 i = 0; i < LEN(size); i++) {
        u8 *p = xcalloc_lines(3, size[i]);

        assert_int_equal((uintptr_t)p % 64, 0);
        for (size_t k = 0; k < 3 * size[i]; k++)
            assert_int_equal(p[k], 0);
        memset(p, 0xff, 3 * size[i]); /* all of it is there, and dirty for the next */
        free(p);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ones_of_four_bits),
    cmocka_unit_test(ones_that_lie_together),
    cmocka_unit_test(ones_of_any_word),
    cmocka_unit_test(memory_by_lines_is_aligned_and_zero),
};

TEST_MAIN(tests)
