// A program in the manner of the first SDKs: cutil.h and cutil_math.h.
// stdout: size 32
#include <cutil.h>
#include <cutil_math.h>

#include "check.h"

__global__ void work(float4 *p, float3 *q)
{
    int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
    float4 v = p[i];
    v += make_float4(1.0f);
    p[i] = clamp(2.0f * v - v / 4.0f, 0.0f, 50.0f);
    q[i] = cross(make_float3(v), make_float3(0.0f, 0.0f, 1.0f)) + lerp(q[i], q[i], 0.5f);
}

int main(int argc, char **argv)
{
    const char *args[] = {argv[0], "--size=32", "-verbose"};
    int n = 0;
    CHECK(cutGetCmdLineArgumenti(3, args, "size", &n) && cutCheckCmdLineFlag(3, args, "verbose"));
    CHECK(!cutCheckCmdLineFlag(argc, (const char **)argv, "verbose"));
    printf("size %d\n", n);
    CUT_DEVICE_INIT(argc, argv);
    unsigned timer = 0;
    CUT_SAFE_CALL(cutCreateTimer(&timer));
    CUT_SAFE_CALL(cutStartTimer(timer));

    float4 *p = shared_array<float4>(32);
    float3 *q = shared_array<float3>(32);
    for (int i = 0; i < n; i++)
        p[i] = make_float4(i, -i, 0, 4);
    work<<<2, 16>>>(p, q);
    CUT_CHECK_ERROR("work");
    CUDA_SAFE_CALL(cudaThreadSynchronize());
    CUT_SAFE_CALL(cutStopTimer(timer));
    CHECK(cutGetTimerValue(timer) > 0);

    float want[32], have[32];
    for (int i = 0; i < n; i++) {
        want[i] = fminf(50.0f, 1.75f * (i + 1));
        have[i] = p[i].x;
        CHECK(q[i].x == 1 - i && q[i].y == -(i + 1) && q[i].z == 0 && p[i].w == 8.75f);
    }
    CHECK(cutComparefe(want, have, 32, 0.0f) && cutCompareL2fe(want, have, 32, 1e-6f));
    have[3] += 1;
    CHECK(!cutComparef(want, have, 32) && cutComparefe(want, have, 32, 1.0f));

    /* what is written is read back */
    float *numbers = NULL;
    unsigned len = 0, w = 0, h = 0;
    unsigned char picture[6] = {0, 50, 100, 150, 200, 250}, *again = NULL;
    CHECK(cutWriteFilef("numbers.txt", want, 32, 0.0f) &&
          cutReadFilef("numbers.txt", &numbers, &len) && len == 32 && cutComparef(want, numbers, 32));
    CHECK(cutSavePGMub("p.pgm", picture, 3, 2) && cutLoadPGMub("p.pgm", &again, &w, &h));
    CHECK(w == 3 && h == 2 && memcmp(picture, again, 6) == 0);
    cutFree(numbers);
    cutFree(again);
    return finish();
}
