// status: 0
// stderr: smelt: cudaFree: free of an address of the host's, which is no live buffer
// stderr: smelt: cudaFreeHost: this pointer was not allocated by cudaMallocHost or cudaHostAlloc
// stderr: smelt: cudaFreeHost: 0xc0000000 was not allocated by cudaMallocHost or cudaHostAlloc
// stderr: smelt: cudaMemcpy: the destination, 4 bytes at this pointer, is host memory, not the device's
// stderr: smelt: cudaMemset: the destination, 4 bytes at this pointer, is host memory, not the device's
// stderr: smelt: cudaMemcpy: the destination, 4096 bytes at 0xc0000000, is outside of device memory: 64 bytes before the end of buffer 0xc0000000..0xc000003f
// stderr: smelt: cudaStreamSynchronize: this pointer is no stream
// stderr: smelt: cudaEventSynchronize: this pointer is no event
// stderr: smelt: cudaEventSynchronize: NULL is no event
// stderr: smelt: cudaHostRegister: 32 bytes at this pointer are mapped already, in whole or in part
// stderr: smelt: cudaMemPrefetchAsync: 64 bytes at this pointer are not in managed memory
// stderr: smelt: cudaHostGetDevicePointer: this pointer is no pinned or registered memory
// stderr: smelt: cudaFreeArray: this pointer is no array
// stderr: smelt: cudaFreeMipmappedArray: this pointer is no mipmapped array
// stderr: smelt: cudaFuncGetAttributes: this pointer is no kernel of this program
// stderr: smelt: cudaGetSymbolAddress: this pointer is no __device__ or __constant__ variable
//
// The host's addresses are others in each run, so no message has one; the device's are the same.
#include <stdlib.h>

__global__ void nothing()
{
}

int main()
{
    int word = 0, *heap = (int *)malloc(4096), *buffer;
    void *p;
    cudaFuncAttributes attributes;
    cudaMalloc(&buffer, 64);
    cudaFree(heap);
    cudaFreeHost(heap);
    cudaFreeHost(buffer);
    cudaMemcpy(heap, &word, 4, cudaMemcpyHostToDevice);
    cudaMemset(&word, 0, 4);
    cudaMemcpy(buffer, heap, 4096, cudaMemcpyHostToDevice);
    cudaStreamSynchronize((cudaStream_t)heap);
    cudaEventSynchronize((cudaEvent_t)heap);
    cudaEventSynchronize(NULL);
    cudaHostRegister(heap, 64, 0);
    cudaHostRegister(heap, 32, 0);
    cudaMemPrefetchAsync(heap, 64, 0);
    cudaHostGetDevicePointer(&p, &word, 0);
    cudaFreeArray((cudaArray_t)heap);
    cudaFreeMipmappedArray((cudaMipmappedArray_t)heap);
    cudaFuncGetAttributes(&attributes, (const void *)heap);
    cudaGetSymbolAddress(&p, (const void *)&word);
    nothing<<<1, 1>>>();
    return 0;
}
