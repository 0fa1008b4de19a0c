/*
 * ray -- ray tracing of mirroring spheres on a chequered floor, with shadows
 *
 * suite: ISPASS
 * stresses: divergence by what a ray hits, constant memory, square roots and divisions
 * papers: amoeba
 * kernels: ray_trace
 * size: 256 pixels of width and height
 * large: 256 pixels of width and height
 * odd: 45
 * tiny: 9
 * time: 2.1 s
 *
 * A thread has one pixel and follows its ray from mirror to mirror, up to five hits; at each it
 * sends a ray to every light, to see whether it is in shadow.  The scene is in constant memory.
 * Blocks of 16 x 8 threads, at 256 pixels in a grid of 16 x 32, as in the original.
 *
 * What a ray hits must not hang on rounding.  So the functions of geometry are the same for GPU
 * and CPU and leave the compiler nothing to choose: no addition could swallow a product that is
 * not exact, it is fmaf where that is meant, and division and square root are IEEE's.  The rest is
 * separate: the GPU goes along the ray in a loop, the CPU calls itself for each mirror image, and
 * colours may be one step of 255 apart.
 */
#include "workload.h"

enum {
    SPHERES = 14,
    LIGHTS = 2,
    DEPTH = 5, /* hits of a ray */
    BLOCK_X = 16,
    BLOCK_Y = 8,
    NOTHING = -2, /* that is hit; otherwise a sphere's number or.. */
    FLOOR = -1,
};

struct ray {
    float3 from, direction; /* of length 1 */
};

struct sphere {
    float3 centre;
    float radius;
    float3 colour;
    float mirror; /* part of the light that is reflected as by a mirror */
};

struct scene {
    struct sphere sphere[SPHERES]; /* above the floor, which is y = 0 */
    float3 light[LIGHTS];
    float3 eye;
};

struct hit {
    int what;
    float distance;
};

/* What light sees of a surface. */
struct patch {
    float3 at, normal, colour;
    float mirror;
};

static __constant__ struct scene constant_scene;

/* ---- geometry, to the last bit the same on GPU and CPU */

