/*
 * cfd -- inviscid flow around a wing: Euler's equations on an unstructured grid
 *
 * suite: Rodinia
 * stresses: registers, gathers of neighbours' values, float arithmetic with divisions and roots
 * papers: share
 * kernels: cfd_initialize, cfd_step_factor, cfd_flux, cfd_time_step
 * size: 23040 elements
 * large: 97046 elements
 * odd: 1003
 * tiny: 193
 * time: 6.2 s
 *
 * A finite volume solver.  An element is a tetrahedron with density, momentum and energy; what it
 * exchanges with its four neighbours changes these.  cfd_initialize sets everything to the free
 * stream.  Then, ITERATIONS times, cfd_step_factor finds how far each element may go in a step, and
 * in three stages of a Runge-Kutta scheme cfd_flux sums up the exchange (with the far field, in
 * constant memory, or against the wing where there is no neighbour) and cfd_time_step applies it.
 * All have blocks of 192 threads, a thread per element, and arrays that are padded to whole blocks,
 * as the original's; the original does 2000 iterations.
 *
 * The mesh is a box of cubes without those of the wing, each cut into six tetrahedra, with its
 * vertices moved a little and with elements numbered in disorder.  The reference computes in
 * double.  In a few steps from the free stream, errors stay near those of single roundings.
 */
#include "workload.h"

enum {
    BLOCK = 192,
    DIMS = 3,
    FACES = 4,
    STAGES = 3, /* of Runge-Kutta */
    ITERATIONS = 3,
    DISORDER = 256, /* so many elements are numbered in any order */
    WING = -1,      /* instead of neighbours */
    FAR_FIELD = -2,
};

/* Rows of the variables and of their changes: [VARIABLES][n_padded]. */
enum { DENSITY, MOMENTUM, ENERGY = MOMENTUM + DIMS, VARIABLES };

#define GAMMA 1.4f
#define SMOOTHING 0.2f

/* Elements up to n_padded have no neighbours and no faces.  On the host or on the device. */
struct mesh {
    int n, n_padded;
    int *neighbour; /* [FACES][n_padded]: an element, WING or FAR_FIELD */
    float *normal;  /* [FACES][DIMS][n_padded]: into the element, as long as the face is large */
    float *surface; /* [n_padded]: area of all faces */
};

/* One element's variables. */
struct state {
    float density;
    float3 momentum;
    float energy;
};

/* What flows per area: momentum in x, y and z, energy; density flows with the momentum. */
struct flow {
    float3 momentum_x, momentum_y, momentum_z, energy;
};

static __constant__ struct state far_state;
static __constant__ struct flow far_flow;

static __device__ struct state state_load(const float *v, int i, int n)
{
    struct state s;

    s.density = v[i + DENSITY * n];
    s.momentum.x = v[i + MOMENTUM * n];
    s.momentum.y = v[i + (MOMENTUM + 1) * n];
    s.momentum.z = v[i + (MOMENTUM + 2) * n];
    s.energy = v[i + ENERGY * n];
    return s;
}

static __device__ void state_store(struct state s, float *v, int i, int n)
{
    v[i + DENSITY * n] = s.density;
    v[i + MOMENTUM * n] = s.momentum.x;
    v[i + (MOMENTUM + 1) * n] = s.momentum.y;
    v[i + (MOMENTUM + 2) * n] = s.momentum.z;
    v[i + ENERGY * n] = s.energy;
}

static __host__ __device__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __host__ __device__ float3 velocity_of(struct state s)
{
    return make_float3(s.momentum.x / s.density, s.momentum.y / s.density,
                       s.momentum.z / s.density);
}

static __host__ __device__ float pressure_of(struct state s, float speed2)
{
    return (GAMMA - 1) * (s.energy - 0.5f * s.density * speed2);
}

static __device__ float sound_of(struct state s, float pressure)
{
    return sqrtf(GAMMA * pressure / s.density);
}

