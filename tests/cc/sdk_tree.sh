#!/usr/bin/env bash
# Projects in the manner of the SDKs of CUDA 2 to 4: with the toolkit's common.mk, and with one of
# their own that is told where libraries and headers are.
. "$SRC/tests/cc/lib.bash"

tree=$("$SMELT" cc --print-toolkit)
make_in() { make -C "$@" >make.txt 2>&1 || failed "make -C $*: $(cat make.txt)"; }

# SDK/common, SDK/src/PROJECT; the one line that makes it a whole SDK is the link.
mkdir -p sdk/src/scale sdk/src/wants_gl
ln -s "$tree/C/common" sdk/common
cat >sdk/src/scale/scale.cu <<'CU'
#include <cutil_inline.h>
#include <shrQATest.h>
#include "scale.h"
__global__ void scale_kernel(float *p, float f) { p[threadIdx.x] *= f; }
extern "C" int gold(const float *p);
extern "C" void again(float *p);
extern "C" float third(void);
int main(int argc, char **argv)
{
    float v[N], *p;
    for (int i = 0; i < N; i++)
        v[i] = i;
    cutilSafeCall(cudaMalloc((void **)&p, sizeof(v)));
    cutilSafeCall(cudaMemcpy(p, v, sizeof(v), cudaMemcpyHostToDevice));
    scale_kernel<<<1, N>>>(p, 2);
    again(p);
    cutilSafeCall(cudaMemcpy(v, p, sizeof(v), cudaMemcpyDeviceToHost));
    puts(gold(v) && third() == 3 ? "PASS" : "FAIL");
}
CU
cat >sdk/src/scale/again.cu <<'CU'
__global__ void again_kernel(float *p) { p[threadIdx.x] *= SM; }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 130 && __CUDA_ARCH__ != 200
#error not for sm_13
#endif
extern "C" void again(float *p) { again_kernel<<<1, 32>>>(p); }
CU
echo '#define N 32' >sdk/src/scale/scale.h
printf '%s\n' '#include "scale.h"' '#include <cutil.h>' \
    'extern "C" int gold(const float *p) { for (int i = 0; i < N; i++) if (p[i] != 6 * i) return 0; return 1; }' \
    >sdk/src/scale/scale_gold.cpp
printf '%s\n' 'float third(void);' 'float third(void) { return 3; }' >sdk/src/scale/third.c
cat >sdk/src/scale/Makefile <<'MK'
EXECUTABLE    := scale
CUFILES       := scale.cu
CUFILES_sm_13 := again.cu
CUDEPS        := scale.h
CCFILES       := scale_gold.cpp
CFILES        := third.c
PTXFILES      := scale.cu
COMMONFLAGS   += -DSM=3
include ../../common/common.mk
MK
make_in sdk/src/scale
passes sdk/src/scale/bin/linux/release/scale
grep -q scale_kernel sdk/src/scale/data/scale.ptx || failed "no data/scale.ptx"
make_in sdk/src/scale -n dbg=1 verbose=1 ptxas=1 fastmath=1 maxregisters=16 ROOTBINDIR="$PWD/elsewhere"
grep -q -- '-use_fast_math -Xptxas -v -maxrregcount 16 .* -g -D_DEBUG .*scale\.cu$' make.txt ||
    failed "dbg=1: $(cat make.txt)"
grep -q -- "-o $PWD/elsewhere/linux/debug/scale " make.txt || failed "ROOTBINDIR: $(cat make.txt)"
make_in sdk/src/scale clean
[ ! -e sdk/src/scale/bin/linux/release/scale ] || failed "clean leaves scale"
[ -e "$tree/C/common/common.mk" ] && [ -e "$tree/C/lib/libcutil_x86_64.a" ] || failed "clean takes the tree"
printf '%s\n' 'STATIC_LIB := libthird.a' 'CFILES := ../scale/third.c' 'SRCDIR := ../scale/' \
    'include ../../common/common.mk' >sdk/src/wants_gl/Makefile
make_in sdk/src/wants_gl
nm sdk/src/wants_gl/lib/libthird.a | grep ' T third' >nm.txt || failed "no third in libthird.a"

# What is not there is said in a line.
printf '%s\n' 'EXECUTABLE := pictures' 'CUFILES := x.cu' 'USEGLLIB := 1' 'USEPARAMGL := 1' \
    'include ../../common/common.mk' >sdk/src/wants_gl/Makefile
make -C sdk/src/wants_gl >make.txt 2>&1 && failed "pictures needs OpenGL"
grep -q 'pictures needs libGL libparamgl, which smelt does not have' make.txt || failed "$(cat make.txt)"

# An SDK with a common.mk of its own: ROOTDIR and CUDA_INSTALL_PATH say where all is.
mkdir -p old/C/src/prog old/C/common
cp prog.cu old/C/src/prog/prog.cu
sed -i '1i #include <cutil_inline.h>\n#include <shrUtils.h>' old/C/src/prog/prog.cu
cat >old/C/common/common.mk <<'MK'
CUDA_INSTALL_PATH ?= /usr/local/cuda
OSLOWER := $(shell uname -s | tr A-Z a-z)
ROOTDIR    ?= ..
ROOTBINDIR ?= $(ROOTDIR)/../bin
BINDIR     ?= $(ROOTBINDIR)/$(OSLOWER)
LIBDIR     := $(ROOTDIR)/../lib
COMMONDIR  := $(ROOTDIR)/../common
SHAREDDIR  := $(ROOTDIR)/../../shared/
LINK       := g++ -fPIC -m64
INCLUDES   += -I. -I$(CUDA_INSTALL_PATH)/include -I$(COMMONDIR)/inc -I$(SHAREDDIR)/inc
LIB        := -L$(CUDA_INSTALL_PATH)/lib64 -L$(LIBDIR) -L$(COMMONDIR)/lib/$(OSLOWER) -L$(SHAREDDIR)/lib -lcudart
LIB        += -lcutil_x86_64 -lshrutil_x86_64
SM10       := -gencode=arch=compute_10,code=\"sm_10,compute_10\"
SM30       := -gencode=arch=compute_30,code=\"sm_30,compute_30\"
$(BINDIR)/release/$(EXECUTABLE): obj/$(CUFILES).o
	mkdir -p $(BINDIR)/release
	$(LINK) -o $@ $< $(LIB) -Wl,--allow-shlib-undefined
obj/%.cu.o: %.cu
	mkdir -p obj
	$(CUDA_INSTALL_PATH)/bin/nvcc $(SM10) $(SM30) -m64 --compiler-options -fno-strict-aliasing $(INCLUDES) -DUNIX -O2 -o $@ -c $<
MK
printf '%s\n' 'EXECUTABLE := prog' 'CUFILES := prog.cu' 'include ../../common/common.mk' >old/C/src/prog/Makefile
make_in old/C/src/prog CUDA_INSTALL_PATH="$tree" ROOTDIR="$tree/C/src" ROOTBINDIR=../../bin
passes old/C/bin/linux/release/prog
# .. as those of CUDA 2 had it, without C/
for path in common/common.mk common/inc/cutil.h lib/libcutil.a shared/inc/shrUtils.h shared/lib/libshrutil.a \
    C/common/lib/libcutil.a samples/common/lib/libcudart.so; do
    [ -e "$tree/$path" ] || failed "no $path in the tree"
done
finish
