#!/usr/bin/env bash
# -Xptxas -dlcm: the caches of loads that do not say themselves which ones they use.
. "$SRC/tests/cc/lib.bash"

# A warp loads 128 bytes at once: if it gets there, one access of a GTX 480's L1D, and on a TITAN X,
# which has sectors of 32 bytes, four.
cat >load.cu <<'CU'
__global__ void k(const int *p, int *q) { q[threadIdx.x] = p[threadIdx.x]; }
int main()
{
    int *p;
    cudaMalloc(&p, 256);
    k<<<1, 32>>>(p, p + 32);
    return cudaDeviceSynchronize();
}
CU
# loads_in_l1 GPU PROGRAM
loads_in_l1()
{
    works run -g "$1" --json load.json "$2"
    echo $(($(field load.json l1d_access) - $(field load.json l1d_store)))
}
works cc load.cu -o any
works cc -Xptxas -dlcm=ca load.cu -o ca
works cc -Xptxas -dlcm=cg load.cu -o cg
same "default of a GTX 480" "$(loads_in_l1 gtx480 ./any)" 1
same "cg" "$(loads_in_l1 gtx480 ./cg)" 0
same "default of a TITAN X" "$(loads_in_l1 titanx ./any)" 0
same "ca on it" "$(loads_in_l1 titanx ./ca)" 4

# ptx LOAD OPTIONS..: as the options may be written
ptx()
{
    local load=$1
    shift
    works cc "$@" -ptx load.cu -o load.ptx
    grep -q "[[:space:]]ld\.$load[[:space:]]" load.ptx || failed "no ld.$load with $*: $(grep ld load.ptx)"
}
ptx global.u32 -Xptxas -v
ptx global.cs.u32 -Xptxas -v,-dlcm=cs,-O3
ptx global.cv.u32 -Xptxas -dlcm -Xptxas cv -Xptxas -v
ptx global.cg.u32 '-Xptxas=-dlcm cg'
ptx global.cg.u32 --ptxas-options=--def-load-cache=cg

# Every load of global or unknown memory, and no other.
cat >all.cu <<'CU'
__constant__ int c[4];
__global__ void k(int *p, const float4 *__restrict__ r, volatile int *v, int **pp)
{
    __shared__ int s[32];
    s[threadIdx.x] = p[threadIdx.x] + c[threadIdx.x & 3];
    __syncthreads();
    int *any = p[40] ? s : p, x;
    asm volatile("ld.global.cs.s32 %0, [%1];" : "=r"(x) : "l"(p + 1));
    p[2] = x;
    asm volatile("ld.weak.global.s32 %0, [%1];" : "=r"(x) : "l"(p + 1));
    p[0] = s[31 - threadIdx.x] + *any + r[3].x + *v + x + **pp;
}
CU
works cc -Xptxas -dlcm=cg -ptx all.cu -o all.ptx
works disasm all.ptx
loads() { grep -oE '(^|[[:space:]])ld[.a-z0-9]*' all.ptx | tr -d ' \t' | grep -v '^ld\.param' | sort -u | tr '\n' ' '; }
same "loads" "$(loads)" "ld.cg.u32 ld.const.u32 ld.global.cg.u32 ld.global.cg.u64 ld.global.cs.s32 \
ld.global.nc.f32 ld.shared.u32 ld.volatile.global.u32 ld.weak.global.cg.s32 "
fails 2 "option '-Xptxas -dlcm=cx': the cache operators are ca, cg, cs and cv" cc -Xptxas -dlcm=cx load.cu
finish
