// status: 1
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stderr: smelt: kernel past: global write of 4 bytes at 0x ...
// compile: -arch=sm_70
// options: -g gtx480-hw
//
// A tile of 512 bytes, stored by a warp a whole tile behind a buffer of a tile and a half: what is
// left free after a buffer is more than that, so that the tile does not land in the next one.
#include "say.h"

#include <mma.h>

using namespace nvcuda;

enum { TILE = 16 * 16 };

__global__ void past(half *to)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> tile;
    wmma::fill_fragment(tile, 1.0f);
    wmma::store_matrix_sync(to + 2 * TILE, tile, 16, wmma::mem_row_major);
}

int main(void)
{
    half *p, *next;
    cudaMalloc((void **)&p, 3 * TILE / 2 * sizeof *p);
    cudaMalloc((void **)&next, TILE * sizeof *next);
    past<<<1, 32>>>(p);
    say_launch();
    return 0;
}
