#!/usr/bin/env bash
# libcutil and libshrutil have the functions of the SDK's: programs that bring another header, or
# declare what they call, are linked with them.
. "$SRC/tests/cc/lib.bash"

lib=$("$SMELT" cc --print-toolkit)/lib64

# Declared as the SDK's header has it.
cat >own.cpp <<'CU'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern "C" {
enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };
CUTBoolean cutCreateTimer(unsigned int *name);
CUTBoolean cutStartTimer(const unsigned int name);
CUTBoolean cutStopTimer(const unsigned int name);
CUTBoolean cutResetTimer(const unsigned int name);
CUTBoolean cutDeleteTimer(unsigned int name);
float cutGetTimerValue(const unsigned int name);
float cutGetAverageTimerValue(const unsigned int name);
CUTBoolean cutCheckCmdLineFlag(const int argc, const char **argv, const char *name);
CUTBoolean cutGetCmdLineArgumenti(const int argc, const char **argv, const char *name, int *val);
CUTBoolean cutGetCmdLineArgumentf(const int argc, const char **argv, const char *name, float *val);
CUTBoolean cutGetCmdLineArgumentstr(const int argc, const char **argv, const char *name, char **val);
CUTBoolean cutCheckCondition(int val, const char *file, const int line);
char *cutFindFilePath(const char *filename, const char *executablePath);
CUTBoolean cutReadFilef(const char *filename, float **data, unsigned int *len, bool verbose = false);
CUTBoolean cutReadFiled(const char *filename, double **data, unsigned int *len, bool verbose = false);
CUTBoolean cutReadFileui(const char *filename, unsigned int **data, unsigned int *len, bool verbose = false);
CUTBoolean cutReadFileub(const char *filename, unsigned char **data, unsigned int *len, bool verbose = false);
CUTBoolean cutWriteFilef(const char *filename, const float *data, unsigned int len, const float epsilon, bool verbose = false);
CUTBoolean cutWriteFilei(const char *filename, const int *data, unsigned int len, bool verbose = false);
CUTBoolean cutWriteFileub(const char *filename, const unsigned char *data, unsigned int len, bool verbose = false);
CUTBoolean cutLoadPGMub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h);
CUTBoolean cutLoadPGMf(const char *file, float **data, unsigned int *w, unsigned int *h);
CUTBoolean cutLoadPGMi(const char *file, unsigned int **data, unsigned int *w, unsigned int *h);
CUTBoolean cutLoadPGMs(const char *file, unsigned short **data, unsigned int *w, unsigned int *h);
CUTBoolean cutLoadPPM4ub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h);
CUTBoolean cutLoadPPMub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h);
CUTBoolean cutSavePGMi(const char *file, unsigned int *data, unsigned int w, unsigned int h);
CUTBoolean cutSavePGMf(const char *file, float *data, unsigned int w, unsigned int h);
CUTBoolean cutSavePPM4ub(const char *file, unsigned char *data, unsigned int w, unsigned int h);
CUTBoolean cutComparef(const float *reference, const float *data, const unsigned int len);
CUTBoolean cutComparefe(const float *reference, const float *data, const unsigned int len, const float epsilon);
CUTBoolean cutComparefet(const float *reference, const float *data, const unsigned int len, const float epsilon, const float threshold);
CUTBoolean cutCompareL2fe(const float *reference, const float *data, const unsigned int len, const float epsilon);
CUTBoolean cutCompareuit(const unsigned int *reference, const unsigned int *data, const unsigned int len, const float epsilon, const float threshold);
CUTBoolean cutCompareubt(const unsigned char *reference, const unsigned char *data, const unsigned int len, const float epsilon, const float threshold);
CUTBoolean cutComparePPM(const char *src_file, const char *ref_file, const float epsilon, const float threshold, bool verboseErrors = false);
void cutFree(void *ptr);
int shrLog(const char *format, ...);
double shrDeltaT(int counter);
size_t shrRoundUp(int group, int total);
int shrComparei(const int *reference, const int *data, const unsigned int len);
int shrGetCmdLineArgumentu(const int argc, const char **argv, const char *name, unsigned int *val);
void launch_one(void);
}
static int wrong;
#define CHECK(ok) (void)((ok) || (wrong++, printf("line %d: not so: %s\n", __LINE__, #ok)))

