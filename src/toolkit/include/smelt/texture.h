/*
 * texture.h -- texture references, texture<T, dimensions, mode>, and texture objects: fetching.
 *
 * On the host a texture<> is a textureReference with the program's wishes; in device code clang
 * turns it into a handle, a 64-bit number that an asm operand can be.  A texture object is such a
 * handle everywhere.  A fetch always gives four components, of which T takes the first ones; with
 * cudaReadModeNormalizedFloat they are floats in 0 to 1, or -1 to 1 for signed T.
 *
 * Not here: gradients of cube maps, sparse textures.
 */
#ifndef SMELT_TEXTURE_H
#define SMELT_TEXTURE_H

#include <channel_descriptor.h>

template <class T, int dimensions = 1, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
    texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
            enum cudaTextureAddressMode address = cudaAddressModeClamp)
    {
        *this = texture(norm, filter, address, cudaCreateChannelDesc<T>());
    }

    texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
            struct cudaChannelFormatDesc desc)
        : textureReference()
    {
        normalized = norm;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = desc;
        maxMipmapLevelClamp = 1000;
    }
};

/* --- binding --- */

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *p,
                                          const struct cudaChannelFormatDesc &desc,
                                          size_t size = UINT_MAX)
{
    return cudaBindTexture(offset, &t, p, &desc, size);
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *p,
                                          size_t size = UINT_MAX)
{
    return cudaBindTexture(offset, &t, p, &t.channelDesc, size);
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t,
                                            const void *p, const struct cudaChannelFormatDesc &desc,
                                            size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &t, p, &desc, width, height, pitch);
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t,
                                            const void *p, size_t width, size_t height,
                                            size_t pitch)
{
    return cudaBindTexture2D(offset, &t, p, &t.channelDesc, width, height, pitch);
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc)
{
    return cudaBindTextureToArray(&t, array, &desc);
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t error = cudaGetChannelDesc(&desc, array);
    return error == cudaSuccess ? cudaBindTextureToArray(&t, array, &desc) : error;
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, D, M> &t,
                                                          cudaMipmappedArray_const_t mipmappedArray)
{
    return cudaBindTextureToMipmappedArray(&t, mipmappedArray, &t.channelDesc);
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaUnbindTexture(const texture<T, D, M> &t)
{
    return cudaUnbindTexture(&t);
}

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, D, M> &t)
{
    return cudaGetTextureAlignmentOffset(offset, &t);
}

/* --- the instructions --- */

#define CUDA_TEX(name, four, letter, type, form, coordinate, params, list, ...)                    \
    template <class H> static __device__ __forceinline__ void name(four *v, H t, params)           \
    {                                                                                              \
        asm(form ".v4." type "." coordinate " {%0, %1, %2, %3}, [%4, " list ";"                    \
            : letter(v->x), letter(v->y), letter(v->z), letter(v->w)                               \
            : "l"(t), __VA_ARGS__);                                                                \
    }
