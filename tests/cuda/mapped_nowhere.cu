// status: 0
// stdout: 2
// options: -g tiny --set mem.base=281474976710656
// stderr: smelt: cudaMallocManaged: host memory of 64 bytes cannot be mapped where it is: the GPU's own addresses reach to ...
//
// A GPU whose addresses begin behind all of the host's.
#include <stdio.h>

__global__ void nothing()
{
}

int main()
{
    int *p = NULL;
    printf("%d\n", (int)cudaMallocManaged(&p, 64));
    nothing<<<1, 1>>>();
    return 0;
}
