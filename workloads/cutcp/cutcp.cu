/*
 * cutcp -- coulombic potential of the atoms nearby, on a lattice in space
 *
 * suite: Parboil
 * stresses: shared memory broadcasts and its capacity, reciprocal square roots, diverging branches
 * papers: gates, share
 * kernels: cutcp_region
 * size: 40 angstrom of width
 * large: 100 angstrom of width
 * odd: 7
 * tiny: 3
 * mix: 20
 * time: 11.3 s
 *
 * The potential of water molecules in a cube, at points 0.5 angstrom apart: the sum of q/r (1 -
 * r^2/R^2)^2 over the atoms closer than R = 12 angstrom.  The lattice reaches 0.5 angstrom beyond
 * the cube on every side.  The host sorts the atoms into bins of 4 x 4 x 4 angstrom with room for 8
 * each.  A block of 8 x 2 x 8 threads has a region of 8 x 8 x 8 points, 4 a thread; it copies 32
 * bins at a time from its neighbourhood, whose list is in constant memory, into shared memory, half
 * a warp a bin, and every thread adds up the atoms there.  A launch has the regions of one layer
 * along z.  The few atoms that do not fit into their bins are the host's, as in the original.
 *
 * The suite's cubes have 40 and 100 angstrom, and so have ours; but below 100 the potential is worked
 * out in the first layer alone, unless --layers asks for more.
 *
 * No atom is on a point of the lattice, and the potential goes to zero with its slope at the
 * cutoff: it does not matter on which side an atom at that distance is taken to be.
 */
#include "workload.h"

enum {
    BIN_ATOMS = 8, /* room in a bin */
    ATOM_WORDS = 4,
    BIN_WORDS = BIN_ATOMS * ATOM_WORDS,
    HALF = BIN_WORDS / 2,
    CACHE_BINS = 32, /* in shared memory */
    REGION = 8,      /* points of a side of a region, which has the size of a bin */
    THREADS_Y = 2,   /* of a block of REGION x THREADS_Y x REGION; so a thread has 4 points */
    BLOCK = REGION * THREADS_Y * REGION,
    REGION_POINTS = REGION * REGION * REGION,
    REACH = 3, /* bins that the cutoff reaches from a region, each way */
    MOST_NEIGHBOURS = (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1),
    LARGE = 100, /* angstrom */
};

/* Lengths in angstrom. */
#define SPACING 0.5f
#define BIN_LENGTH (REGION * SPACING)
#define CUTOFF 12.0f
#define PADDING 0.5f
#define MOLECULE_SPACING 3.1f

struct atom {
    float x, y, z, q; /* q is 0 for none */
};

struct atoms {
    int n;
    struct atom *atom;
};

/* Regions along each axis of the cube; the bins are REACH more of them on every side. */
struct shape {
    int x, y, z;
    int layers; /* of regions along z whose potential is wanted */
};

struct offset {
    int x, y, z;
};

/* Bins around a region that may have atoms within the cutoff. */
static __constant__ struct offset neighbour[MOST_NEIGHBOURS];
static __constant__ int n_neighbour;

/*
 * Brings up to CACHE_BINS bins around the bin `centre` to shared memory, from neighbour `first` on:
 * half a warp has a bin, and reads half of it at a time.
 */
static __device__ void bins_load(const float *bins, int bins_x, int bins_y, struct offset centre,
                                 int first, float *cache)
{
    unsigned t = (threadIdx.z * THREADS_Y + threadIdx.y) * REGION + threadIdx.x, lane = t % HALF;

    for (int i = t / HALF; i < CACHE_BINS && first + i < n_neighbour; i += BLOCK / HALF) {
        struct offset o = neighbour[first + i];
        int bin = ((centre.z + o.z) * bins_y + centre.y + o.y) * bins_x + centre.x + o.x;
        const float *from = bins + bin * BIN_WORDS + lane;
        float *to = cache + i * BIN_WORDS + lane;

        to[0] = from[0];
        to[HALF] = from[HALF];
    }
}

/*
 * Adds the potential of a charge at a point within the cutoff.  Not a function: the compiler would
 * take the loop around it apart in another way than the original's, where this is written out.
 */
#define POTENTIAL_ADD(sum, q, square)                                                              \
    do {                                                                                           \
        float r2 = (square);                                                                       \
        if (r2 < cutoff2) {                                                                        \
            float s = 1 - r2 * inverse_cutoff2;                                                    \
            sum += q * rsqrtf(r2) * s * s;                                                         \
        }                                                                                          \
    } while (0)