#define CUDA_COMMA ,
#define CUDA_X float x
#define CUDA_XY float x CUDA_COMMA float y
#define CUDA_XYZ float x CUDA_COMMA float y CUDA_COMMA float z
#define CUDA_L int layer CUDA_COMMA
#define CUDA_LOD CUDA_COMMA float lod
#define CUDA_TEX_ALL(four, letter, type)                                                           \
    CUDA_TEX(__cuda_tex_fetch, four, letter, type, "tex.1d", "s32", int x, "{%5}]", "r"(x))        \
    CUDA_TEX(__cuda_tex_1d, four, letter, type, "tex.1d", "f32", CUDA_X, "{%5}]", "f"(x))          \
    CUDA_TEX(__cuda_tex_2d, four, letter, type, "tex.2d", "f32", CUDA_XY, "{%5, %6}]", "f"(x),     \
             "f"(y))                                                                               \
    CUDA_TEX(__cuda_tex_3d, four, letter, type, "tex.3d", "f32", CUDA_XYZ, "{%5, %6, %7, %7}]",    \
             "f"(x), "f"(y), "f"(z))                                                               \
    CUDA_TEX(__cuda_tex_a1d, four, letter, type, "tex.a1d", "f32", CUDA_L CUDA_X, "{%5, %6}]",     \
             "r"(layer), "f"(x))                                                                   \
    CUDA_TEX(__cuda_tex_a2d, four, letter, type, "tex.a2d", "f32", CUDA_L CUDA_XY,                 \
             "{%5, %6, %7, %7}]", "r"(layer), "f"(x), "f"(y))                                      \
    CUDA_TEX(__cuda_tex_cube, four, letter, type, "tex.cube", "f32", CUDA_XYZ,                     \
             "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))                                          \
    CUDA_TEX(__cuda_tex_acube, four, letter, type, "tex.acube", "f32", CUDA_L CUDA_XYZ,            \
             "{%5, %6, %7, %8}]", "r"(layer), "f"(x), "f"(y), "f"(z))                              \
    CUDA_TEX(__cuda_tex_1d_lod, four, letter, type, "tex.level.1d", "f32", CUDA_X CUDA_LOD,        \
             "{%5}], %6", "f"(x), "f"(lod))                                                        \
    CUDA_TEX(__cuda_tex_2d_lod, four, letter, type, "tex.level.2d", "f32", CUDA_XY CUDA_LOD,       \
             "{%5, %6}], %7", "f"(x), "f"(y), "f"(lod))                                            \
    CUDA_TEX(__cuda_tex_3d_lod, four, letter, type, "tex.level.3d", "f32", CUDA_XYZ CUDA_LOD,      \
             "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(lod))                            \
    CUDA_TEX(__cuda_tex_a1d_lod, four, letter, type, "tex.level.a1d", "f32",                       \
             CUDA_L CUDA_X CUDA_LOD, "{%5, %6}], %7", "r"(layer), "f"(x), "f"(lod))                \
    CUDA_TEX(__cuda_tex_a2d_lod, four, letter, type, "tex.level.a2d", "f32",                       \
             CUDA_L CUDA_XY CUDA_LOD, "{%5, %6, %7, %7}], %8", "r"(layer), "f"(x), "f"(y),         \
             "f"(lod))                                                                             \
    CUDA_TEX(__cuda_tex_cube_lod, four, letter, type, "tex.level.cube", "f32", CUDA_XYZ CUDA_LOD,  \
             "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(lod))                            \
    CUDA_TEX(__cuda_tex_acube_lod, four, letter, type, "tex.level.acube", "f32",                   \
             CUDA_L CUDA_XYZ CUDA_LOD, "{%5, %6, %7, %8}], %9", "r"(layer), "f"(x), "f"(y),        \
             "f"(z), "f"(lod))                                                                     \
    CUDA_TEX(__cuda_tld4_r, four, letter, type, "tld4.r.2d", "f32", CUDA_XY, "{%5, %6}]", "f"(x),  \
             "f"(y))                                                                               \
    CUDA_TEX(__cuda_tld4_g, four, letter, type, "tld4.g.2d", "f32", CUDA_XY, "{%5, %6}]", "f"(x),  \
             "f"(y))                                                                               \
    CUDA_TEX(__cuda_tld4_b, four, letter, type, "tld4.b.2d", "f32", CUDA_XY, "{%5, %6}]", "f"(x),  \
             "f"(y))                                                                               \
    CUDA_TEX(__cuda_tld4_a, four, letter, type, "tld4.a.2d", "f32", CUDA_XY, "{%5, %6}]", "f"(x),  \
             "f"(y))                                                                               \
    template <class H>                                                                             \
    static __device__ __forceinline__ void __cuda_tld4(four *v, H t, float x, float y,             \
                                                       int channel)                                \
    {                                                                                              \
        if (channel == 1)                                                                          \
            __cuda_tld4_g(v, t, x, y);                                                             \
        else if (channel == 2)                                                                     \
            __cuda_tld4_b(v, t, x, y);                                                             \
        else if (channel == 3)                                                                     \
            __cuda_tld4_a(v, t, x, y);                                                             \
        else                                                                                       \
            __cuda_tld4_r(v, t, x, y);                                                             \
    }

