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

static void template_arguments_are_spelled_out(void **state)
{
    (void)state;
    shows("_ZN2ns3addIfLi3EEEvPT_", "ns::add<float, 3>");
    shows("_ZN2ns3addINS_1SELin3EEEvPT_", "ns::add<NS_1SELin3E>");
    shows("_Z2fpIXadL_Z2idiEEEvv", "fp<XadL_Z2idiEE>");
    shows("_Z3oneIN2ns1SEEvT_", "one<ns::S>");
    shows("_Z3addIPKfLb0EEvv", "add<const float*, false>");
    shows("_Z3addIdEvPT_", "add<double>");
}

static void numbers_in_arguments_are_no_lengths(void **state)
{
    (void)state;
    shows("_Z7reduce6IfLj128ELb1EEvPT_S1_", "reduce6<float, 128, true>");
    shows("_Z3twoIi3FooL4Kind3EEvT_T0_", "two<int, Foo, 4Kind3E>");
    shows("_Z2enILN2ns1EE12ELin45EEvNS0_1QE", "en<N2ns1EE12E, -45>");
    shows("_Z3valIlLl123456789012EEvPA16_T_", "val<long, 123456789012>");
    shows("_Z4pairI1VIN2ns1QEES2_EvT_T0_", "pair<V<ns::Q>, S2_>");
    shows("_Z4pairIA20_iP3FooEvT_T0_", "pair<A20_iP3Foo>");
    shows("_ZN2ns4variIJi3Foo1VIS1_ENS_1QES4_EEEvDpT_", "ns::vari<Ji3Foo1VIS1_ENS_1QES4_E>");
    shows("_ZN2ns3addILj12", "_ZN2ns3addILj12");
    shows("_ZN2ns3addIL99x", "_ZN2ns3addIL99x");
    shows("_ZN2ns3addIL", "_ZN2ns3addIL");
    shows("_ZN2ns3addILS", "_ZN2ns3addILS");
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

static void names_of_one_file_are_known(void **state)
{
    (void)state;
    static const char *const local[] = {"_ZL2stPi",       "_ZN2ns1aL3varE",
                                        "_ZZL1fvE1x",     "_ZN12_GLOBAL__N_11kEPi",
                                        "_ZN2nsL4funcEi", "_Z1tIN12_GLOBAL__N_11SEEvT_"};
    static const char *const global[] = {"saxpy",     "_Z5saxpyiPf", "_ZN2ns3addILi3EEEvPT_",
                                         "_Z1LIL3x",  "_ZN1L1LE",    "_ZN2ns9999L1xE",
                                         "_ZZ1fvE1x", "_Z",          "_ZN"};

    for (u32 i = 0; i < LEN(local); i++)
        assert_true(mangle_is_local(local[i]));
    for (u32 i = 0; i < LEN(global); i++)
        assert_false(mangle_is_local(global[i]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_names_stay),
    cmocka_unit_test(functions_and_namespaces),
    cmocka_unit_test(template_arguments_are_spelled_out),
    cmocka_unit_test(numbers_in_arguments_are_no_lengths),
    cmocka_unit_test(broken_names_stay),
    cmocka_unit_test(long_names_are_cut),
    cmocka_unit_test(names_of_one_file_are_known),
};
TEST_MAIN(tests)