/* The regions of layer `layer`; a region's points are together in memory, rows along x. */
__global__ void cutcp_region(int bins_x, int bins_y, const float *bins, float spacing,
                             float cutoff2, float inverse_cutoff2, float *lattice, int layer)
{
    __shared__ float cache[CACHE_BINS * BIN_WORDS];
    __shared__ float *of_region;     /* the region's points and bin: the same for all threads, */
    __shared__ struct offset centre; /* and used too seldom to keep them in registers */
    float x = (blockIdx.x * REGION + threadIdx.x) * spacing;
    float y = (blockIdx.y * REGION + threadIdx.y) * spacing;
    float z = (layer * REGION + threadIdx.z) * spacing;
    float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0; /* of the thread's points */

    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        centre.x = blockIdx.x + REACH;
        centre.y = blockIdx.y + REACH;
        centre.z = layer + REACH;
        of_region =
            lattice + ((layer * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * REGION_POINTS;
    }
    __syncthreads();
    for (int first = 0; first < n_neighbour; first += CACHE_BINS) {
        int end = min(n_neighbour - first, CACHE_BINS) * BIN_WORDS;

        bins_load(bins, bins_x, bins_y, centre, first, cache);
        __syncthreads();
        for (int bin = 0; bin < end; bin += BIN_WORDS)
            for (int i = 0; i < BIN_ATOMS; i++) {
                int at = bin + i * ATOM_WORDS;
                float q = cache[at + 3];

                if (q == 0) /* no more atoms in this bin */
                    break;

                float dx = cache[at] - x, dz = cache[at + 2] - z, dxz2 = dx * dx + dz * dz;
                float dy = cache[at + 1] - y;

                POTENTIAL_ADD(sum0, q, dy * dy + dxz2);
                dy -= THREADS_Y * spacing;
                POTENTIAL_ADD(sum1, q, dy * dy + dxz2);
                dy -= THREADS_Y * spacing;
                POTENTIAL_ADD(sum2, q, dy * dy + dxz2);
                dy -= THREADS_Y * spacing;
                POTENTIAL_ADD(sum3, q, dy * dy + dxz2);
            }
        __syncthreads();
    }

    float *point = of_region + (threadIdx.z * REGION + threadIdx.y) * REGION + threadIdx.x;

    point[0] = sum0;
    point[THREADS_Y * REGION] = sum1;
    point[2 * THREADS_Y * REGION] = sum2;
    point[3 * THREADS_Y * REGION] = sum3;
}

/* The bins whose middle is not further from the region's than the cutoff and two half diagonals. */
static void neighbours_upload(void)
{
    const float reach = CUTOFF / BIN_LENGTH + sqrtf(3);
    struct offset list[MOST_NEIGHBOURS];
    int n = 0;

    for (int i = 0; i < MOST_NEIGHBOURS; i++) {
        const int side = 2 * REACH + 1;
        struct offset o = {i % side - REACH, i / side % side - REACH, i / side / side - REACH};

        if (o.x * o.x + o.y * o.y + o.z * o.z < reach * reach)
            list[n++] = o;
    }
    CUDA(cudaMemcpyToSymbol(neighbour, list, n * sizeof *list));
    CUDA(cudaMemcpyToSymbol(n_neighbour, &n, sizeof n));
}

static int bins_along(int n_region)
{
    return n_region + 2 * REACH;
}

static size_t bin_index(struct shape s, int x, int y, int z)
{
    return ((z + REACH) * bins_along(s.y) + y + REACH) * bins_along(s.x) + x + REACH;
}

/* Sorts the atoms into `bins`, which are empty; those that do not fit in go to `extra`. */
static void bins_fill(struct shape s, struct atoms atoms, struct atom *bins, struct atoms *extra)
{
    for (int i = 0; i < atoms.n; i++) {
        struct atom a = atoms.atom[i];
        size_t index =
            bin_index(s, (int)(a.x / BIN_LENGTH), (int)(a.y / BIN_LENGTH), (int)(a.z / BIN_LENGTH));
        struct atom *bin = bins + index * BIN_ATOMS;
        int at = 0;

        while (at < BIN_ATOMS && bin[at].q != 0)
            at++;
        if (at < BIN_ATOMS)
            bin[at] = a;
        else
            extra->atom[extra->n++] = a;
    }
}

/* Where a point is in the lattice; x, y, z count points. */
static size_t point_index(struct shape s, int x, int y, int z)
{
    size_t region = ((size_t)(z / REGION) * s.y + y / REGION) * s.x + x / REGION;

    return region * REGION_POINTS + (z % REGION * REGION + y % REGION) * REGION + x % REGION;
}

/* The points of an axis within the cutoff of a coordinate: first, and one after the last. */
static void point_range(float at, int n_region, int *first, int *end)
{
    *first = (int)fmaxf(0, ceilf((at - CUTOFF) / SPACING));
    *end = (int)fminf(n_region * REGION, floorf((at + CUTOFF) / SPACING) + 1);
}

/* The reference: atom by atom, adds to the points around each. */
static void potential_cpu(struct shape s, struct atoms atoms, float *lattice)
{
    for (int i = 0; i < atoms.n; i++) {
        struct atom a = atoms.atom[i];
        int x0, x1, y0, y1, z0, z1;

        point_range(a.x, s.x, &x0, &x1);
        point_range(a.y, s.y, &y0, &y1);
        point_range(a.z, s.layers, &z0, &z1);
        for (int z = z0; z < z1; z++)
            for (int y = y0; y < y1; y++)
                for (int x = x0; x < x1; x++) {
                    float dx = x * SPACING - a.x, dy = y * SPACING - a.y, dz = z * SPACING - a.z;
                    float r2 = dx * dx + dy * dy + dz * dz;
                    float taper = 1 - r2 / (CUTOFF * CUTOFF);

                    if (taper > 0)
                        lattice[point_index(s, x, y, z)] += a.q / sqrtf(r2) * taper * taper;
                }
    }
}

static void potential_gpu(struct shape s, struct atoms atoms, float *lattice)
{
    size_t bytes = (size_t)s.x * s.y * s.layers * REGION_POINTS * sizeof *lattice;
    size_t bin_bytes = (size_t)bins_along(s.x) * bins_along(s.y) * bins_along(s.z);
    struct atoms extra = {0, (struct atom *)workload_alloc(atoms.n * sizeof *extra.atom)};
    struct atom *bins;
    float *d_bins, *d_lattice;

    bin_bytes *= BIN_ATOMS * sizeof *bins;
    bins = (struct atom *)workload_alloc(bin_bytes);
    bins_fill(s, atoms, bins, &extra);
    d_bins = (float *)workload_upload(bins, bin_bytes);
    CUDA(cudaMalloc((void **)&d_lattice, bytes));
    neighbours_upload();
    for (int layer = 0; layer < s.layers; layer++) {
        cutcp_region<<<dim3(s.x, s.y), dim3(REGION, THREADS_Y, REGION)>>>(
            bins_along(s.x), bins_along(s.y), d_bins, SPACING, CUTOFF * CUTOFF,
            1 / (CUTOFF * CUTOFF), d_lattice, layer);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(lattice, d_lattice, bytes, cudaMemcpyDeviceToHost));
    potential_cpu(s, extra, lattice);
    CUDA(cudaFree(d_bins));
    CUDA(cudaFree(d_lattice));
    free(bins);
    free(extra.atom);
}

/* To the middle of a 1/16 angstrom: no point of the lattice is there.  Stays in the cube. */
static float coordinate(float at, int width)
{
    int sixteenths = (int)floorf(at * 16);

    sixteenths = sixteenths < 0 ? 0 : sixteenths < width * 16 ? sixteenths : width * 16 - 1;
    return PADDING + (sixteenths + 0.5f) / 16;
}

/* Two hydrogen atoms and an oxygen atom, in any direction; charges of the TIP3P water model. */
static void molecule_make(struct workload *w, const float centre[3], int width, struct atom *atom)
{
    static const float charge[3] = {-0.834f, 0.417f, 0.417f};

    for (int i = 0; i < 3; i++) {
        float at[3];

        for (int axis = 0; axis < 3; axis++)
            at[axis] = centre[axis] + (i ? workload_float(w, -0.9f, 0.9f) : 0);
        atom[i].x = coordinate(at[0], width);
        atom[i].y = coordinate(at[1], width);
        atom[i].z = coordinate(at[2], width);
        atom[i].q = charge[i];
    }
}

/* Molecules near the points of a grid of their usual distance. */
static struct atoms atoms_make(struct workload *w, int width)
{
    int n = (int)ceilf(width / MOLECULE_SPACING), n_molecule = n * n * n;
    struct atoms atoms = {3 * n_molecule, NULL};

    atoms.atom = (struct atom *)workload_alloc(atoms.n * sizeof *atoms.atom);
    for (int i = 0; i < n_molecule; i++) {
        int at[3] = {i % n, i / n % n, i / n / n};
        float centre[3];

        for (int axis = 0; axis < 3; axis++)
            centre[axis] = (at[axis] + workload_float(w, 0.2f, 0.8f)) * width / n;
        molecule_make(w, centre, width, atoms.atom + 3 * i);
    }
    return atoms;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "angstrom of width",
            .usual = 40,
            .large = LARGE,
            .least = 1,
            .most = 200,
            .extra = {"--layers", "along z; 0: 1, or all from 100 of width on", 0, 0, 51}});
    int width = (int)w.size, n = (int)ceilf((width + 2 * PADDING) / BIN_LENGTH);
    int layers = w.extra && w.extra < n ? (int)w.extra : w.extra || width >= LARGE ? n : 1;
    struct shape s = {n, n, n, layers};
    size_t n_point = (size_t)n * n * layers * REGION_POINTS;
    struct atoms atoms = atoms_make(&w, width);
    float *got = (float *)workload_alloc(n_point * sizeof *got);
    float *want = (float *)workload_alloc(n_point * sizeof *want);

    potential_gpu(s, atoms, got);
    potential_cpu(s, atoms, want);
    workload_compare_f32(&w, "potential", got, want, n_point, 1e-4f);

    free(atoms.atom);
    free(got);
    free(want);
    return workload_end(&w);
}
