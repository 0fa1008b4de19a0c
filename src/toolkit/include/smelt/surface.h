/*
 * surface.h -- surfaces: arrays that kernels read and write by coordinates, x in bytes.
 *
 * A surface object is a handle, and so is a surface<void, type> in device code.  What lies beyond
 * the edge traps unless the access says otherwise.  The six faces of a cube map are layers.
 *
 * Not here: formatted accesses, which CUDA has had no functions for since its first ones.
 */
#ifndef SMELT_SURFACE_H
#define SMELT_SURFACE_H

template <class T, int dimensions = 1>
struct __device_builtin_surface_type__ surface : public surfaceReference {
    surface() : surfaceReference()
    {
    }
};

template <class T, int D>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, D> &s, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc)
{
    return cudaBindSurfaceToArray(&s, array, &desc);
}

template <class T, int D>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, D> &s, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t error = cudaGetChannelDesc(&desc, array);
    return error == cudaSuccess ? cudaBindSurfaceToArray(&s, array, &desc) : error;
}

/* --- the instructions, by the bytes of an element: coordinates are a, b and c --- */

#define CUDA_SU_ONE(edge, out, to, load, store, at)                                                \
    if (out)                                                                                       \
        asm volatile("suld.b." load edge " " to ", [%[s], " at "];"                                \
                     : CUDA_SU_OUT                                                                 \
                     : [s] "l"(s), [a] "r"(a), [b] "r"(b), [c] "r"(c)                              \
                     : "memory");                                                                  \
    else                                                                                           \
        asm volatile("sust.b." store edge " [%[s], " at "], " to ";"                               \
                     :                                                                             \
                     : [s] "l"(s), [a] "r"(a), [b] "r"(b), [c] "r"(c), CUDA_SU_IN                  \
                     : "memory");
#define CUDA_SU_GEOMETRY(name, geometry, at, bits, to)                                             \
    template <class H, bool read>                                                                  \
    static __device__ __forceinline__ void name(raw &v, H s, int a, int b, int c,                  \
                                                enum cudaSurfaceBoundaryMode mode)                 \
    {                                                                                              \
        if (mode == cudaBoundaryModeZero) {                                                        \
            CUDA_SU_ONE(".zero", read, to, geometry bits, geometry bits, at)                       \
        } else if (mode == cudaBoundaryModeClamp) {                                                \
            CUDA_SU_ONE(".clamp", read, to, geometry bits, geometry bits, at)                      \
        } else {                                                                                   \
            CUDA_SU_ONE(".trap", read, to, geometry bits, geometry bits, at)                       \
        }                                                                                          \
    }
#define CUDA_SU_ALL(bits, to)                                                                      \
    CUDA_SU_GEOMETRY(move_1d, "1d.", "{%[a]}", bits, to)                                           \
    CUDA_SU_GEOMETRY(move_2d, "2d.", "{%[a], %[b]}", bits, to)                                     \
    CUDA_SU_GEOMETRY(move_3d, "3d.", "{%[a], %[b], %[c], %[c]}", bits, to)                         \
    CUDA_SU_GEOMETRY(move_a1d, "a1d.", "{%[a], %[b]}", bits, to)                                   \
    CUDA_SU_GEOMETRY(move_a2d, "a2d.", "{%[a], %[b], %[c], %[c]}", bits, to)

template <int bytes> struct __cuda_su;

#define CUDA_SU_OUT [v] "=h"(v)
#define CUDA_SU_IN [v] "h"(v)
template <> struct __cuda_su<1> {
    typedef unsigned short raw;
    CUDA_SU_ALL("b8", "%[v]")
};
template <> struct __cuda_su<2> {
    typedef unsigned short raw;
    CUDA_SU_ALL("b16", "%[v]")
};
#undef CUDA_SU_OUT
#undef CUDA_SU_IN
#define CUDA_SU_OUT [v] "=r"(v)
#define CUDA_SU_IN [v] "r"(v)
template <> struct __cuda_su<4> {
    typedef unsigned int raw;
    CUDA_SU_ALL("b32", "%[v]")
};
#undef CUDA_SU_OUT
#undef CUDA_SU_IN
#define CUDA_SU_OUT [v] "=l"(v)
#define CUDA_SU_IN [v] "l"(v)
template <> struct __cuda_su<8> {
    typedef unsigned long long raw;
    CUDA_SU_ALL("b64", "%[v]")
};
#undef CUDA_SU_OUT
#undef CUDA_SU_IN
#define CUDA_SU_OUT [v] "=l"(v.x), [w] "=l"(v.y)
#define CUDA_SU_IN [v] "l"(v.x), [w] "l"(v.y)
template <> struct __cuda_su<16> {
    typedef ulonglong2 raw;
    CUDA_SU_ALL("v2.b64", "{%[v], %[w]}")
};
#undef CUDA_SU_OUT
#undef CUDA_SU_IN
#undef CUDA_SU_ALL
#undef CUDA_SU_GEOMETRY
#undef CUDA_SU_ONE

