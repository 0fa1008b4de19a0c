// malloc, free, new and delete in kernels; memory lives on between kernels.
#include "check.h"

using namespace std; // where malloc and free are, too

struct node {
    int value;
    struct node *next;
    __device__ node(int v, struct node *n) : value(v), next(n)
    {
    }
};

__device__ struct node *heads[32];

__global__ void build(void)
{
    struct node *head = NULL;
    for (int i = 0; i <= (int)threadIdx.x; i++)
        head = new node(i, head);
    heads[threadIdx.x] = head;
}

__global__ void take_apart(int *sum)
{
    int s = 0;
    for (struct node *n = heads[threadIdx.x]; n;) {
        struct node *next = n->next;
        s += n->value;
        delete n;
        n = next;
    }
    sum[threadIdx.x] = s;
}

__global__ void buffers(int *sum)
{
    int n = threadIdx.x + 1;
    short *p = (short *)malloc(n * sizeof(short));
    double *q = new double[n];
    if (!p || !q)
        return;
    for (int i = 0; i < n; i++)
        p[i] = (short)i, q[i] = 2 * i;
    for (int i = 0; i < n; i++)
        sum[threadIdx.x] += p[i] + (int)q[i];
    free(p);
    delete[] q;
}

int main()
{
    int *sum = shared_array<int>(32);
    build<<<1, 32>>>();
    take_apart<<<1, 32>>>(sum);
    finish_kernels();
    CHECK(sum[0] == 0 && sum[31] == 496);
    memset(sum, 0, 32 * sizeof(int));
    buffers<<<1, 32>>>(sum);
    finish_kernels();
    CHECK(sum[0] == 0 && sum[31] == 3 * 496);
    return finish();
}
