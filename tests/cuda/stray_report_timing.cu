// status: 0
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// stdout: 10 of 10
// stderr: smelt: warning: kernel blur: global read of 4 bytes at 0xbffffffc is out of bounds: 4 bytes before buffer 0xc0000000..0xc0000027 (stray_report_timing: ...
// stderr: smelt: warning: kernel blur: global read of 4 bytes at 0xc0000028 is out of bounds: right after buffer 0xc0000000..0xc0000027 (stray_report_timing: ...
// stderr: smelt: warning: kernel blur: global write of 4 bytes at 0xc0001128 is out of bounds: right after buffer 0xc0001100..0xc0001127 (stray_report_timing: ...
// stderr: smelt: warning: 10 reads and 4 writes of threads were out of bounds: they read 0 and wrote nothing (mem.bounds)
// options: -g tiny --set mem.bounds=report --threads 2
// timing
//
// Reads before and behind a buffer, and writes behind another: each line is told once, though two launches stray
// there.  Threads 0, 9..11 read 1, 1, 1 and 2 addresses that are nobody's.
#include "say.h"

extern "C" __global__ void blur(const int *in, int *out)
{
    int i = threadIdx.x;
    int left = in[i - 1];
    int mid = i < 10 ? in[i] : 0;
    int right = in[i + 1];
    out[i] = left + mid + right;
}

int main(void)
{
    int *in, *out, have[10], good = 0;
    const int data[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};

    cudaMalloc((void **)&in, sizeof data);
    cudaMalloc((void **)&out, sizeof data);
    cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice);
    blur<<<1, 12>>>(in, out);
    blur<<<1, 12>>>(in, out);
    say_launch();
    cudaMemcpy(have, out, sizeof have, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++)
        good += have[i] == (i ? data[i - 1] : 0) + data[i] + (i < 9 ? data[i + 1] : 0);
    printf("%d of 10\n", good);
    return 0;
}
