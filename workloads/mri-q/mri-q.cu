/*
 * mri-q -- the matrix Q of magnetic resonance image reconstruction from non-Cartesian samples
 *
 * suite: Parboil
 * stresses: special function units, constant memory broadcasts, float arithmetic
 * papers: gates, share
 * kernels: mri_q_phi_magnitude, mri_q_compute
 * size: 65536 voxels
 * large: 262144 voxels
 * odd: 777
 * tiny: 100
 * mix: 4096
 * time: 11.2 s
 *
 * Q(x) = sum over samples k of |phi(k)|^2 exp(2 pi i k x).  mri_q_phi_magnitude, a thread per
 * sample, 512 a block, works out |phi|^2; the host packs it with the sample's place in k-space, and
 * puts up to 1024 samples at a time into constant memory.  Then mri_q_compute, a thread per voxel,
 * 256 a block, adds these samples to its voxel, two in each round of its loop.  One launch per 1024
 * samples, as in the original.  `large` has the suite's 64 x 64 x 64 voxels and 2048 samples; fewer
 * voxels are the first layers of these, with a quarter of the samples, or as --samples says.
 *
 * The voxels are points of a unit cube, 1/64 apart, and the samples lie on multiples of 1/64 up to
 * 8 turns across the cube: a phase is below 12 turns and, before it is turned into radians, exact.
 */
#include "workload.h"

enum {
    PHI_BLOCK = 512,
    BLOCK = 256,
    TILE = 1024,         /* samples in constant memory */
    SIDE = 64,           /* voxels along each axis of the image */
    STEPS = SIDE * SIDE, /* steps of a turn */
    LARGE = SIDE * SIDE * SIDE,
    LARGE_SAMPLES = 2048,
    USUAL_SAMPLES = LARGE_SAMPLES / 4,
};

#define TWO_PI 6.2831853071795864769f

struct sample {
    float x, y, z, magnitude;
};

/* Arrays of coordinates: of the voxels, on the host or on the device. */
struct voxels {
    int n;
    float *x, *y, *z;
};

/* A complex number for each sample or voxel. */
struct values {
    float *re, *im;
};

static __constant__ struct sample constant_sample[TILE];

__global__ void mri_q_phi_magnitude(struct values phi, float *magnitude, int n_sample)
{
    int k = blockIdx.x * PHI_BLOCK + threadIdx.x;

    if (k < n_sample)
        magnitude[k] = phi.re[k] * phi.re[k] + phi.im[k] * phi.im[k];
}

/* Constant memory has the samples from `first` on, a tile of them or the rest. */
__global__ void mri_q_compute(struct voxels v, struct values q, int n_sample, int first)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i >= v.n)
        return;

    float x = v.x[i], y = v.y[i], z = v.z[i], re = q.re[i], im = q.im[i];
    int k = 0;

    if (n_sample % 2 && n_sample - first < TILE) { /* the last tile alone has an odd number */
        struct sample s = constant_sample[0];
        float phase = TWO_PI * (s.x * x + s.y * y + s.z * z);

        re += s.magnitude * __cosf(phase);
        im += s.magnitude * __sinf(phase);
        k++;
        first++;
    }
    for (; k < TILE && first < n_sample; k += 2, first += 2) {
        struct sample s = constant_sample[k], t = constant_sample[k + 1];
        float s_phase = TWO_PI * (s.x * x + s.y * y + s.z * z);
        float t_phase = TWO_PI * (t.x * x + t.y * y + t.z * z);

        re += s.magnitude * __cosf(s_phase);
        im += s.magnitude * __sinf(s_phase);
        re += t.magnitude * __cosf(t_phase);
        im += t.magnitude * __sinf(t_phase);
    }
    q.re[i] = re;
    q.im[i] = im;
}

/* |phi|^2 of all samples, put where mri_q_compute wants it. */
static void magnitudes_gpu(struct values phi, struct sample *samples, int n_sample)
{
    size_t bytes = n_sample * sizeof(float);
    struct values d = {(float *)workload_upload(phi.re, bytes),
                       (float *)workload_upload(phi.im, bytes)};
    float *magnitude = (float *)workload_alloc(bytes), *d_magnitude;

    CUDA(cudaMalloc((void **)&d_magnitude, bytes));
    mri_q_phi_magnitude<<<(n_sample + PHI_BLOCK - 1) / PHI_BLOCK, PHI_BLOCK>>>(d, d_magnitude,
                                                                               n_sample);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(magnitude, d_magnitude, bytes, cudaMemcpyDeviceToHost));
    for (int k = 0; k < n_sample; k++)
        samples[k].magnitude = magnitude[k];
    CUDA(cudaFree(d.re));
    CUDA(cudaFree(d.im));
    CUDA(cudaFree(d_magnitude));
    free(magnitude);
}

