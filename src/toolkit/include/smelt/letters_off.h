/*
 * letters_off.h -- what a program's -DV=3 means is not meant for the headers that come before its
 * first line: letters that they use are themselves until letters_on.h.
 */
#pragma push_macro("D")
#undef D
#pragma push_macro("E")
#undef E
#pragma push_macro("H")
#undef H
#pragma push_macro("M")
#undef M
#pragma push_macro("N")
#undef N
#pragma push_macro("R")
#undef R
#pragma push_macro("S")
#undef S
#pragma push_macro("T")
#undef T
#pragma push_macro("U")
#undef U
#pragma push_macro("V")
#undef V
