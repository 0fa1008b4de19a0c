/* device.cuh -- the few words of CUDA that the benchmarks need, without any toolkit's headers. */
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

static __attribute__((device)) inline unsigned thread_x() { return __nvvm_read_ptx_sreg_tid_x(); }
static __attribute__((device)) inline unsigned thread_y() { return __nvvm_read_ptx_sreg_tid_y(); }
static __attribute__((device)) inline unsigned block_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __attribute__((device)) inline unsigned block_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }

/* Number of this thread in a grid of one dimension. */
static __attribute__((device)) inline unsigned thread_number()
{
    return block_x() * __nvvm_read_ptx_sreg_ntid_x() + thread_x();
}
