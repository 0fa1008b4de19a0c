/*
 * channel_descriptor.h -- cudaCreateChannelDesc<T>(): what one element of an array or texture is.
 *
 * There are no textures of three components, so none of the types named ..3 is here.
 */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include <cuda_runtime_api.h>

#ifdef __cplusplus

template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define CUDA_CHANNEL(type, x, y, z, w, kind)                                                       \
    template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) {            \
        return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);                     \
    }
#define CUDA_CHANNELS(scalar, vector, bits, kind)                                                  \
    CUDA_CHANNEL(scalar, bits, 0, 0, 0, kind)                                                      \
    CUDA_CHANNEL(vector##1, bits, 0, 0, 0, kind)                                                   \
    CUDA_CHANNEL(vector##2, bits, bits, 0, 0, kind)                                                \
    CUDA_CHANNEL(vector##4, bits, bits, bits, bits, kind)

CUDA_CHANNEL(char, 8, 0, 0, 0, Signed)
CUDA_CHANNELS(signed char, char, 8, Signed)
CUDA_CHANNELS(unsigned char, uchar, 8, Unsigned)
CUDA_CHANNELS(short, short, 16, Signed)
CUDA_CHANNELS(unsigned short, ushort, 16, Unsigned)
CUDA_CHANNELS(int, int, 32, Signed)
CUDA_CHANNELS(unsigned int, uint, 32, Unsigned)
CUDA_CHANNELS(float, float, 32, Float)
#undef CUDA_CHANNELS
#undef CUDA_CHANNEL

#endif

#endif