static void numbers()
{
    float f[4] = {0.5f, -1, 2, 4}, *again = NULL;
    double *d = NULL;
    int i[2] = {7, 8};
    unsigned *u = NULL, n = 0, n_d = 0, n_u = 0, n_b = 0;
    unsigned char bytes[3] = {'a', 'b', 'c'}, *b = NULL;
    CHECK(cutWriteFilef("f.txt", f, 4, 0.1f) && cutReadFilef("f.txt", &again, &n) && n == 4);
    CHECK(cutComparef(f, again, 4) && cutReadFiled("f.txt", &d, &n_d) && n_d == 4 && d[1] == -1);
    CHECK(cutWriteFilei("i.txt", i, 2, true) && cutReadFileui("i.txt", &u, &n_u) && n_u == 2 && u[1] == 8);
    CHECK(cutWriteFileub("b.txt", bytes, 3) && cutReadFileub("b.txt", &b, &n_b) && n_b == 3);
    CHECK(memcmp(b, bytes, 3) == 0);
    FILE *c = fopen("c.txt", "w");
    fputs("# epsilon 0.1\n1 2\n3\n", c);
    fclose(c);
    cutFree(again), again = NULL;
    CHECK(cutReadFilef("c.txt", &again, &n) && n == 3 && again[2] == 3);
    CHECK(!cutReadFilef("no such file", &again, &n));
    again[1] = 2.5f;
    float want[3] = {1, 2, 3};
    CHECK(cutComparefe(want, again, 3, 0.5f) && !cutComparefe(want, again, 3, 0.4f));
    CHECK(cutComparefet(want, again, 3, 0.1f, 0.34f) && !cutComparefet(want, again, 3, 0.1f, 0.33f));
    /* 0.5 long, and the reference sqrt(14) = 3.742: 0.1336 of it */
    CHECK(cutCompareL2fe(want, again, 3, 0.14f) && !cutCompareL2fe(want, again, 3, 0.13f));
    unsigned a[4] = {1, 2, 3, 4}, e[4] = {1, 2, 3, 6};
    CHECK(cutCompareuit(a, e, 4, 1.0f, 0.25f) && !cutCompareuit(a, e, 4, 1.0f, 0.2f));
    CHECK(cutCompareubt(bytes, bytes, 3, 0, 0));
    cutFree(again), cutFree(d), cutFree(u), cutFree(b);
}

static void pictures()
{
    unsigned grey[6] = {0, 51, 102, 153, 204, 255}, *i = NULL, w = 0, h = 0;
    unsigned short *s = NULL;
    float *f = NULL;
    unsigned char *b = NULL, colour[8] = {1, 2, 3, 9, 4, 5, 6, 9}, *four = NULL, *three = NULL;
    CHECK(cutSavePGMi("g.pgm", grey, 3, 2) && cutLoadPGMi("g.pgm", &i, &w, &h) && w == 3 && h == 2);
    CHECK(cutLoadPGMs("g.pgm", &s, &w, &h) && cutLoadPGMub("g.pgm", &b, &w, &h) && cutLoadPGMf("g.pgm", &f, &w, &h));
    for (int k = 0; k < 6; k++) /* a fifth of 255 is 51 */
        CHECK(i[k] == grey[k] && s[k] == grey[k] && b[k] == grey[k] && fabsf(f[k] - 0.2f * k) < 1e-6f);
    CHECK(cutSavePPM4ub("c.ppm", colour, 2, 1) && cutLoadPPM4ub("c.ppm", &four, &w, &h) && w == 2 && h == 1);
    CHECK(four[2] == 3 && four[3] == 0 && four[4] == 4 && cutLoadPPMub("c.ppm", &three, &w, &h) && three[5] == 6);
    colour[0] = 4;
    CHECK(cutSavePPM4ub("d.ppm", colour, 2, 1) && cutComparePPM("d.ppm", "c.ppm", 3, 0) && !cutComparePPM("d.ppm", "c.ppm", 2, 0));
    CHECK(!cutLoadPGMub("c.ppm", &b, &w, &h));
    cutFree(i), cutFree(s), cutFree(f), cutFree(b), cutFree(four), cutFree(three);
}

