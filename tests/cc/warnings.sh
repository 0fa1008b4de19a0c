#!/usr/bin/env bash
# Host code is warned about where nvcc (its front end, or gcc without -W) would; -W says otherwise.
. "$SRC/tests/cc/lib.bash"

cat >loose.cu <<'CU'
#include <stdio.h>
#include <string.h>
#define GO k<<<1, 1>>>
enum letter { A, B, C };
struct base {
    int a;
    virtual void f() {}
};
char *name = "literal";
static int of(letter l, unsigned u)
{
    register int r = 3;
    u;
    r == 3;
    switch (l) {
    case A:
        return 1;
    }
    if (r = 4)
        ;
    if ((r == 4))
        r = r & u == 3;
    base b;
    memset(&b, 0, sizeof(b));
    printf(name);
    int narrow[] = {3.5f, (int)sizeof(b)};
    return narrow[0] || r && u;
}
inline __global__ void k(int *p) { 1 + 1; if (p) *p = 2; }
int main()
{
    GO(0);
    return of(A, 1) > 5;
}
CU
for std in c++11 c++14 c++17; do
    works cc -std=$std loose.cu -o loose
    same "messages with $std" "$(grep -v libasan err.txt)" ""
done
sed 's/<<</<< </' loose.cu >mended.cu
works cc mended.cu -o mended
same "messages of a mended source" "$(grep -v libasan err.txt)" ""

# What is asked for is said.
works cc -Wunused-value -Wswitch -c loose.cu
same "asked for" "$(grep -c 'warning:' err.txt)" 4
works cc -Wall -c loose.cu
grep -q 'warning: .*\[-Wunused-value\]' err.txt || failed "-Wall: $(cat err.txt)"
works cc -Xcompiler -Wswitch -c mended.cu
same "-Xcompiler -Wswitch" "$(grep -c '^mended.cu:15:.*\[-Wswitch\]' err.txt)" 1

# What gcc or nvcc's front end would say by itself is said.
cat >told.cu <<'CU'
#include <stdio.h>
#include <stdlib.h>
#define TWICE 1
#define TWICE 2
#warning read this
__attribute__((deprecated)) void old();
int f(int x) { if (x) return 1; }
int main()
{
    char c = 300;
    int zero = 1 / 0, null = NULL;
    printf("%s\n", zero);
    old();
    return c << 40;
}
CU
"$SMELT" cc -c told.cu 2>err.txt || failed "told.cu: $(cat err.txt)"
for line in 4:9.*macro-redefined 5:2.*#warnings 7:.*return-type 10:.*constant-conversion \
    11:.*division-by-zero 11:.*null-conversion 12:.*format 13:.*deprecated-declarations \
    14:.*shift-count-overflow; do
    grep -q "^told.cu:$line" err.txt || failed "no warning $line: $(grep warning: err.txt)"
done
echo 'struct s { s(const s &); s(); }; int main() { s x; printf("%p", x); }' >varargs.cu
fails 1 'cannot pass non-trivial object of type .s. to variadic function' cc -c varargs.cu
works cc -w -c told.cu
same "with -w" "$(cat err.txt)" ""
finish