static __host__ __device__ float3 subtract(float3 a, float3 b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static __host__ __device__ float3 scale(float s, float3 a)
{
    return make_float3(s * a.x, s * a.y, s * a.z);
}

static __host__ __device__ float dot(float3 a, float3 b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

/* a + s b */
static __host__ __device__ float3 add_scaled(float3 a, float s, float3 b)
{
    return make_float3(fmaf(s, b.x, a.x), fmaf(s, b.y, a.y), fmaf(s, b.z, a.z));
}

static __host__ __device__ float3 unit(float3 a)
{
    return scale(1 / sqrtf(dot(a, a)), a);
}

/* Distance along the ray, or less than 0; a sphere in which the ray starts is not seen. */
static __host__ __device__ float sphere_distance(struct sphere s, struct ray r)
{
    float3 to = subtract(s.centre, r.from);
    float middle = dot(to, r.direction); /* of the chord */
    float half2 = fmaf(middle, middle, fmaf(s.radius, s.radius, -dot(to, to)));

    return middle > 0 && half2 > 0 ? middle - sqrtf(half2) : -1;
}

static __host__ __device__ float floor_distance(struct ray r)
{
    return r.direction.y < 0 ? r.from.y / -r.direction.y : -1;
}

/* The ray of a pixel; x and y are in -1..1. */
static __host__ __device__ struct ray eye_ray(float3 eye, int x, int y, int width)
{
    float half = 0.5f * width;
    float3 to = make_float3((x + 0.5f - half) / half, (half - y - 0.5f) / half - 0.25f, 1.6f);

    return (struct ray){eye, unit(to)};
}

static __host__ __device__ struct ray mirror_ray(struct patch s, float3 direction)
{
    float3 mirrored = add_scaled(direction, -2 * dot(direction, s.normal), s.normal);

    return (struct ray){s.at, unit(mirrored)};
}

/* The surface where the ray ends; a little above it, lest its own rays hit it. */
static __host__ __device__ struct patch surface_at(const struct scene *scene, struct ray r,
                                                     struct hit h)
{
    const float above = 0.001f;
    float3 at = add_scaled(r.from, h.distance, r.direction);
    struct patch s = {at, make_float3(0, 1, 0), make_float3(0.9f, 0.9f, 0.9f), 0.2f};

    if (h.what == FLOOR) {
        if (((int)floorf(at.x) + (int)floorf(at.z)) & 1)
            s.colour = make_float3(0.1f, 0.1f, 0.2f);
    } else {
        const struct sphere *hit = &scene->sphere[h.what];

        s.normal = scale(1 / hit->radius, subtract(at, hit->centre));
        s.colour = hit->colour;
        s.mirror = hit->mirror;
    }
    s.at = add_scaled(at, above, s.normal);
    return s;
}

/* ---- light, in every place close to the same on GPU and CPU */

static __host__ __device__ float3 sky_colour(float3 direction)
{
    float up = direction.y > 0 ? direction.y : 0;

    return make_float3(0.6f - 0.4f * up, 0.7f - 0.3f * up, 0.9f);
}

/* What a light adds to the brightness (x) and to the glare (y) of a surface that it sees. */
static __host__ __device__ float2 light_on(struct patch s, float3 to_light, float3 direction)
{
    float cosine = dot(s.normal, to_light);
    float3 mirrored = add_scaled(direction, -2 * dot(direction, s.normal), s.normal);
    float glare = dot(mirrored, to_light);

    if (cosine <= 0)
        return make_float2(0, 0);
    return make_float2(0.45f * cosine, glare > 0 ? 0.4f * powf(glare, 40) : 0);
}

static __host__ __device__ unsigned channel(float v)
{
    return (unsigned)(255 * (v < 1 ? v : 1) + 0.5f);
}

static __host__ __device__ unsigned pixel_of(float3 colour)
{
    return channel(colour.x) | channel(colour.y) << 8 | channel(colour.z) << 16;
}

/* ---- GPU */

static __device__ struct hit nearest_hit(struct ray r)
{
    float distance = floor_distance(r);
    struct hit h = {distance > 0 ? FLOOR : NOTHING, distance};

    for (int i = 0; i < SPHERES; i++) {
        distance = sphere_distance(constant_scene.sphere[i], r);
        if (distance > 0 && (h.what == NOTHING || distance < h.distance))
            h = (struct hit){i, distance};
    }
    return h;
}

static __device__ bool in_shadow(struct ray r)
{
    for (int i = 0; i < SPHERES; i++)
        if (sphere_distance(constant_scene.sphere[i], r) > 0)
            return true;
    return false;
}

static __device__ float3 surface_colour(struct patch s, float3 direction)
{
    float bright = 0.15f, glare = 0;

    for (int i = 0; i < LIGHTS; i++) {
        struct ray to_light = {s.at, unit(subtract(constant_scene.light[i], s.at))};

        if (!in_shadow(to_light)) {
            float2 light = light_on(s, to_light.direction, direction);

            bright += light.x;
            glare += light.y;
        }
    }
    return add_scaled(make_float3(glare, glare, glare), bright, s.colour);
}

__global__ void ray_trace(unsigned *image, int width)
{
    int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
    float3 colour = make_float3(0, 0, 0);
    float weight = 1;
    struct ray r;

    if (x >= width || y >= width)
        return;
    r = eye_ray(constant_scene.eye, x, y, width);
    for (int depth = 0; depth < DEPTH && weight > 0; depth++) {
        struct hit h = nearest_hit(r);
        struct patch s;

        if (h.what == NOTHING) {
            colour = add_scaled(colour, weight, sky_colour(r.direction));
            break;
        }
        s = surface_at(&constant_scene, r, h);
        colour = add_scaled(colour, weight * (1 - s.mirror), surface_colour(s, r.direction));
        weight *= s.mirror;
        r = mirror_ray(s, r.direction);
    }
    image[y * width + x] = pixel_of(colour);
}

static void trace_gpu(const struct scene *scene, unsigned *image, int width)
{
    dim3 grid((width + BLOCK_X - 1) / BLOCK_X, (width + BLOCK_Y - 1) / BLOCK_Y);
    size_t bytes = (size_t)width * width * sizeof *image;
    unsigned *d_image;

    CUDA(cudaMalloc((void **)&d_image, bytes));
    CUDA(cudaMemcpyToSymbol(constant_scene, scene, sizeof *scene));
    ray_trace<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(d_image, width);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(image, d_image, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_image));
}

/* ---- CPU */

/* All distances first, then the least. */
static struct hit nearest_cpu(const struct scene *scene, struct ray r)
{
    float distance[SPHERES + 1];
    struct hit h = {NOTHING, 0};

    distance[0] = floor_distance(r);
    for (int i = 0; i < SPHERES; i++)
        distance[i + 1] = sphere_distance(scene->sphere[i], r);
    for (int i = 0; i <= SPHERES; i++)
        if (distance[i] > 0 && (h.what == NOTHING || distance[i] < h.distance))
            h = (struct hit){i - 1, distance[i]};
    return h;
}

/* A light is seen if no sphere is hit on the way; all of them are below the lights. */
static float3 colour_cpu(const struct scene *scene, struct ray r, int depth)
{
    struct hit h = nearest_cpu(scene, r);
    float3 colour, image = {0, 0, 0};
    float bright = 0.15f, glare = 0;
    struct patch s;

    if (h.what == NOTHING)
        return sky_colour(r.direction);
    s = surface_at(scene, r, h);
    for (int i = 0; i < LIGHTS; i++) {
        struct ray to_light = {s.at, unit(subtract(scene->light[i], s.at))};
        float2 light = light_on(s, to_light.direction, r.direction);

        if (nearest_cpu(scene, to_light).what >= 0)
            continue;
        bright += light.x;
        glare += light.y;
    }
    colour = add_scaled(make_float3(glare, glare, glare), bright, s.colour);
    if (depth + 1 < DEPTH && s.mirror > 0)
        image = colour_cpu(scene, mirror_ray(s, r.direction), depth + 1);
    return add_scaled(scale(s.mirror, image), 1 - s.mirror, colour);
}

static void trace_cpu(const struct scene *scene, unsigned *image, int width)
{
    for (int y = 0; y < width; y++)
        for (int x = 0; x < width; x++)
            image[y * width + x] = pixel_of(colour_cpu(scene, eye_ray(scene->eye, x, y, width), 0));
}

/* Spheres lie or hover before the eye; every third is matt. */
static struct scene scene_make(struct workload *w)
{
    struct scene s;

    s.eye = make_float3(0, 2.5f, -7);
    s.light[0] = make_float3(-8, 12, -6);
    s.light[1] = make_float3(9, 10, 2);
    for (int i = 0; i < SPHERES; i++) {
        float radius = workload_float(w, 0.35f, 1.1f);
        float x = workload_float(w, -4, 4), y = workload_float(w, 0, 1.5f);
        float z = workload_float(w, -2, 6);

        s.sphere[i].centre = make_float3(x, radius + (i % 2 ? y : 0), z);
        s.sphere[i].radius = radius;
        s.sphere[i].colour.x = workload_float(w, 0.2f, 1);
        s.sphere[i].colour.y = workload_float(w, 0.2f, 1);
        s.sphere[i].colour.z = workload_float(w, 0.2f, 1);
        s.sphere[i].mirror = i % 3 ? workload_float(w, 0.3f, 0.8f) : 0;
    }
    return s;
}

static void compare(struct workload *w, const unsigned *got, const unsigned *want, size_t n_pixel)
{
    float *f_got = (float *)workload_alloc(3 * n_pixel * sizeof *f_got);
    float *f_want = (float *)workload_alloc(3 * n_pixel * sizeof *f_want);

    for (size_t i = 0; i < 3 * n_pixel; i++) {
        f_got[i] = (got[i / 3] >> 8 * (i % 3) & 255) / 255.0f;
        f_want[i] = (want[i / 3] >> 8 * (i % 3) & 255) / 255.0f;
    }
    workload_compare_f32(w, "colour", f_got, f_want, 3 * n_pixel, 1.01f / 255);
    free(f_got);
    free(f_want);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "pixels of width and height",
                                                              .usual = 256,
                                                              .large = 256,
                                                              .least = 1,
                                                              .most = 4096});
    int width = (int)w.size;
    struct scene scene = scene_make(&w);
    unsigned *got = (unsigned *)workload_alloc((size_t)width * width * sizeof *got);
    unsigned *want = (unsigned *)workload_alloc((size_t)width * width * sizeof *want);

    trace_gpu(&scene, got, width);
    trace_cpu(&scene, want, width);
    compare(&w, got, want, (size_t)width * width);

    free(got);
    free(want);
    return workload_end(&w);
}