CUDA_TEX_ALL(float4, "=f", "f32")
CUDA_TEX_ALL(int4, "=r", "s32")
CUDA_TEX_ALL(uint4, "=r", "u32")
#undef CUDA_TEX_ALL
#undef CUDA_TEX

/*
 * How much finer a texture is than what gradients ask for: the level at which a step of them is a
 * texel.  MODEL: gradients of all dimensions are one length, as if the filter were round.
 */
#define CUDA_TXQ(name, what)                                                                       \
    template <class H> static __device__ __forceinline__ float name(H t)                           \
    {                                                                                              \
        unsigned int n;                                                                            \
        asm("txq." what ".b32 %0, [%1];" : "=r"(n) : "l"(t));                                      \
        return (float)n;                                                                           \
    }
CUDA_TXQ(__cuda_tex_width, "width")
CUDA_TXQ(__cuda_tex_height, "height")
CUDA_TXQ(__cuda_tex_depth, "depth")
#undef CUDA_TXQ

static __device__ __forceinline__ float __cuda_lod(float dx, float dy)
{
    float lod, most = dx > dy ? dx : dy; /* squares of lengths */
    asm("lg2.approx.f32 %0, %1;" : "=f"(lod) : "f"(most));
    return 0.5f * lod;
}

template <class H> static __device__ __forceinline__ float __cuda_lod_1d(H t, float dx, float dy)
{
    float w = __cuda_tex_width(t);
    return __cuda_lod(dx * w * dx * w, dy * w * dy * w);
}

template <class H> static __device__ __forceinline__ float __cuda_lod_2d(H t, float2 dx, float2 dy)
{
    float w = __cuda_tex_width(t), h = __cuda_tex_height(t);
    return __cuda_lod(dx.x * w * dx.x * w + dx.y * h * dx.y * h,
                      dy.x * w * dy.x * w + dy.y * h * dy.y * h);
}

template <class H> static __device__ __forceinline__ float __cuda_lod_3d(H t, float4 dx, float4 dy)
{
    float w = __cuda_tex_width(t), h = __cuda_tex_height(t), d = __cuda_tex_depth(t);
    return __cuda_lod(dx.x * w * dx.x * w + dx.y * h * dx.y * h + dx.z * d * dx.z * d,
                      dy.x * w * dy.x * w + dy.y * h * dy.y * h + dy.z * d * dy.z * d);
}

/* --- from four components to T --- */

/* raw: what the instruction gives for T; unit: what T becomes in normalized mode. */
template <class T> struct __cuda_texel;

#define CUDA_TEXEL(type, four, floats, cut)                                                        \
    template <> struct __cuda_texel<type> {                                                        \
        typedef four raw;                                                                          \
        typedef floats unit;                                                                       \
        template <class R, class V> static __device__ __forceinline__ R take(const V &v)           \
        {                                                                                          \
            R r;                                                                                   \
            cut;                                                                                   \
            return r;                                                                              \
        }                                                                                          \
    };