/* --- the functions: of objects and of references --- */

#define CUDA_SU_KIND(handle, geometry, name, params, a, b, c)                                      \
    template <class T CUDA_SU_MORE>                                                                \
    static __device__ __forceinline__ T name##read(                                                \
        handle s, params, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                \
    {                                                                                              \
        typedef __cuda_su<sizeof(T)> su;                                                           \
        typename su::raw v;                                                                        \
        T to;                                                                                      \
        su::template geometry<handle, true>(v, s, a, b, c, mode);                                  \
        __builtin_memcpy(&to, &v, sizeof(T));                                                      \
        return to;                                                                                 \
    }                                                                                              \
    template <class T CUDA_SU_MORE>                                                                \
    static __device__ __forceinline__ void name##read(                                             \
        T *to, handle s, params, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)         \
    {                                                                                              \
        typedef __cuda_su<sizeof(T)> su;                                                           \
        typename su::raw v;                                                                        \
        su::template geometry<handle, true>(v, s, a, b, c, mode);                                  \
        __builtin_memcpy(to, &v, sizeof(T));                                                       \
    }                                                                                              \
    template <class T CUDA_SU_MORE>                                                                \
    static __device__ __forceinline__ void name##write(                                            \
        T from, handle s, params, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)        \
    {                                                                                              \
        typedef __cuda_su<sizeof(T)> su;                                                           \
        typename su::raw v = typename su::raw();                                                   \
        __builtin_memcpy(&v, &from, sizeof(T));                                                    \
        su::template geometry<handle, false>(v, s, a, b, c, mode);                                 \
    }
#define CUDA_COMMA ,
#define CUDA_XY int x CUDA_COMMA int y
#define CUDA_XYZ CUDA_XY CUDA_COMMA int z
#define CUDA_XY_LAYER CUDA_XY CUDA_COMMA int layer
#define CUDA_XY_FACE CUDA_XY CUDA_COMMA int face

#define CUDA_SU_MORE
CUDA_SU_KIND(cudaSurfaceObject_t, move_1d, surf1D, int x, x, 0, 0)
CUDA_SU_KIND(cudaSurfaceObject_t, move_2d, surf2D, CUDA_XY, x, y, 0)
CUDA_SU_KIND(cudaSurfaceObject_t, move_3d, surf3D, CUDA_XYZ, x, y, z)
CUDA_SU_KIND(cudaSurfaceObject_t, move_a1d, surf1DLayered, int x CUDA_COMMA int layer, layer, x, 0)
CUDA_SU_KIND(cudaSurfaceObject_t, move_a2d, surf2DLayered, CUDA_XY_LAYER, layer, x, y)
CUDA_SU_KIND(cudaSurfaceObject_t, move_a2d, surfCubemap, CUDA_XY_FACE, face, x, y)
CUDA_SU_KIND(cudaSurfaceObject_t, move_a2d, surfCubemapLayered, CUDA_XY CUDA_COMMA int layerFace,
             layerFace, x, y)
#undef CUDA_SU_MORE

#define CUDA_SU_MORE CUDA_COMMA class E
#define CUDA_SURFACE(type) surface<E CUDA_COMMA type>
CUDA_SU_KIND(CUDA_SURFACE(cudaSurfaceType1D), move_1d, surf1D, int x, x, 0, 0)
CUDA_SU_KIND(CUDA_SURFACE(cudaSurfaceType2D), move_2d, surf2D, CUDA_XY, x, y, 0)
CUDA_SU_KIND(CUDA_SURFACE(cudaSurfaceType3D), move_3d, surf3D, CUDA_XYZ, x, y, z)
CUDA_SU_KIND(CUDA_SURFACE(cudaSurfaceType1DLayered), move_a1d, surf1DLayered,
             int x CUDA_COMMA int layer, layer, x, 0)
CUDA_SU_KIND(CUDA_SURFACE(cudaSurfaceType2DLayered), move_a2d, surf2DLayered, CUDA_XY_LAYER, layer,
             x, y)
CUDA_SU_KIND(CUDA_SURFACE(cudaSurfaceTypeCubemap), move_a2d, surfCubemap, CUDA_XY_FACE, face, x, y)
CUDA_SU_KIND(CUDA_SURFACE(cudaSurfaceTypeCubemapLayered), move_a2d, surfCubemapLayered,
             CUDA_XY CUDA_COMMA int layerFace, layerFace, x, y)
#undef CUDA_SURFACE
#undef CUDA_SU_MORE

#undef CUDA_SU_KIND
#undef CUDA_XY
#undef CUDA_XYZ
#undef CUDA_XY_LAYER
#undef CUDA_XY_FACE
#undef CUDA_COMMA

#endif
