/* letters_on.h -- the end of what letters_off.h begins. */
#pragma pop_macro("D")
#pragma pop_macro("H")
#pragma pop_macro("M")
#pragma pop_macro("R")
#pragma pop_macro("S")
#pragma pop_macro("T")
#pragma pop_macro("U")
#pragma pop_macro("V")