static void q_gpu(struct voxels v, const struct sample *samples, int n_sample, struct values q)
{
    size_t bytes = v.n * sizeof(float);
    struct voxels d = {v.n, (float *)workload_upload(v.x, bytes),
                       (float *)workload_upload(v.y, bytes), (float *)workload_upload(v.z, bytes)};
    struct values d_q;

    CUDA(cudaMalloc((void **)&d_q.re, bytes));
    CUDA(cudaMalloc((void **)&d_q.im, bytes));
    CUDA(cudaMemset(d_q.re, 0, bytes));
    CUDA(cudaMemset(d_q.im, 0, bytes));
    for (int at = 0; at < n_sample; at += TILE) {
        int n = n_sample - at < TILE ? n_sample - at : TILE;

        CUDA(cudaMemcpyToSymbol(constant_sample, samples + at, n * sizeof *samples));
        mri_q_compute<<<(v.n + BLOCK - 1) / BLOCK, BLOCK>>>(d, d_q, n_sample, at);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(q.re, d_q.re, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(q.im, d_q.im, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.x));
    CUDA(cudaFree(d.y));
    CUDA(cudaFree(d.z));
    CUDA(cudaFree(d_q.re));
    CUDA(cudaFree(d_q.im));
}

/*
 * The reference.  A phase is a whole number of STEPS-th turns, so that a table of one turn has all
 * the cosines and sines.
 */
static void q_cpu(struct voxels v, const struct sample *samples, struct values phi, int n_sample,
                  struct values q)
{
    static double cosine[STEPS], sine[STEPS];

    for (int t = 0; t < STEPS; t++) {
        cosine[t] = cos(2 * M_PI * t / STEPS);
        sine[t] = sin(2 * M_PI * t / STEPS);
    }
    for (int i = 0; i < v.n; i++) {
        double re = 0, im = 0;

        for (int k = 0; k < n_sample; k++) {
            const struct sample *s = &samples[k];
            float turns = s->x * v.x[i] + s->y * v.y[i] + s->z * v.z[i];
            double magnitude = phi.re[k] * phi.re[k] + phi.im[k] * phi.im[k];
            int t = (int)(turns * STEPS) & (STEPS - 1);

            re += magnitude * cosine[t];
            im += magnitude * sine[t];
        }
        q.re[i] = (float)re;
        q.im[i] = (float)im;
    }
}

/*
 * A phase of up to 76 is rounded to 2^-18 of its unit.  The errors of all samples could add up, as
 * their magnitudes do if all phases agree: Q is compared as a part of that sum.
 */
static void compare(struct workload *w, const char *what, float *got, float *want, int n,
                    float magnitudes)
{
    for (int i = 0; i < n; i++) {
        got[i] /= magnitudes;
        want[i] /= magnitudes;
    }
    workload_compare_f32(w, what, got, want, n, 1e-5f);
}

/* The first n points, layer by layer, of SIDE of them along each axis. */
static struct voxels voxels_make(int n)
{
    struct voxels v = {n, (float *)workload_alloc(n * sizeof(float)),
                       (float *)workload_alloc(n * sizeof(float)),
                       (float *)workload_alloc(n * sizeof(float))};

    for (int i = 0; i < n; i++) {
        v.x[i] = (float)(i % SIDE - SIDE / 2) / SIDE;
        v.y[i] = (float)(i / SIDE % SIDE - SIDE / 2) / SIDE;
        v.z[i] = (float)(i / SIDE / SIDE - SIDE / 2) / SIDE;
    }
    return v;
}

static float sample_place(struct workload *w)
{
    return (float)((int)workload_below(w, 16 * SIDE) - 8 * SIDE) / SIDE;
}

static struct values values_make(int n)
{
    struct values v = {(float *)workload_alloc(n * sizeof(float)),
                       (float *)workload_alloc(n * sizeof(float))};

    return v;
}

static void values_free(struct values v)
{
    free(v.re);
    free(v.im);
}

/* At least eight voxels to a sample. */
static int samples_of(int n_voxel)
{
    if (n_voxel == LARGE)
        return LARGE_SAMPLES;
    return n_voxel / 8 < USUAL_SAMPLES ? n_voxel / 8 + 1 : USUAL_SAMPLES;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "voxels",
            .usual = 65536,
            .large = LARGE,
            .least = 1,
            .most = LARGE,
            .extra = {"--samples", "in k-space; 0: as many as fit the voxels", 0, 0, 1 << 16}});
    int n_voxel = (int)w.size;
    int n_sample = w.extra ? (int)w.extra : samples_of(n_voxel);
    struct voxels v = voxels_make(n_voxel);
    struct sample *samples = (struct sample *)workload_alloc(n_sample * sizeof *samples);
    struct values phi = values_make(n_sample);
    struct values got = values_make(n_voxel), want = values_make(n_voxel);
    float magnitudes = 0;

    for (int k = 0; k < n_sample; k++) {
        samples[k].x = sample_place(&w);
        samples[k].y = sample_place(&w);
        samples[k].z = sample_place(&w);
        phi.re[k] = workload_float(&w, 0.1f, 1);
        phi.im[k] = workload_float(&w, -1, 1);
        magnitudes += phi.re[k] * phi.re[k] + phi.im[k] * phi.im[k];
    }
    magnitudes_gpu(phi, samples, n_sample);
    q_gpu(v, samples, n_sample, got);
    q_cpu(v, samples, phi, n_sample, want);
    compare(&w, "re", got.re, want.re, n_voxel, magnitudes);
    compare(&w, "im", got.im, want.im, n_voxel, magnitudes);

    free(v.x);
    free(v.y);
    free(v.z);
    free(samples);
    values_free(phi);
    values_free(got);
    values_free(want);
    return workload_end(&w);
}