static __host__ __device__ struct flow flow_of(struct state s, float3 velocity, float pressure)
{
    struct flow f;
    float h = s.energy + pressure;

    f.momentum_x = make_float3(velocity.x * s.momentum.x + pressure, velocity.x * s.momentum.y,
                               velocity.x * s.momentum.z);
    f.momentum_y = make_float3(f.momentum_x.y, velocity.y * s.momentum.y + pressure,
                               velocity.y * s.momentum.z);
    f.momentum_z =
        make_float3(f.momentum_x.z, f.momentum_y.z, velocity.z * s.momentum.z + pressure);
    f.energy = make_float3(velocity.x * h, velocity.y * h, velocity.z * h);
    return f;
}

__global__ void cfd_initialize(float *variables, int n)
{
    state_store(far_state, variables, blockIdx.x * blockDim.x + threadIdx.x, n);
}

/* Time step over volume: a wave must not cross the element. */
__global__ void cfd_step_factor(const float *variables, const float *surface, float *factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    struct state s = state_load(variables, i, n);
    float3 velocity = velocity_of(s);
    float speed2 = dot(velocity, velocity), sound = sound_of(s, pressure_of(s, speed2));

    factor[i] = 0.5f / (surface[i] * (sqrtf(speed2) + sound));
}

/* Half of what flows through a face, from the values of one side. */
static __device__ void flux_add(struct state *flux, struct state s, struct flow f, float3 normal)
{
    flux->density += 0.5f * dot(normal, s.momentum);
    flux->momentum.x += 0.5f * dot(normal, f.momentum_x);
    flux->momentum.y += 0.5f * dot(normal, f.momentum_y);
    flux->momentum.z += 0.5f * dot(normal, f.momentum_z);
    flux->energy += 0.5f * dot(normal, f.energy);
}

/* Artificial viscosity: differences of neighbours are smoothed. */
static __device__ void viscosity_add(struct state *flux, struct state s, struct state other,
                                     float factor)
{
    flux->density += factor * (other.density - s.density);
    flux->momentum.x += factor * (other.momentum.x - s.momentum.x);
    flux->momentum.y += factor * (other.momentum.y - s.momentum.y);
    flux->momentum.z += factor * (other.momentum.z - s.momentum.z);
    flux->energy += factor * (other.energy - s.energy);
}

__global__ void cfd_flux(struct mesh mesh, const float *variables, float *fluxes)
{
    int n = mesh.n_padded, i = blockIdx.x * blockDim.x + threadIdx.x;
    struct state s = state_load(variables, i, n), flux = {0, {0, 0, 0}, 0};
    float3 velocity = velocity_of(s);
    float speed2 = dot(velocity, velocity), pressure = pressure_of(s, speed2);
    float waves = sqrtf(speed2) + sound_of(s, pressure);
    struct flow flow = flow_of(s, velocity, pressure);

#pragma unroll
    for (int face = 0; face < FACES; face++) {
        int neighbour = mesh.neighbour[i + face * n];
        float3 normal =
            make_float3(mesh.normal[i + (face * DIMS) * n], mesh.normal[i + (face * DIMS + 1) * n],
                        mesh.normal[i + (face * DIMS + 2) * n]);

        if (neighbour >= 0) {
            struct state other = state_load(variables, neighbour, n);
            float3 other_velocity = velocity_of(other);
            float other_speed2 = dot(other_velocity, other_velocity);
            float other_pressure = pressure_of(other, other_speed2);
            float other_waves = sqrtf(other_speed2) + sound_of(other, other_pressure);

            viscosity_add(&flux, s, other,
                          sqrtf(dot(normal, normal)) * SMOOTHING * 0.5f * (waves + other_waves));
            flux_add(&flux, s, flow, normal);
            flux_add(&flux, other, flow_of(other, other_velocity, other_pressure), normal);
        } else if (neighbour == WING) {
            flux.momentum.x += normal.x * pressure;
            flux.momentum.y += normal.y * pressure;
            flux.momentum.z += normal.z * pressure;
        } else {
            flux_add(&flux, s, flow, normal);
            flux_add(&flux, far_state, far_flow, normal);
        }
    }
    state_store(flux, fluxes, i, n);
}

