/*
 * texture.h -- texture references: texture<T, dimensions, mode>, binding them, fetching.
 *
 * On the host a texture<> is a textureReference with the program's wishes; in device code clang
 * turns it into a handle, a 64-bit number that an asm operand can be.  A fetch always gives four
 * components, of which T takes the first ones; with cudaReadModeNormalizedFloat they are floats
 * in 0 to 1, or -1 to 1 for signed T.
 *
 * Not here: texture objects, surfaces, layers, cube maps, mipmaps.
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

#define CUDA_TEX(name, four, letter, type, geometry, coordinate, params, list, ...)                \
    template <class H> static __device__ __forceinline__ void name(four *v, H t, params)           \
    {                                                                                              \
        asm("tex." geometry ".v4." type "." coordinate " {%0, %1, %2, %3}, [%4, " list "];"        \
            : letter(v->x), letter(v->y), letter(v->z), letter(v->w)                               \
            : "l"(t), __VA_ARGS__);                                                                \
    }
#define CUDA_COMMA ,
#define CUDA_TEX_ALL(four, letter, type)                                                           \
    CUDA_TEX(__cuda_tex_fetch, four, letter, type, "1d", "s32", int x, "{%5}", "r"(x))             \
    CUDA_TEX(__cuda_tex_1d, four, letter, type, "1d", "f32", float x, "{%5}", "f"(x))              \
    CUDA_TEX(__cuda_tex_2d, four, letter, type, "2d", "f32", float x CUDA_COMMA float y,           \
             "{%5, %6}", "f"(x), "f"(y))                                                           \
    CUDA_TEX(__cuda_tex_3d, four, letter, type, "3d", "f32",                                       \
             float x CUDA_COMMA float y CUDA_COMMA float z, "{%5, %6, %7, %7}", "f"(x), "f"(y),    \
             "f"(z))

CUDA_TEX_ALL(float4, "=f", "f32")
CUDA_TEX_ALL(int4, "=r", "s32")
CUDA_TEX_ALL(uint4, "=r", "u32")
#undef CUDA_TEX_ALL
#undef CUDA_COMMA
#undef CUDA_TEX

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

/* --- the functions --- */

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
    }
#define CUDA_COMMA ,

CUDA_FETCH(tex1Dfetch, __cuda_tex_fetch, 1, int x, x)
CUDA_FETCH(tex1D, __cuda_tex_1d, 1, float x, x)
CUDA_FETCH(tex2D, __cuda_tex_2d, 2, float x CUDA_COMMA float y, x, y)
CUDA_FETCH(tex3D, __cuda_tex_3d, 3, float x CUDA_COMMA float y CUDA_COMMA float z, x, y, z)
#undef CUDA_COMMA
#undef CUDA_FETCH

#endif
