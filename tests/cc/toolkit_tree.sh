#!/usr/bin/env bash
# Makefiles and CMake projects find in the toolkit's tree what they look for in CUDA's, in their own
# ways: the driver's library among the stubs, lib and targets/, the version.
. "$SRC/tests/cc/lib.bash"

mkdir -p driver sdk
cat >driver/driver.cpp <<'CU'
#include <cuda.h>
#include <stdio.h>
int main()
{
    int n = 0, version = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&n) != CUDA_SUCCESS)
        return 1;
    cuDriverGetVersion(&version);
    puts(n == 1 && version == CUDA_VERSION ? "PASS" : "FAIL");
}
CU
cp prog.cu sdk/prog.cu

# In the manner of the samples' findcudalib.mk: a program without libcuda.so or cuda.h is not built.
cat >driver/Makefile <<'MK'
CUDA_PATH ?= /usr/local/cuda
CUDA_SEARCH_PATH ?= $(CUDA_PATH)/lib64/stubs
EXEC := $(if $(shell find -L $(CUDA_SEARCH_PATH) -maxdepth 1 -name libcuda.so 2>/dev/null),,@echo "[@] waived: no libcuda.so")
EXEC := $(if $(shell find -L $(CUDA_PATH)/include -name cuda.h 2>/dev/null),$(EXEC),@echo "[@] waived: no cuda.h")
LIBRARIES := $(addprefix -L,$(dir $(shell find -L $(CUDA_SEARCH_PATH) -maxdepth 1 -name libcuda.so)))
driver: driver.o
	$(EXEC) $(CUDA_PATH)/bin/nvcc -ccbin g++ -m64 $(LIBRARIES) -gencode arch=compute_35,code=sm_35 -o $@ $+ -lcuda
driver.o: driver.cpp
	$(EXEC) $(CUDA_PATH)/bin/nvcc -ccbin g++ -I$(CUDA_PATH)/samples/common/inc -m64 -o $@ -c $<
MK

# In the manner of the old SDK's common.mk, whose folder of libraries depends on the machine.
cat >sdk/Makefile <<'MK'
CUDA_INSTALL_PATH ?= /usr/local/cuda
LIBSUFFIX := $(if $(filter x86_64,$(HP_64)),64)
NVCC := $(CUDA_INSTALL_PATH)/bin/nvcc
LINK := g++ -fPIC
INCLUDES += -I. -I$(CUDA_INSTALL_PATH)/include -I$(CUDA_INSTALL_PATH)/targets/x86_64-linux/include
LIB := -L$(CUDA_INSTALL_PATH)/lib$(LIBSUFFIX) -lcuda -lcudart -lcutil_x86_64
prog: prog.cu.o
	$(LINK) -o $@ $< $(LIB) -Wl,--allow-shlib-undefined
prog.cu.o: prog.cu
	$(NVCC) --compiler-options -fno-strict-aliasing $(INCLUDES) -DUNIX -O2 -o $@ -c $<
MK

mkdir -p modern
cat >modern/CMakeLists.txt <<'CM'
cmake_minimum_required(VERSION 3.18)
project(test CXX)
find_package(CUDAToolkit 10 REQUIRED)
if(NOT CUDAToolkit_VERSION VERSION_EQUAL 10.1.105)
    message(FATAL_ERROR "version ${CUDAToolkit_VERSION}")
endif()
find_library(CUDA_CUDA_LIBRARY cuda PATHS ${CUDAToolkit_LIBRARY_ROOT} ${ROOT}
    PATH_SUFFIXES lib64/stubs NO_DEFAULT_PATH REQUIRED)
find_library(CUDA_TARGET_LIBRARY cuda PATHS ${ROOT}/targets/x86_64-linux
    PATH_SUFFIXES lib/stubs NO_DEFAULT_PATH REQUIRED)
add_executable(driver ../driver/driver.cpp)
target_link_libraries(driver CUDA::cuda_driver CUDA::cudart -Wl,--allow-shlib-undefined)
add_executable(stub ../driver/driver.cpp)
target_include_directories(stub PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(stub ${CUDA_CUDA_LIBRARY} -Wl,--allow-shlib-undefined)
CM

check_files()
{
    local tree=$1 path
    grep -qx 'CUDA Version 10.1.105' "$tree/version.txt" || failed "$tree: no version.txt"
    is_json "$tree/version.json"
    for path in lib64/stubs/libcuda.so lib/libcudart.so lib/stubs/libcuda.so bin/nvcc \
        targets/x86_64-linux/include/cuda.h targets/x86_64-linux/lib/libcudart.so \
        targets/x86_64-linux/lib/stubs/libcuda.so samples/common/inc/helper_cuda.h \
        C/common/common.mk C/common/inc/cutil.h C/lib/libcutil_x86_64.a C/src common/inc/cutil.h \
        shared/inc/shrUtils.h shared/lib/libshrutil_x86_64.a lib64/libcudadevrt.a lib64/libculibos.a \
        lib64/libcudart_static.a lib64/lib{nvrtc,cublas,cufft,curand}.so include/nvrtc.h; do
        [ -e "$tree/$path" ] || failed "$tree: no $path"
    done
}
check_files "$("$SMELT" cc --print-toolkit)"
cmake --install "$(dirname "$SMELT")" --prefix "$PWD/prefix" >install.txt 2>&1 || failed "$(tail -3 install.txt)"
SMELT=$PWD/prefix/bin/smelt
tree=$PWD/prefix/lib/smelt
check_files "$tree"

make -C driver CUDA_PATH="$tree" >make.txt 2>&1 || failed "driver: $(cat make.txt)"
passes driver/driver
rm driver/driver
make -C driver CUDA_PATH="$tree" CUDA_SEARCH_PATH="$tree/targets/x86_64-linux/lib/stubs" >make.txt 2>&1 ||
    failed "driver: $(cat make.txt)"
passes driver/driver
make -C sdk CUDA_INSTALL_PATH="$tree" HP_64= >make.txt 2>&1 || failed "sdk: $(cat make.txt)"
passes sdk/prog
cmake -S modern -B modern/build -DCUDAToolkit_ROOT="$tree" -DROOT="$tree" >cmake.txt 2>&1 &&
    cmake --build modern/build >>cmake.txt 2>&1 || failed "CMake: $(tail -n 20 cmake.txt)"
passes modern/build/driver
passes modern/build/stub

# However the program gets at the library, it finds smelt's files.
grep -q asan <<<"$(ldd "$SMELT")" ||
    same "through the stubs" "$(LD_LIBRARY_PATH=$tree/lib/stubs:$tree/targets/x86_64-linux/lib \
        driver/driver)" PASS
finish
