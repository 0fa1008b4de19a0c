/* t_json_read.c -- reading JSON: what is taken, and where the rest is wrong */
#include "base/json_read.h"
#include "base/text.h"
#include "tests/test_main.h"

static struct json_value *reads(const char *text)
{
    struct err e;
    struct json_value *v = json_read("x", text, strlen(text), &e);

    if (!v)
        fail_msg("%s", e.msg);
    return v;
}

static void refuses(const char *text, const char *message)
{
    struct err e;

    assert_null(json_read("x", text, strlen(text), &e));
    assert_string_equal(e.msg, message);
    assert_int_equal(e.status, ERR_USER);
}

static void members_keep_their_order(void **state)
{
    struct json_value *v = reads(" {\"b\": 1, \"a\": [true, false, null], \"\": {}}\n");

    (void)state;
    assert_int_equal(v->kind, JSON_OBJECT);
    assert_int_equal(v->n, 3);
    assert_string_equal(v->at[0].key, "b");
    assert_string_equal(v->at[1].key, "a");
    assert_int_equal(json_get(v, "a")->n, 3);
    assert_int_equal(json_get(v, "a")->at[0].kind, JSON_TRUE);
    assert_int_equal(json_get(v, "a")->at[2].kind, JSON_NULL);
    assert_null(json_get(v, "c"));
    assert_null(json_get(json_get(v, "c"), "d"));
    json_free(v);
}

static void numbers_are_values_and_texts(void **state)
{
    struct json_value *v = reads("[0, -1.5e3, 18446744073709551615, 1E-2]");

    (void)state;
    assert_true(v->at[0].number == 0 && v->at[1].number == -1500 && v->at[3].number == 0.01);
    assert_string_equal(v->at[2].text, "18446744073709551615");
    json_free(v);
}

static void strings_are_decoded(void **state)
{
    struct json_value *v = reads("\"a\\n\\\"\\/\\u00e9\\u20AC\\ud83d\\ude00\"");

    (void)state;
    assert_string_equal(v->text, "a\n\"/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    json_free(v);
}

static void mistakes_have_line_and_column(void **state)
{
    (void)state;
    refuses("", "x:1:1: a value was expected");
    refuses("{\"a\": 1,\n \"b\" 2}", "x:2:6: ':' was expected");
    refuses("[1 2]", "x:1:4: ',' or ']' was expected");
    refuses("{\"a\": 1", "x:1:8: ',' or '}' was expected");
    refuses("{a: 1}", "x:1:2: the name of a member was expected, in quotes");
    refuses("[1,]", "x:1:4: a value was expected");
    refuses("[01]", "x:1:2: a number that begins with 0");
    refuses("1.", "x:1:3: digits were expected after the point");
    refuses("1e", "x:1:3: digits were expected in the exponent");
    refuses("nul", "x:1:1: a value was expected");
    refuses("1 2", "x:1:3: something follows the value");
    refuses("\"abc", "x:1:2: a string without its end");
    refuses("\"\\x\"", "x:1:3: an unknown escape");
    refuses("\"\\u12g4\"", "x:1:6: four hexadecimal digits were expected after \\u");
    refuses("\"\\ud800\"", "x:1:8: half of a surrogate pair");
    refuses("\"a\nb\"", "x:1:3: a control character in a string");
    refuses("{\"a\": 1, \"b\": 2, \"a\": 3}", "x:1:25: the object that ends here has 'a' twice");
}

static void levels_are_limited(void **state)
{
    char deep[2 * JSON_READ_DEPTH + 8] = "";

    (void)state;
    memset(deep, '[', JSON_READ_DEPTH);
    memset(deep + JSON_READ_DEPTH, ']', JSON_READ_DEPTH);
    json_free(reads(deep));
    memset(deep, '[', JSON_READ_DEPTH + 2);
    refuses(deep, "x:1:66: too many levels");
}

/*
 * The tree lacks what is in the list, but not the list, and a list of that name elsewhere is whole.
 */
static void entries_of_a_list_can_be_left_as_text(void **state)
{
    const char *text = "{\"x\": {\"l\": [1]}, \"l\": [ {\"a\": [2]} ,3,\n[] ], \"y\": 4}";
    struct json_slices s = {0};
    struct err e;
    struct json_value *v = json_read_slices("x", text, strlen(text), "l", &s, &e);

    (void)state;
    assert_non_null(v);
    assert_int_equal(v->n, 3);
    assert_int_equal(json_get(v, "l")->kind, JSON_ARRAY);
    assert_int_equal(json_get(v, "l")->n, 0);
    assert_int_equal(json_get(json_get(v, "x"), "l")->n, 1);
    assert_int_equal(json_get(v, "y")->number, 4);
    assert_int_equal(s.n, 3);
    assert_int_equal(s.at[0].len, strlen("{\"a\": [2]}"));
    assert_memory_equal(s.at[0].at, "{\"a\": [2]}", s.at[0].len);
    assert_memory_equal(s.at[1].at, "3", s.at[1].len);
    assert_memory_equal(s.at[2].at, "[]", s.at[2].len);
    json_free(v);
    VEC_FREE(&s);
}

static void a_list_left_as_text_must_be_right(void **state)
{
    static const char *const bad[][2] = {
        {"{\"l\": [1, 02]}", "x:1:11: a number that begins with 0"},
        {"{\"l\": [1 2]}", "x:1:10: ',' or ']' was expected"},
        {"{\"l\": [1", "x:1:9: ',' or ']' was expected"}};
    struct err e;

    (void)state;
    for (u32 i = 0; i < LEN(bad); i++) {
        struct json_slices s = {0};

        assert_null(json_read_slices("x", bad[i][0], strlen(bad[i][0]), "l", &s, &e));
        assert_string_equal(e.msg, bad[i][1]);
        VEC_FREE(&s);
    }
}

static void a_path_finds_members_of_members(void **state)
{
    static const char text[] =
        "{\"total\": {\"ipc\": 2}, \"config\": {\"sm\": 1, \"sm.n_warp\": 8}}";
    struct err e;
    struct json_value *v = json_read("x", text, strlen(text), &e);

    (void)state;
    assert_true(json_find(v, "total.ipc")->number == 2);
    assert_true(json_find(v, "config.sm.n_warp")->number == 8); /* a key may have dots */
    assert_null(json_find(v, "total.ipk"));
    assert_null(json_find(v, "total.ipc.x"));
    assert_null(json_find(NULL, "total"));
    json_free(v);
}

static void what_is_no_number_is_the_other_one(void **state)
{
    static const char text[] = "{\"ipc\": 2, \"name\": \"7\"}";
    struct err e;
    struct json_value *v = json_read("x", text, strlen(text), &e);

    (void)state;
    assert_true(json_number(v, "ipc", -1) == 2);
    assert_true(json_number(v, "name", -1) == -1);
    assert_true(json_number(v, "cycles", -1) == -1);
    assert_true(json_number(NULL, "ipc", -1) == -1);
    json_free(v);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(members_keep_their_order),
    cmocka_unit_test(numbers_are_values_and_texts),
    cmocka_unit_test(strings_are_decoded),
    cmocka_unit_test(mistakes_have_line_and_column),
    cmocka_unit_test(levels_are_limited),
    cmocka_unit_test(entries_of_a_list_can_be_left_as_text),
    cmocka_unit_test(a_list_left_as_text_must_be_right),
    cmocka_unit_test(a_path_finds_members_of_members),
    cmocka_unit_test(what_is_no_number_is_the_other_one),
};

TEST_MAIN(tests)