__global__ void cfd_time_step(const float *old, float *variables, const float *factor,
                              const float *fluxes, int stage, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    struct state s = state_load(old, i, n), flux = state_load(fluxes, i, n);
    float step = factor[i] / (float)(STAGES - stage);

    s.density += step * flux.density;
    s.momentum.x += step * flux.momentum.x;
    s.momentum.y += step * flux.momentum.y;
    s.momentum.z += step * flux.momentum.z;
    s.energy += step * flux.energy;
    state_store(s, variables, i, n);
}

/* The free stream: Mach 1.2, from below by three degrees. */
static struct state free_stream(void)
{
    const float density = 1.4f, pressure = 1, speed = 1.2f * sqrtf(GAMMA * pressure / density);
    const float angle = 3.1415926536f / 60;
    struct state s = {density,
                      {density * speed * cosf(angle), density * speed * sinf(angle), 0},
                      0.5f * density * speed * speed + pressure / (GAMMA - 1)};

    return s;
}

static void far_field_upload(void)
{
    struct state s = free_stream();
    float3 velocity = velocity_of(s);
    struct flow f = flow_of(s, velocity, pressure_of(s, dot(velocity, velocity)));

    CUDA(cudaMemcpyToSymbol(far_state, &s, sizeof s));
    CUDA(cudaMemcpyToSymbol(far_flow, &f, sizeof f));
}

static struct mesh mesh_upload(struct mesh m)
{
    size_t words = m.n_padded * sizeof(float);
    struct mesh d = {m.n, m.n_padded, (int *)workload_upload(m.neighbour, FACES * words),
                     (float *)workload_upload(m.normal, FACES * DIMS * words),
                     (float *)workload_upload(m.surface, words)};

    return d;
}

static float *device_floats(size_t n)
{
    float *d;

    CUDA(cudaMalloc((void **)&d, n * sizeof *d));
    return d;
}

static void solve_gpu(struct mesh mesh, float *result)
{
    int n = mesh.n_padded, grid = n / BLOCK;
    struct mesh d = mesh_upload(mesh);
    size_t bytes = (size_t)VARIABLES * n * sizeof(float);
    float *variables = device_floats((size_t)VARIABLES * n);
    float *old = device_floats((size_t)VARIABLES * n);
    float *fluxes = device_floats((size_t)VARIABLES * n), *factor = device_floats(n);

    far_field_upload();
    cfd_initialize<<<grid, BLOCK>>>(variables, n);
    CUDA_LAUNCHED();
    cfd_initialize<<<grid, BLOCK>>>(old, n);
    CUDA_LAUNCHED();
    cfd_initialize<<<grid, BLOCK>>>(fluxes, n);
    CUDA_LAUNCHED();
    for (int i = 0; i < ITERATIONS; i++) {
        CUDA(cudaMemcpy(old, variables, bytes, cudaMemcpyDeviceToDevice));
        cfd_step_factor<<<grid, BLOCK>>>(variables, d.surface, factor, n);
        CUDA_LAUNCHED();
        for (int stage = 0; stage < STAGES; stage++) {
            cfd_flux<<<grid, BLOCK>>>(d, variables, fluxes);
            CUDA_LAUNCHED();
            cfd_time_step<<<grid, BLOCK>>>(old, variables, factor, fluxes, stage, n);
            CUDA_LAUNCHED();
        }
    }
    CUDA(cudaMemcpy(result, variables, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(variables));
    CUDA(cudaFree(old));
    CUDA(cudaFree(fluxes));
    CUDA(cudaFree(factor));
    CUDA(cudaFree(d.neighbour));
    CUDA(cudaFree(d.normal));
    CUDA(cudaFree(d.surface));
}

/* ---- the reference: one element after the other, in double */

/* One element's variables, or their changes. */
struct values {
    double of[VARIABLES];
};

static double pressure_cpu(const double *u)
{
    const double *m = u + MOMENTUM;
    double kinetic = 0.5 * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) / u[DENSITY];

    return ((double)GAMMA - 1) * (u[ENERGY] - kinetic);
}

