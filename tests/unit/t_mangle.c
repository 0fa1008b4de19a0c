/* t_mangle.c -- C++ names in messages; the mangled ones are clang's */
#include "base/mangle.h"
#include "tests/test_main.h"

static void shows(const char *name, const char *want)
{
    char buf[64];

    assert_string_equal(mangle_show(name, buf, sizeof buf), want);
}

static void plain_names_stay(void **state)
{
    (void)state;
    shows("saxpy", "saxpy");
    shows("", "");
    shows("_Zebra", "_Zebra");
}

static void functions_and_namespaces(void **state)
{
    (void)state;
    shows("_Z5saxpyiPf", "saxpy");
    shows("_ZL2stPi", "st");
    shows("_ZN2ns12_GLOBAL__N_13hidENS_1SE", "ns::hid");
}

static void template_arguments_are_hidden(void **state)
{
    (void)state;
    shows("_ZN2ns3addIfLi3EEEvPT_", "ns::add<..>");
    shows("_ZN2ns3addINS_1SELin3EEEvPT_", "ns::add<..>");
    shows("_Z2fpIXadL_Z2idiEEEvv", "fp<..>");
    shows("_Z3oneIN2ns1SEEvT_", "one<..>");
}

static void broken_names_stay(void **state)
{
    (void)state;
    shows("_Z", "_Z");
    shows("_Z9999x", "_Z9999x");
    shows("_ZN2ns3addILi", "_ZN2ns3addILi");
}

static void long_names_are_cut(void **state)
{
    char buf[8];

    (void)state;
    assert_string_equal(mangle_show("_Z12a_long_namesv", buf, sizeof buf), "a_long_");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_names_stay),
    cmocka_unit_test(functions_and_namespaces),
    cmocka_unit_test(template_arguments_are_hidden),
    cmocka_unit_test(broken_names_stay),
    cmocka_unit_test(long_names_are_cut),
};
TEST_MAIN(tests)
