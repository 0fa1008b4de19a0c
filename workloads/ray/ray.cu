/*
 * ray -- ray tracing of three mirroring spheres above a mirroring floor, with shadows
 *
 * suite: ISPASS
 * stresses: divergence by what a ray hits, code that L1I does not hold, constant and local memory
 * papers: amoeba
 * kernels: ray_trace
 * size: 256 pixels of width and height
 * large: 256 pixels of width and height
 * odd: 45
 * tiny: 9
 * time: 0.6 s
 *
 * A thread has one pixel and follows its ray from mirror to mirror, up to five hits; at each that
 * faces the light it sends a ray there, to see whether it is in shadow.  Colours are kept on a stack
 * (in local memory) and added up from the last mirror to the first.  Four objects in constant
 * memory, places, eye and light as in the original but for some noise, blocks of 16 x 8 threads and
 * at 256 pixels a grid of 16 x 32 as there.
 *
 * What a ray hits must not hang on rounding.  So the functions of geometry are the same for GPU
 * and CPU and leave the compiler nothing to choose: no addition could swallow a product that is
 * not exact, it is fmaf where that is meant, and division and square root are IEEE's.  The rest is
 * separate: the GPU goes along the ray in a loop, the CPU calls itself for each mirror image, and
 * colours may be one step of 255 apart.
 */
#include "workload.h"

enum {
    OBJECTS = 4, /* the first is the floor, the others are spheres */
    DEPTH = 5,   /* hits of a ray */
    BLOCK_X = 16,
    BLOCK_Y = 8,
    NOTHING = -1, /* that is hit; otherwise an object's number */
};

#define MIRROR 0.8f /* part of the light that is reflected as by a mirror */

struct ray {
    float3 from, direction; /* of length 1 */
};

struct object {
    float3 centre; /* of a sphere; a point of the floor */
    float radius;  /* of a sphere; 0: the floor */
    float3 colour;
};

struct scene {
    struct object object[OBJECTS];
    float3 light, eye;
};

struct hit {
    int what;
    float distance;
};

