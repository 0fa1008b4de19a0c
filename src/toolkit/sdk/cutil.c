/*
 * cutil.c -- libcutil.a: the functions of cutil.h, for programs that bring the SDK's own header, or
 * declare what they call.  With the toolkit's header nothing of it is needed.
 */
#define CUT_API
#include <cutil.h>
