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
 * time: 10.4 s
 *
 * The potential of water molecules in a box, at points 0.5 angstrom apart: the sum of q/r (1 -
 * r^2/R^2)^2 over the atoms closer than R = 12 angstrom.  The host sorts the atoms into bins of 4 x
 * 4 x 4 angstrom with room for 8 each.  A block of 8 x 2 x 8 threads has a region of 8 x 8 x 8
 * points, 4 a thread; it copies 32 bins at a time from its neighbourhood, whose list is in constant
 * memory, into shared memory, and every thread adds up the atoms there.  A launch has the regions
 * of one layer along z.  The few atoms that do not fit into their bins are the host's, as in the
 * original.  The suite's boxes are cubes of 40 and 100 angstrom.  If --depth does not set it, ours
 * are 8 angstrom deep, and cubes from the width of `large` on.
 *
 * No atom is on a point of the lattice, and the potential goes to zero with its slope at the
 * cutoff: it does not matter on which side an atom at that distance is taken to be.
 */
#include "workload.h"

enum {
    BIN_ATOMS = 8, /* room in a bin */
    BIN_WORDS = BIN_ATOMS * 4,
    CACHE_BINS = 32,             /* in shared memory */
    REGION = 8,                  /* points of a side of a region, which has the size of a bin */
    THREADS_Y = 2,               /* of a block of REGION x THREADS_Y x REGION */
    POINTS = REGION / THREADS_Y, /* of a thread */
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
#define MOLECULE_SPACING 3.1f

struct atom {
    float x, y, z, q; /* q is 0 for none */
};

struct atoms {
    int n;
    struct atom *atom;
};

/* Regions of the lattice along each axis; the bins are REACH more of them on every side. */
struct shape {
    int x, y, z;
};

struct offset {
    int x, y, z;
};

/* Bins around a region that may have atoms within the cutoff. */
static __constant__ struct offset neighbour[MOST_NEIGHBOURS];
static __constant__ int n_neighbour;

static __host__ __device__ int bin_index(struct shape s, int x, int y, int z)
{
    return ((z + REACH) * (s.y + 2 * REACH) + y + REACH) * (s.x + 2 * REACH) + x + REACH;
}

/* Brings up to CACHE_BINS bins around bin `centre` to shared memory, from neighbour `first` on. */
static __device__ int bins_load(struct shape s, const float *bins, int centre, int first,
                                float *cache)
{
    int n = min(n_neighbour - first, CACHE_BINS);
    int t = (threadIdx.z * THREADS_Y + threadIdx.y) * REGION + threadIdx.x;

    for (int i = t / BIN_WORDS; i < n; i += BLOCK / BIN_WORDS) {
        struct offset o = neighbour[first + i];
        int bin = centre + (o.z * (s.y + 2 * REACH) + o.y) * (s.x + 2 * REACH) + o.x;

        cache[i * BIN_WORDS + t % BIN_WORDS] = bins[bin * BIN_WORDS + t % BIN_WORDS];
    }
    return n;
}

/* Adds an atom's potential at the thread's points, the first of which is at x, y, z. */
static __device__ void atom_add(struct atom a, float x, float y, float z, float sum[POINTS])
{
    float dx = a.x - x, dy = a.y - y, dz = a.z - z, dxz2 = dx * dx + dz * dz;

    for (int p = 0; p < POINTS; p++, dy -= THREADS_Y * SPACING) {
        float r2 = dy * dy + dxz2;

        if (r2 < CUTOFF * CUTOFF) {
            float s = 1 - r2 * (1 / (CUTOFF * CUTOFF));

            sum[p] += a.q * rsqrtf(r2) * s * s;
        }
    }
}

/* The regions of layer `layer`; a region's points are together in memory, rows along x. */
__global__ void cutcp_region(struct shape s, const float *bins, float *lattice, int layer)
{
    __shared__ struct atom cache[CACHE_BINS][BIN_ATOMS];
    __shared__ int centre;       /* the region's bin and points: the same for all threads, */
    __shared__ float *of_region; /* and used too seldom to keep them in registers */
    float x = (blockIdx.x * REGION + threadIdx.x) * SPACING;
    float y = (blockIdx.y * REGION + threadIdx.y) * SPACING;
    float z = (layer * REGION + threadIdx.z) * SPACING;
    float sum[POINTS] = {0};

    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        centre = bin_index(s, blockIdx.x, blockIdx.y, layer);
        of_region = lattice + ((layer * s.y + blockIdx.y) * s.x + blockIdx.x) * REGION_POINTS;
    }
    __syncthreads();
    for (int first = 0; first < n_neighbour; first += CACHE_BINS) {
        int n = bins_load(s, bins, centre, first, &cache[0][0].x);

        __syncthreads();
        for (int b = 0; b < n; b++)
            for (int i = 0; i < BIN_ATOMS && cache[b][i].q != 0; i++)
                atom_add(cache[b][i], x, y, z, sum);
        __syncthreads();
    }
    for (int p = 0; p < POINTS; p++)
        of_region[(threadIdx.z * REGION + threadIdx.y + p * THREADS_Y) * REGION + threadIdx.x] =
            sum[p];
}