/* The speed of the flow and that of sound. */
static double waves_cpu(const double *u)
{
    const double *m = u + MOMENTUM;

    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) / u[DENSITY] +
           sqrt((double)GAMMA * pressure_cpu(u) / u[DENSITY]);
}

/* Adds half of what flows along the normal. */
static void flow_cpu(const double *u, const double *normal, double *flux)
{
    const double *m = u + MOMENTUM;
    double mass = m[0] * normal[0] + m[1] * normal[1] + m[2] * normal[2];
    double volume = mass / u[DENSITY], pressure = pressure_cpu(u);

    flux[DENSITY] += 0.5 * mass;
    for (int d = 0; d < DIMS; d++)
        flux[MOMENTUM + d] += 0.5 * (m[d] * volume + pressure * normal[d]);
    flux[ENERGY] += 0.5 * (u[ENERGY] + pressure) * volume;
}

static void face_cpu(const double *u, const double *other, const double *normal, double *flux)
{
    double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double factor = area * (double)SMOOTHING * 0.5 * (waves_cpu(u) + waves_cpu(other));

    flow_cpu(u, normal, flux);
    flow_cpu(other, normal, flux);
    for (int k = 0; k < VARIABLES; k++)
        flux[k] += factor * (other[k] - u[k]);
}

static void flux_cpu(struct mesh mesh, const struct values *u, const double *far, int i,
                     double *flux)
{
    memset(flux, 0, VARIABLES * sizeof *flux);
    for (int face = 0; face < FACES; face++) {
        int neighbour = mesh.neighbour[i + face * mesh.n_padded];
        double normal[DIMS];

        for (int d = 0; d < DIMS; d++)
            normal[d] = mesh.normal[i + (face * DIMS + d) * mesh.n_padded];
        if (neighbour >= 0) {
            face_cpu(u[i].of, u[neighbour].of, normal, flux);
        } else if (neighbour == WING) {
            for (int d = 0; d < DIMS; d++)
                flux[MOMENTUM + d] += normal[d] * pressure_cpu(u[i].of);
        } else {
            flow_cpu(u[i].of, normal, flux);
            flow_cpu(far, normal, flux);
        }
    }
}

static void stage_cpu(struct mesh mesh, struct values *u, const struct values *old,
                      struct values *flux, const double *factor, const double *far, int stage)
{
    for (int i = 0; i < mesh.n; i++)
        flux_cpu(mesh, u, far, i, flux[i].of);
    for (int i = 0; i < mesh.n; i++)
        for (int k = 0; k < VARIABLES; k++)
            u[i].of[k] = old[i].of[k] + factor[i] / (STAGES - stage) * flux[i].of[k];
}

static void solve_cpu(struct mesh mesh, float *result)
{
    struct state s = free_stream();
    const struct values far = {{s.density, s.momentum.x, s.momentum.y, s.momentum.z, s.energy}};
    struct values *u = (struct values *)workload_alloc(mesh.n_padded * sizeof *u);
    struct values *old = (struct values *)workload_alloc(mesh.n_padded * sizeof *old);
    struct values *flux = (struct values *)workload_alloc(mesh.n_padded * sizeof *flux);
    double *factor = (double *)workload_alloc(mesh.n * sizeof *factor);

    for (int i = 0; i < mesh.n_padded; i++)
        u[i] = far;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        memcpy(old, u, mesh.n_padded * sizeof *u);
        for (int i = 0; i < mesh.n; i++)
            factor[i] = 0.5 / (mesh.surface[i] * waves_cpu(u[i].of));
        for (int stage = 0; stage < STAGES; stage++)
            stage_cpu(mesh, u, old, flux, factor, far.of, stage);
    }
    for (int i = 0; i < mesh.n_padded * VARIABLES; i++)
        result[i] = (float)u[i % mesh.n_padded].of[i / mesh.n_padded];
    free(u);
    free(old);
    free(flux);
    free(factor);
}

