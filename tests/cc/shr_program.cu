// A program in the manner of the SDKs of CUDA 3 and 4: shrUtils.h and shrQATest.h.
// stdout: [./shr_program] starting...
// stdout: adding 100
// stdout: error 7: as asked
// stdout: [./shr_program] test results...
// stdout: PASSED
#include <cutil_inline.h>
#include <shrQATest.h>
#include <shrUtils.h>

#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    const int n = 100;
    float a[n], b[n], c[n], sum[n], *d[3];
    shrQAStart(argc, argv);
    shrSetLogFileName("add.txt");
    shrLog("adding %d\n", n);
    CHECK(shrLogEx(LOGBOTH | ERRORMSG, 7, "as %s\n", "asked") == 7);
    CHECK(!shrCheckCmdLineFlag(argc, (const char **)argv, "device"));
    shrDeltaT(0);
    shrFillArray(a, n);
    shrFillArray(b, n);
    for (int i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
    for (int i = 0; i < 3; i++)
        cutilSafeCall(cudaMalloc((void **)&d[i], sizeof(a)));
    cutilSafeCall(cudaMemcpy(d[0], a, sizeof(a), cudaMemcpyHostToDevice));
    cutilSafeCall(cudaMemcpy(d[1], b, sizeof(b), cudaMemcpyHostToDevice));
    CHECK(shrRoundUp(64, n) == 128);
    add<<<shrRoundUp(64, n) / 64, 64>>>(d[0], d[1], d[2], n);
    cutilCheckMsg("add");
    cutilSafeCall(cudaMemcpy(c, d[2], sizeof(c), cudaMemcpyDeviceToHost));
    CHECK(shrComparefe(sum, c, n, 0) == shrTRUE && shrDeltaT(0) > 0);
    cutilDeviceReset();
    shrQAFinish(argc, (const char **)argv, QA_PASSED);
    return finish();
}
