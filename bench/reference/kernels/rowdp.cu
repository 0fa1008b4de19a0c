#include "shim.cuh"
#define W 256
/* dynamic programming down a cost grid: best[r][c] = cost[r][c] + min of three parents.
   One launch advances `rows` rows; each block keeps a strip in shared memory and
   writes only the columns that are still exact (strip shrinks by one per side per row). */
extern "C" __global__ void rowdp(const int *cost, const int *prev, int *next, int cols, int row0, int rows) {
  __shared__ int a[W];
  int t = TIDX, use = W - 2 * rows;
  int c = (int)(BIDX * use) - rows + t;
  int in = c >= 0 && c < cols;
  int v = in ? prev[c] : 0x3fffffff;
  for (int i = 0; i < rows; i++) {
    a[t] = v;
    SYNC();
    int l = t > 0 ? a[t - 1] : v, r = t < W - 1 ? a[t + 1] : v;
    int m = imin_(imin_(l, r), v);
    SYNC();
    if (in) v = m + cost[(row0 + i) * cols + c];
  }
  if (in && t >= rows && t < W - rows) next[c] = v;
}
