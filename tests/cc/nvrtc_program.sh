#!/usr/bin/env bash
# In the manner of the SDK's vectorAdd_nvrtc: a C++ program reads a .cu file when it runs, has it
# compiled for the GPU it finds, and launches its kernel by the driver API; libcuda.so and
# libnvrtc.so come from the toolkit.
. "$SRC/tests/cc/lib.bash"

cat >vector_add_kernel.cu <<'CU'
#include "scale.h"
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = SCALE * (a[i] + b[i]);
}
CU
echo '#define SCALE 2.0f' >scale.h
cat >vector_add.cpp <<'CU'
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#define CHECK(call) if (call) { printf("%s: failed\n", #call); return 1; }

int main(int argc, char **argv)
{
    std::ifstream file(argv[1]);
    std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CUdevice device;
    CUcontext context;
    int major = 0, minor = 0;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuCtxCreate(&context, 0, device));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));

    nvrtcProgram program;
    std::string arch = "--gpu-architecture=sm_" + std::to_string(10 * major + minor);
    const char *options[] = {arch.c_str(), "--include-path=."};
    size_t size;
    CHECK(nvrtcCreateProgram(&program, source.c_str(), argv[1], 0, NULL, NULL));
    nvrtcResult result = nvrtcCompileProgram(program, 2, options);
    CHECK(nvrtcGetProgramLogSize(program, &size));
    std::vector<char> log(size), image;
    CHECK(nvrtcGetProgramLog(program, log.data()));
    if (size > 1)
        fprintf(stderr, "%s", log.data());
    if (result != NVRTC_SUCCESS)
        return puts(nvrtcGetErrorString(result)), 3;
    CHECK(nvrtcGetPTXSize(program, &size));
    image.resize(size);
    CHECK(nvrtcGetPTX(program, image.data()));
    CHECK(nvrtcDestroyProgram(&program));

    CUmodule module;
    CUfunction kernel;
    CHECK(cuModuleLoadDataEx(&module, image.data(), 0, 0, 0));
    CHECK(cuModuleGetFunction(&kernel, module, "vector_add"));
    int n = 5000, wrong = 0;
    std::vector<float> a(n), b(n), c(n);
    CUdeviceptr p[3];
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 2 * i;
    for (int i = 0; i < 3; i++)
        CHECK(cuMemAlloc(&p[i], n * sizeof(float)));
    CHECK(cuMemcpyHtoD(p[0], a.data(), n * sizeof(float)));
    CHECK(cuMemcpyHtoD(p[1], b.data(), n * sizeof(float)));
    void *args[] = {&p[0], &p[1], &p[2], &n};
    CHECK(cuLaunchKernel(kernel, (n + 255) / 256, 1, 1, 256, 1, 1, 0, 0, args, 0));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(c.data(), p[2], n * sizeof(float)));
    for (int i = 0; i < n; i++)
        wrong += c[i] != 6.0f * i;
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
CU
cat >Makefile <<'MK'
CUDA_PATH ?= /usr/local/cuda
NVCC := $(CUDA_PATH)/bin/nvcc -ccbin g++
vector_add: vector_add.o
	$(NVCC) -m64 -L$(CUDA_PATH)/lib64/stubs -gencode arch=compute_35,code=sm_35 -o $@ $+ -lcuda -lnvrtc
vector_add.o: vector_add.cpp
	$(NVCC) -I$(CUDA_PATH)/include -m64 -o $@ -c $<
MK
toolkit=$("$SMELT" cc --print-toolkit)
make CUDA_PATH="$toolkit" >make.txt 2>&1 || failed "make: $(cat make.txt)"
passes ./vector_add vector_add_kernel.cu
same "with timing" "$("$SMELT" run --threads 2 ./vector_add vector_add_kernel.cu 2>err.txt)" PASS
grep -q '^smelt: vector_add  grid 20x1x1  block 256x1x1 .* cycles' err.txt || failed "$(cat err.txt)"

# What is wrong with the source is the program's to say.
sed 's/a\[i\] +/a[i] plus/' vector_add_kernel.cu >wrong.cu
"$SMELT" run --functional ./vector_add wrong.cu >out.txt 2>err.txt && failed "wrong.cu is compiled"
same "output" "$(cat out.txt)" NVRTC_ERROR_COMPILATION
grep -q "^wrong.cu:6:30: error: expected ')'" err.txt || failed "$(cat err.txt)"
no_leftovers
finish