int main(int argc, const char **argv)
{
    const char *args[] = {argv[0], "--n=12", "-x=0.5", "-name=abc", "-quiet"};
    int n = 0;
    unsigned u = 0, timer = 99;
    float x = 0;
    char *name = NULL, *path = cutFindFilePath("own.cpp", argv[0]);
    CHECK(cutGetCmdLineArgumenti(5, args, "n", &n) && n == 12 && shrGetCmdLineArgumentu(5, args, "n", &u) && u == 12);
    CHECK(cutGetCmdLineArgumentf(5, args, "x", &x) && x == 0.5f && cutGetCmdLineArgumentstr(5, args, "name", &name));
    CHECK(strcmp(name, "abc") == 0 && cutCheckCmdLineFlag(5, args, "quiet") && !cutCheckCmdLineFlag(5, args, "loud"));
    CHECK(path && strcmp(path, "own.cpp") == 0 && !cutFindFilePath("no such file", argv[0]) && cutCheckCondition(1, "", 0));
    CHECK(cutCreateTimer(&timer) && cutStartTimer(timer) && cutStopTimer(timer) && cutGetTimerValue(timer) >= 0);
    CHECK(cutGetAverageTimerValue(timer) >= 0 && cutResetTimer(timer) && cutGetTimerValue(timer) == 0 && cutDeleteTimer(timer));
    CHECK(shrRoundUp(32, 33) == 64 && shrComparei(&n, &n, 1) && shrDeltaT(0) >= 0);
    cutFree(name), cutFree(path);
    numbers();
    pictures();
    launch_one();
    shrLog("%s\n", wrong ? "FAIL" : "PASS");
    return argc + wrong != 1;
}
CU
cat >one.cu <<'CU'
__global__ void one(int *p) { *p = 1; }
extern "C" void launch_one(void)
{
    int *p;
    cudaMalloc(&p, 4);
    one<<<1, 1>>>(p);
    cudaDeviceSynchronize();
}
CU
works cc -c one.cu own.cpp
for libs in "-lcutil -lshrutil" "-lshrutil_x86_64 -lcutil_x86_64" "-lcutilD -lshrutilD" "-lcutil_x86_64D -lshrutil_x86_64D"; do
    # shellcheck disable=SC2086
    works cc own.o one.o $libs -o own
    passes ./own
    # shellcheck disable=SC2086
    g++ own.o one.o -L"$lib" $libs -lcudart -Wl,-rpath,"$lib" -Wl,--allow-shlib-undefined -o own 2>err.txt ||
        failed "g++ $libs: $(head -n 3 err.txt)"
done
passes ./own
g++ own.o one.o -L"$lib" -lcutil -lshrutil "$lib/libcudart_static.a" "$lib/libcudadevrt.a" "$lib/libculibos.a" \
    -Wl,-rpath,"$lib" -Wl,--allow-shlib-undefined -o static 2>err.txt || failed "libcudart_static.a: $(head -n 3 err.txt)"
passes ./static

# One that the program brings is the one it means, though our folder comes first.
mkdir -p theirs
echo 'int cutTheirOwn(void) { return 5; }' >theirs.c
works cc -c theirs.c
ar rcs theirs/libcutil.a theirs.o
echo 'extern "C" int cutTheirOwn(void); int main() { return cutTheirOwn() != 5; }' >uses.cpp
works cc uses.cpp -L theirs -lcutil -o uses
works run --functional ./uses
# No name is in both.
nm -g --defined-only "$lib/libcutil.a" "$lib/libshrutil.a" | sed -n 's/.* T //p' | sort | uniq -d >both.txt
same "in both libraries" "$(cat both.txt)" ""
finish