/* ---- the mesh */

/*
 * A cube of so many cells a side.  Each is cut into six tetrahedra, one for each way along its
 * edges from corner (0, 0, 0) to corner (1, 1, 1): first along axis a, then b, then c.  Vertex v of
 * a tetrahedron is where that way is after v edges, and face v is opposite to it.
 */
struct grid {
    int side;
    double (*vertex)[DIMS]; /* [side + 1][side + 1][side + 1], z first */
    int *element;           /* [cells][WAYS]: their numbers, WING or FAR_FIELD */
};

enum { WAYS = 6 };

struct tetrahedron {
    int cell[DIMS], axis[DIMS];
};

static int way_of(int a, int b, int c)
{
    return a * 2 + (b > c);
}

static struct tetrahedron tetrahedron_of(int side, int i)
{
    int cell = i / WAYS, a = i % WAYS / 2, low = a == 0, high = a == 2 ? 1 : 2;
    struct tetrahedron t = {{cell % side, cell / side % side, cell / side / side},
                            {a, i % 2 ? high : low, i % 2 ? low : high}};

    return t;
}

static int index_of(int side, struct tetrahedron t)
{
    int cell = (t.cell[2] * side + t.cell[1]) * side + t.cell[0];

    return cell * WAYS + way_of(t.axis[0], t.axis[1], t.axis[2]);
}

/* In the middle of the height, of half the span. */
static bool in_wing(int side, const int *cell)
{
    return cell[0] >= side / 3 && cell[0] < 2 * side / 3 && cell[1] == side / 2 &&
           cell[2] < side / 2;
}

static const double *vertex_of(struct grid g, struct tetrahedron t, int v)
{
    int at[DIMS] = {t.cell[0], t.cell[1], t.cell[2]};

    for (int i = 0; i < v; i++)
        at[t.axis[i]]++;
    return g.vertex[(at[2] * (g.side + 1) + at[1]) * (g.side + 1) + at[0]];
}

/* The element behind a face: its number, WING or FAR_FIELD. */
static int neighbour_of(struct grid g, struct tetrahedron t, int face)
{
    static const int axes[FACES][DIMS] = {{1, 2, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}};
    struct tetrahedron other = t;

    for (int d = 0; d < DIMS; d++)
        other.axis[d] = t.axis[axes[face][d]];
    if (face == 0)
        other.cell[t.axis[0]]++;
    if (face == FACES - 1)
        other.cell[t.axis[2]]--;
    for (int d = 0; d < DIMS; d++)
        if (other.cell[d] < 0 || other.cell[d] >= g.side)
            return FAR_FIELD;
    return g.element[index_of(g.side, other)];
}

/* Half the cross product of two edges, towards the vertex that is not on the face. */
static double normal_of(struct grid g, struct tetrahedron t, int face, double *normal)
{
    const double *p = vertex_of(g, t, face), *q[3];
    double along = 0, area = 0;

    for (int v = 0, n = 0; v < FACES; v++)
        if (v != face)
            q[n++] = vertex_of(g, t, v);
    for (int d = 0; d < DIMS; d++) {
        int e = (d + 1) % DIMS, f = (d + 2) % DIMS;

        normal[d] = 0.5 * ((q[1][e] - q[0][e]) * (q[2][f] - q[0][f]) -
                           (q[1][f] - q[0][f]) * (q[2][e] - q[0][e]));
        along += normal[d] * (p[d] - q[0][d]);
        area += normal[d] * normal[d];
    }
    for (int d = 0; d < DIMS && along < 0; d++)
        normal[d] = -normal[d];
    return sqrt(area);
}

