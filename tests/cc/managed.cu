// timing
// __managed__ variables: the host and kernels have the same ones, at the same address.
#include "check.h"

struct item {
    int n;
    double x;
    item *next;
};

__managed__ int counter = 40;
__device__ __managed__ float values[1000];
static __managed__ unsigned int hidden[3] = {1, 2, 3};
__managed__ item second = {2, 0.5, 0}, first = {1, 0.25, &second};
__device__ int ordinary = 5;

__global__ void count(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        values[i] = 2 * values[i] + ordinary;
        atomicAdd(&counter, 1);
        atomicMax(&hidden[i % 3], (unsigned int)i);
    }
}

__global__ void walk(double *sum, int **where)
{
    *sum = first.x + first.next->x;
    first.next->n += 10;
    *where = &counter;
}

static __host__ void add_on_host(int *p)
{
    ++*p;
}

int main()
{
    CHECK(counter == 40 && hidden[1] == 2);
    for (int i = 0; i < 1000; i++)
        values[i] = (float)i;
    counter += 2;
    count<<<8, 128>>>(1000);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(counter == 1042);
    for (int i = 0; i < 1000; i++)
        CHECK(values[i] == 2 * i + 5);
    CHECK(hidden[0] == 999 && hidden[1] == 997 && hidden[2] == 998);

    double *sum;
    int **where, copy = 0;
    void *address = 0;
    cudaMallocManaged(&sum, sizeof(*sum));
    cudaMallocManaged(&where, sizeof(*where));
    walk<<<1, 1>>>(sum, where);
    cudaDeviceSynchronize();
    CHECK(*sum == 0.75 && second.n == 12 && first.next == &second && *where == &counter);

    add_on_host(*where);
    CHECK(cudaMemcpyFromSymbol(&copy, counter, sizeof(copy)) == cudaSuccess && copy == 1043);
    copy = 6;
    CHECK(cudaMemcpyToSymbol(counter, &copy, sizeof(copy)) == cudaSuccess && counter == 6);
    CHECK(cudaGetSymbolAddress(&address, counter) == cudaSuccess && address == &counter);
    CHECK(cudaMemset(values, 0, sizeof(values)) == cudaSuccess && values[999] == 0);

    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, &counter) == cudaSuccess && a.isManaged);
    CHECK(cudaMemPrefetchAsync(values, sizeof(values), 0, 0) == cudaSuccess);

    cudaDeviceReset(); /* and all begins anew */
    CHECK(counter == 40 && hidden[0] == 1 && first.next == &second);
    count<<<1, 32>>>(4);
    cudaDeviceSynchronize();
    CHECK(counter == 44 && values[3] == 5);
    return finish();
}