/* What light sees of a surface. */
struct patch {
    float3 at, normal, colour;
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
static __host__ __device__ float sphere_distance(struct object s, struct ray r)
{
    float3 to = subtract(s.centre, r.from);
    float middle = dot(to, r.direction); /* of the chord */
    float half2 = fmaf(middle, middle, fmaf(s.radius, s.radius, -dot(to, to)));

    return middle > 0 && half2 > 0 ? middle - sqrtf(half2) : -1;
}

/* Rays that are nearly level do not reach the floor. */
static __host__ __device__ float floor_distance(struct object floor, struct ray r)
{
    return r.direction.y < -0.0001f ? (r.from.y - floor.centre.y) / -r.direction.y : -1;
}

static __host__ __device__ float object_distance(struct object o, struct ray r)
{
    return o.radius > 0 ? sphere_distance(o, r) : floor_distance(o, r);
}

/* The ray of a pixel, 65 degrees wide in all, from the eye to where it looks: a little down. */
static __host__ __device__ struct ray eye_ray(float3 eye, int x, int y, int width)
{
    const float near = 1.5697f, level = 0.97014f, down = 0.24254f;
    float half = 0.5f * width, right = (x + 0.5f - half) / half, up = (half - y - 0.5f) / half;
    float3 to = make_float3(right, fmaf(up, level, -near * down), fmaf(up, -down, -near * level));

    return (struct ray){eye, unit(to)};
}

static __host__ __device__ struct ray mirror_ray(struct patch s, float3 direction)
{
    float3 mirrored = add_scaled(direction, -2 * dot(direction, s.normal), s.normal);

    return (struct ray){s.at, unit(mirrored)};
}

/* The surface where the ray ends; a little above it, lest its own rays hit it. */
static __host__ __device__ struct patch surface_at(struct object o, struct ray r, float distance)
{
    const float above = 0.001f;
    float3 at = add_scaled(r.from, distance, r.direction), normal = make_float3(0, 1, 0);

    if (o.radius > 0)
        normal = scale(1 / o.radius, subtract(at, o.centre));
    return (struct patch){add_scaled(at, above, normal), normal, o.colour};
}

/* ---- light, in every place close to the same on GPU and CPU */

/* The colour of a surface; its cosine with the light is 0 where it does not see that. */
static __host__ __device__ float3 colour_lit(struct patch s, float cosine, float3 to_light,
                                             float3 direction)
{
    float3 between, glare = make_float3(0, 0, 0);
    float middle;

    if (cosine <= 0)
        return scale(0.05f, s.colour);
    between = unit(subtract(to_light, direction));
    middle = dot(s.normal, between);
    if (middle > 0)
        glare.x = glare.y = glare.z = 0.8f * powf(middle, 50);
    return add_scaled(glare, 0.05f + 0.3f * cosine, s.colour);
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
    struct hit h = {NOTHING, 0};

    for (int i = 0; i < OBJECTS; i++) {
        float distance = object_distance(constant_scene.object[i], r);

        if (distance > 0 && (h.what == NOTHING || distance < h.distance))
            h = (struct hit){i, distance};
    }
    return h;
}

/* Nothing is above the light. */
static __device__ bool in_shadow(struct ray r)
{
    for (int i = 0; i < OBJECTS; i++)
        if (object_distance(constant_scene.object[i], r) > 0)
            return true;
    return false;
}

static __device__ float3 surface_colour(struct patch s, float3 direction)
{
    struct ray to_light = {s.at, unit(subtract(constant_scene.light, s.at))};
    float cosine = dot(s.normal, to_light.direction);

    if (cosine > 0 && in_shadow(to_light))
        cosine = 0;
    return colour_lit(s, cosine, to_light.direction, direction);
}

/* On the stack, which has opacity too, as in the original. */
static __device__ void put(float4 *to, float3 colour)
{
    *to = make_float4(to->x + colour.x, to->y + colour.y, to->z + colour.z, to->w);
}

static __device__ void mix(float4 *image, float4 colour)
{
    image->x = fmaf(MIRROR, image->x, colour.x);
    image->y = fmaf(MIRROR, image->y, colour.y);
    image->z = fmaf(MIRROR, image->z, colour.z);
    image->w = fmaf(MIRROR, image->w, colour.w);
}

__global__ void ray_trace(unsigned *image, int width)
{
    int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y, n = 0;
    float4 colour = make_float4(0, 0, 0, 0), stack[DEPTH];
    struct ray r;

    if (x >= width || y >= width)
        return;
    for (int i = 0; i < DEPTH; i++)
        stack[i] = make_float4(0, 0, 0, 1);
    r = eye_ray(constant_scene.eye, x, y, width);
#pragma unroll 1
    while (n < DEPTH) {
        struct hit h = nearest_hit(r);
        struct patch s;

        if (h.what == NOTHING)
            break;
        s = surface_at(constant_scene.object[h.what], r, h.distance);
        put(&stack[n++], surface_colour(s, r.direction));
        r = mirror_ray(s, r.direction);
    }
#pragma unroll 1
    while (n > 0)
        mix(&colour, stack[--n]);
    image[y * width + x] = pixel_of(make_float3(colour.x, colour.y, colour.z));
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
    float distance[OBJECTS];
    struct hit h = {NOTHING, 0};

    for (int i = 0; i < OBJECTS; i++)
        distance[i] = object_distance(scene->object[i], r);
    for (int i = 0; i < OBJECTS; i++)
        if (distance[i] > 0 && (h.what == NOTHING || distance[i] < h.distance))
            h = (struct hit){i, distance[i]};
    return h;
}

static float3 colour_cpu(const struct scene *scene, struct ray r, int depth)
{
    struct hit h = nearest_cpu(scene, r);
    float3 image = {0, 0, 0};
    struct ray to_light;
    struct patch s;
    float cosine;

    if (h.what == NOTHING)
        return image;
    s = surface_at(scene->object[h.what], r, h.distance);
    to_light = (struct ray){s.at, unit(subtract(scene->light, s.at))};
    cosine = nearest_cpu(scene, to_light).what == NOTHING ? dot(s.normal, to_light.direction) : 0;
    if (depth + 1 < DEPTH)
        image = colour_cpu(scene, mirror_ray(s, r.direction), depth + 1);
    return add_scaled(colour_lit(s, cosine, to_light.direction, r.direction), MIRROR, image);
}

static void trace_cpu(const struct scene *scene, unsigned *image, int width)
{
    for (int y = 0; y < width; y++)
        for (int x = 0; x < width; x++)
            image[y * width + x] = pixel_of(colour_cpu(scene, eye_ray(scene->eye, x, y, width), 0));
}

static float3 near_by(struct workload *w, float x, float y, float z)
{
    float dx = workload_float(w, -0.1f, 0.1f), dy = workload_float(w, -0.1f, 0.1f);

    return make_float3(x + dx, y + dy, z + workload_float(w, -0.1f, 0.1f));
}

static struct scene scene_make(struct workload *w)
{
    struct scene s = {{}, {10, 10, 10}, {0, 0.5f, 2}};

    s.object[0].centre = make_float3(0, -1.5f, 0);
    s.object[1].centre = near_by(w, -1, 0, -1);
    s.object[1].radius = 0.5f;
    s.object[2].centre = near_by(w, 1, 0, -1);
    s.object[2].radius = 0.5f;
    s.object[3].centre = near_by(w, 0, 0, -2);
    s.object[3].radius = 0.75f;
    for (int i = 0; i < OBJECTS; i++) {
        s.object[i].colour.x = workload_float(w, 0, 1);
        s.object[i].colour.y = workload_float(w, 0, 1);
        s.object[i].colour.z = workload_float(w, 0, 1);
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