#define CUDA_TEXELS(scalar, vector, four)                                                          \
    CUDA_TEXEL(scalar, four, float, r = (R)v.x)                                                    \
    CUDA_TEXEL(vector##1, four, float1, r.x = v.x)                                                 \
    CUDA_TEXEL(vector##2, four, float2, (r.x = v.x, r.y = v.y))                                    \
    CUDA_TEXEL(vector##4, four, float4, (r.x = v.x, r.y = v.y, r.z = v.z, r.w = v.w))

CUDA_TEXEL(char, int4, float, r = (R)v.x)
CUDA_TEXELS(signed char, char, int4)
CUDA_TEXELS(unsigned char, uchar, uint4)
CUDA_TEXELS(short, short, int4)
CUDA_TEXELS(unsigned short, ushort, uint4)
CUDA_TEXELS(int, int, int4)
CUDA_TEXELS(unsigned int, uint, uint4)
CUDA_TEXELS(float, float, float4)
#undef CUDA_TEXELS
#undef CUDA_TEXEL

/* --- the functions: of references, and of objects as a result or through a pointer --- */

#define CUDA_FETCH(name, instruction, dimensions, params, ...)                                     \
    template <class T>                                                                             \
    static __device__ __forceinline__ T name(texture<T, dimensions, cudaReadModeElementType> t,    \
                                             params)                                               \
    {                                                                                              \
        typename __cuda_texel<T>::raw v;                                                           \
        instruction(&v, t, __VA_ARGS__);                                                           \
        return __cuda_texel<T>::template take<T>(v);                                               \
    }                                                                                              \
    template <class T>                                                                             \
    static __device__ __forceinline__ typename __cuda_texel<T>::unit name(                         \
        texture<T, dimensions, cudaReadModeNormalizedFloat> t, params)                             \
    {                                                                                              \
        float4 v;                                                                                  \
        instruction(&v, t, __VA_ARGS__);                                                           \
        return __cuda_texel<T>::template take<typename __cuda_texel<T>::unit>(v);                  \
    }                                                                                              \
    template <class T> static __device__ __forceinline__ T name(cudaTextureObject_t t, params)     \
    {                                                                                              \
        typename __cuda_texel<T>::raw v;                                                           \
        instruction(&v, t, __VA_ARGS__);                                                           \
        return __cuda_texel<T>::template take<T>(v);                                               \
    }                                                                                              \
    template <class T>                                                                             \
    static __device__ __forceinline__ void name(T *to, cudaTextureObject_t t, params)              \
    {                                                                                              \
        typename __cuda_texel<T>::raw v;                                                           \
        instruction(&v, t, __VA_ARGS__);                                                           \
        *to = __cuda_texel<T>::template take<T>(v);                                                \
    }
#define CUDA_AT_LAYER CUDA_COMMA int layer
#define CUDA_GRAD(type) CUDA_COMMA type dPdx CUDA_COMMA type dPdy

CUDA_FETCH(tex1Dfetch, __cuda_tex_fetch, cudaTextureType1D, int x, x)
CUDA_FETCH(tex1D, __cuda_tex_1d, cudaTextureType1D, CUDA_X, x)
CUDA_FETCH(tex2D, __cuda_tex_2d, cudaTextureType2D, CUDA_XY, x, y)
CUDA_FETCH(tex3D, __cuda_tex_3d, cudaTextureType3D, CUDA_XYZ, x, y, z)
CUDA_FETCH(tex1DLayered, __cuda_tex_a1d, cudaTextureType1DLayered, CUDA_X CUDA_AT_LAYER, layer, x)
CUDA_FETCH(tex2DLayered, __cuda_tex_a2d, cudaTextureType2DLayered, CUDA_XY CUDA_AT_LAYER, layer, x,
           y)
CUDA_FETCH(texCubemap, __cuda_tex_cube, cudaTextureTypeCubemap, CUDA_XYZ, x, y, z)
CUDA_FETCH(texCubemapLayered, __cuda_tex_acube, cudaTextureTypeCubemapLayered,
           CUDA_XYZ CUDA_AT_LAYER, layer, x, y, z)
CUDA_FETCH(tex1DLod, __cuda_tex_1d_lod, cudaTextureType1D, CUDA_X CUDA_LOD, x, lod)
CUDA_FETCH(tex2DLod, __cuda_tex_2d_lod, cudaTextureType2D, CUDA_XY CUDA_LOD, x, y, lod)
CUDA_FETCH(tex3DLod, __cuda_tex_3d_lod, cudaTextureType3D, CUDA_XYZ CUDA_LOD, x, y, z, lod)
CUDA_FETCH(tex1DLayeredLod, __cuda_tex_a1d_lod, cudaTextureType1DLayered,
           CUDA_X CUDA_AT_LAYER CUDA_LOD, layer, x, lod)
CUDA_FETCH(tex2DLayeredLod, __cuda_tex_a2d_lod, cudaTextureType2DLayered,
           CUDA_XY CUDA_AT_LAYER CUDA_LOD, layer, x, y, lod)
CUDA_FETCH(texCubemapLod, __cuda_tex_cube_lod, cudaTextureTypeCubemap, CUDA_XYZ CUDA_LOD, x, y, z,
           lod)
CUDA_FETCH(texCubemapLayeredLod, __cuda_tex_acube_lod, cudaTextureTypeCubemapLayered,
           CUDA_XYZ CUDA_AT_LAYER CUDA_LOD, layer, x, y, z, lod)
CUDA_FETCH(tex1DGrad, __cuda_tex_1d_lod, cudaTextureType1D, CUDA_X CUDA_GRAD(float), x,
           __cuda_lod_1d(t, dPdx, dPdy))
CUDA_FETCH(tex2DGrad, __cuda_tex_2d_lod, cudaTextureType2D, CUDA_XY CUDA_GRAD(float2), x, y,
           __cuda_lod_2d(t, dPdx, dPdy))
CUDA_FETCH(tex3DGrad, __cuda_tex_3d_lod, cudaTextureType3D, CUDA_XYZ CUDA_GRAD(float4), x, y, z,
           __cuda_lod_3d(t, dPdx, dPdy))
CUDA_FETCH(tex1DLayeredGrad, __cuda_tex_a1d_lod, cudaTextureType1DLayered,
           CUDA_X CUDA_AT_LAYER CUDA_GRAD(float), layer, x, __cuda_lod_1d(t, dPdx, dPdy))
CUDA_FETCH(tex2DLayeredGrad, __cuda_tex_a2d_lod, cudaTextureType2DLayered,
           CUDA_XY CUDA_AT_LAYER CUDA_GRAD(float2), layer, x, y, __cuda_lod_2d(t, dPdx, dPdy))
#undef CUDA_FETCH

/* Four texels' worth of one channel: T is a vector of four. */
template <class T>
static __device__ __forceinline__ T tex2Dgather(cudaTextureObject_t t, float x, float y,
                                                int comp = 0)
{
    typename __cuda_texel<T>::raw v;
    __cuda_tld4(&v, t, x, y, comp);
    return __cuda_texel<T>::template take<T>(v);
}

template <class T>
static __device__ __forceinline__ void tex2Dgather(T *to, cudaTextureObject_t t, float x, float y,
                                                   int comp = 0)
{
    *to = tex2Dgather<T>(t, x, y, comp);
}

/* Of a reference: four elements of what T is made of. */
template <class T> struct __cuda_four;
#define CUDA_FOUR(scalar, vector)                                                                  \
    template <> struct __cuda_four<scalar> {                                                       \
        typedef vector##4 type;                                                                    \
    };                                                                                             \
    template <> struct __cuda_four<vector##1> {                                                    \
        typedef vector##4 type;                                                                    \
    };                                                                                             \
    template <> struct __cuda_four<vector##2> {                                                    \
        typedef vector##4 type;                                                                    \
    };                                                                                             \
    template <> struct __cuda_four<vector##4> {                                                    \
        typedef vector##4 type;                                                                    \
    };
