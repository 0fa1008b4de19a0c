#include "shim.cuh"
/* every lane has its own trip count and walks an 8-way switch on its own state */
extern "C" __global__ void divswitch(unsigned *out, int base) {
  unsigned id = BIDX * BDX + TIDX, s = id * 747796405u + 2891336453u, acc = id;
  int trips = base + (int)((s >> 20) & 31);
  NOUNROLL
  for (int i = 0; i < trips; i++) {
    s = s * 1664525u + 1013904223u;
    switch ((s >> 24) & 7) {
      case 0: acc += s >> 3; break;
      case 1: acc ^= s; acc = (acc << 7) ^ (acc >> 20); break;
      case 2: acc = acc * 31u + i; break;
      case 3: if (acc & 1) acc = acc * 3u + 1u; else acc >>= 1; break;
      case 4: { unsigned k = acc & 3; NOUNROLL while (k--) acc += acc >> 5; } break;
      case 5: acc -= s * s; break;
      case 6: acc |= s & 0x01010101u; break;
      default: acc = ~acc + (unsigned)i;
    }
  }
  out[id] = acc;
}