/* Distance along an axis from the points of a region to the bin `offset` further on. */
static float gap(int offset)
{
    return offset > 0   ? offset * BIN_LENGTH - (REGION - 1) * SPACING
           : offset < 0 ? -(offset + 1) * BIN_LENGTH
                        : 0;
}

static void neighbours_upload(void)
{
    struct offset list[MOST_NEIGHBOURS];
    int n = 0;

    for (int i = 0; i < MOST_NEIGHBOURS; i++) {
        const int side = 2 * REACH + 1;
        struct offset o = {i % side - REACH, i / side % side - REACH, i / side / side - REACH};
        float x = gap(o.x), y = gap(o.y), z = gap(o.z);

        if (x * x + y * y + z * z < CUTOFF * CUTOFF)
            list[n++] = o;
    }
    CUDA(cudaMemcpyToSymbol(neighbour, list, n * sizeof *list));
    CUDA(cudaMemcpyToSymbol(n_neighbour, &n, sizeof n));
}

/* Sorts the atoms into `bins`, which are empty; those that do not fit in go to `extra`. */
static void bins_fill(struct shape s, struct atoms atoms, struct atom *bins, struct atoms *extra)
{
    for (int i = 0; i < atoms.n; i++) {
        struct atom a = atoms.atom[i];
        int index =
            bin_index(s, (int)(a.x / BIN_LENGTH), (int)(a.y / BIN_LENGTH), (int)(a.z / BIN_LENGTH));
        struct atom *bin = bins + (size_t)index * BIN_ATOMS;
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
        point_range(a.z, s.z, &z0, &z1);
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
    size_t bytes = (size_t)s.x * s.y * s.z * REGION_POINTS * sizeof *lattice;
    size_t bin_bytes = (size_t)bin_index(s, s.x + REACH - 1, s.y + REACH - 1, s.z + REACH - 1) + 1;
    struct atoms extra = {0, (struct atom *)workload_alloc(atoms.n * sizeof *extra.atom)};
    struct atom *bins;
    float *d_bins, *d_lattice;

    bin_bytes *= BIN_ATOMS * sizeof *bins;
    bins = (struct atom *)workload_alloc(bin_bytes);
    bins_fill(s, atoms, bins, &extra);
    d_bins = (float *)workload_upload(bins, bin_bytes);
    CUDA(cudaMalloc((void **)&d_lattice, bytes));
    neighbours_upload();
    for (int layer = 0; layer < s.z; layer++) {
        cutcp_region<<<dim3(s.x, s.y), dim3(REGION, THREADS_Y, REGION)>>>(s, d_bins, d_lattice,
                                                                          layer);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(lattice, d_lattice, bytes, cudaMemcpyDeviceToHost));
    potential_cpu(s, extra, lattice);
    CUDA(cudaFree(d_bins));
    CUDA(cudaFree(d_lattice));
    free(bins);
    free(extra.atom);
}

/* To the middle of a 1/16 angstrom: no point of the lattice is there.  Stays in the box. */
static float coordinate(float at, int length)
{
    int sixteenths = (int)floorf(at * 16);

    sixteenths = sixteenths < 0 ? 0 : sixteenths < length * 16 ? sixteenths : length * 16 - 1;
    return (sixteenths + 0.5f) / 16;
}

/* Two hydrogen atoms and an oxygen atom, in any direction; charges of the TIP3P water model. */
static void molecule_make(struct workload *w, const float centre[3], const int box[3],
                          struct atom *atom)
{
    static const float charge[3] = {-0.834f, 0.417f, 0.417f};

    for (int i = 0; i < 3; i++) {
        float at[3];

        for (int axis = 0; axis < 3; axis++)
            at[axis] = centre[axis] + (i ? workload_float(w, -0.9f, 0.9f) : 0);
        atom[i].x = coordinate(at[0], box[0]);
        atom[i].y = coordinate(at[1], box[1]);
        atom[i].z = coordinate(at[2], box[2]);
        atom[i].q = charge[i];
    }
}

/* Molecules near the points of a grid of their usual distance. */
static struct atoms atoms_make(struct workload *w, const int box[3])
{
    int n[3], n_molecule = 1;
    struct atoms atoms;

    for (int axis = 0; axis < 3; axis++) {
        n[axis] = (int)ceilf(box[axis] / MOLECULE_SPACING);
        n_molecule *= n[axis];
    }
    atoms.n = 3 * n_molecule;
    atoms.atom = (struct atom *)workload_alloc(atoms.n * sizeof *atoms.atom);
    for (int i = 0; i < n_molecule; i++) {
        int at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        float centre[3];

        for (int axis = 0; axis < 3; axis++)
            centre[axis] = (at[axis] + workload_float(w, 0.2f, 0.8f)) * box[axis] / n[axis];
        molecule_make(w, centre, box, atoms.atom + 3 * i);
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
            .extra = {"--depth", "angstrom; 0: 8, or a cube from 100 of width on", 0, 0, 200}});
    int width = (int)w.size, depth = w.extra ? (int)w.extra : width < LARGE ? 8 : width;
    const int box[3] = {width, width, depth}, bin = (int)BIN_LENGTH;
    struct shape s = {(width + bin - 1) / bin, (width + bin - 1) / bin, (depth + bin - 1) / bin};
    size_t n_point = (size_t)s.x * s.y * s.z * REGION_POINTS;
    struct atoms atoms = atoms_make(&w, box);
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