CUDA_FOUR(signed char, char)
CUDA_FOUR(unsigned char, uchar)
CUDA_FOUR(short, short)
CUDA_FOUR(unsigned short, ushort)
CUDA_FOUR(int, int)
CUDA_FOUR(unsigned int, uint)
CUDA_FOUR(float, float)
#undef CUDA_FOUR

template <class T>
static __device__ __forceinline__ typename __cuda_four<T>::type
tex2Dgather(texture<T, cudaTextureType2D, cudaReadModeElementType> t, float x, float y,
            int comp = 0)
{
    typedef typename __cuda_four<T>::type four;
    typename __cuda_texel<four>::raw v;
    __cuda_tld4(&v, t, x, y, comp);
    return __cuda_texel<four>::template take<four>(v);
}

template <class T>
static __device__ __forceinline__ float4 tex2Dgather(
    texture<T, cudaTextureType2D, cudaReadModeNormalizedFloat> t, float x, float y, int comp = 0)
{
    float4 v;
    __cuda_tld4(&v, t, x, y, comp);
    return v;
}

#undef CUDA_COMMA
#undef CUDA_X
#undef CUDA_XY
#undef CUDA_XYZ
#undef CUDA_L
#undef CUDA_LOD
#undef CUDA_AT_LAYER
#undef CUDA_GRAD

#endif