/* Numbers 0..n-1, exchanged with others near them. */
static int *disorder(struct workload *w, int n)
{
    int *number = (int *)workload_alloc(n * sizeof *number);

    for (int i = 0; i < n; i++) {
        int first = i / DISORDER * DISORDER, j = first + (int)workload_below(w, i - first + 1);

        number[i] = number[j];
        number[j] = i;
    }
    return number;
}

/* Cells a side so that there are n elements beside the wing. */
static int side_for(int n)
{
    int side = 0, n_free;

    do {
        side++;
        n_free = side * side * side - (2 * side / 3 - side / 3) * (side / 2);
    } while (n_free * WAYS < n);
    return side;
}

/* The first n elements are part of the mesh, what comes after them is far field. */
static struct grid grid_make(struct workload *w, int n)
{
    int side = side_for(n), n_cell = side * side * side, used = 0, *number = disorder(w, n);
    int n_vertex = (side + 1) * (side + 1) * (side + 1);
    struct grid g = {side, (double(*)[DIMS])workload_alloc(n_vertex * sizeof *g.vertex),
                     (int *)workload_alloc((size_t)n_cell * WAYS * sizeof *g.element)};

    for (int i = 0; i < n_vertex; i++) {
        int at[DIMS] = {i % (side + 1), i / (side + 1) % (side + 1), i / (side + 1) / (side + 1)};

        for (int d = 0; d < DIMS; d++)
            g.vertex[i][d] = at[d] + (double)workload_float(w, -0.15f, 0.15f);
    }
    for (int i = 0; i < n_cell * WAYS; i++) {
        struct tetrahedron t = tetrahedron_of(side, i);

        g.element[i] = in_wing(side, t.cell) ? WING : used < n ? number[used++] : FAR_FIELD;
    }
    free(number);
    return g;
}

static struct mesh mesh_make(struct workload *w, int n)
{
    int n_padded = (n + BLOCK - 1) / BLOCK * BLOCK;
    struct grid g = grid_make(w, n);
    struct mesh m = {n, n_padded, (int *)workload_alloc(FACES * n_padded * sizeof(int)),
                     (float *)workload_alloc(FACES * DIMS * n_padded * sizeof(float)),
                     (float *)workload_alloc(n_padded * sizeof(float))};

    for (int i = 0; i < g.side * g.side * g.side * WAYS; i++) {
        int element = g.element[i];
        struct tetrahedron t = tetrahedron_of(g.side, i);

        for (int face = 0; face < FACES && element >= 0; face++) {
            double normal[DIMS];

            m.surface[element] += (float)normal_of(g, t, face, normal);
            m.neighbour[element + face * n_padded] = neighbour_of(g, t, face);
            for (int d = 0; d < DIMS; d++)
                m.normal[element + (face * DIMS + d) * n_padded] = (float)normal[d];
        }
    }
    for (int i = n; i < n_padded; i++) {
        m.surface[i] = 1;
        for (int face = 0; face < FACES; face++)
            m.neighbour[i + face * n_padded] = WING;
    }
    free(g.vertex);
    free(g.element);
    return m;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "elements", .usual = 23040, .large = 97046, .least = 1, .most = 1 << 22});
    struct mesh mesh = mesh_make(&w, (int)w.size);
    size_t n = (size_t)mesh.n_padded * VARIABLES;
    float *got = (float *)workload_alloc(n * sizeof *got);
    float *want = (float *)workload_alloc(n * sizeof *want);

    solve_gpu(mesh, got);
    solve_cpu(mesh, want);
    workload_compare_f32(&w, "variables", got, want, n, 5e-6f);

    free(mesh.neighbour);
    free(mesh.normal);
    free(mesh.surface);
    free(got);
    free(want);
    return workload_end(&w);
}
