/*
 * cuda_absent.h -- functions of CUDA 10.1's runtime that this library does not do.
 *
 * Each is there to be linked; called, it names itself on stderr once and returns
 * cudaErrorNotSupported.  C++ programs find them declared with any parameters, so that what uses
 * them only here and there still compiles.
 */
#ifndef CUDA_ABSENT_H
#define CUDA_ABSENT_H

#define CUDA_ABSENT(F)                                                                             \
    /* several devices and processes */                                                            \
    F(cudaMemcpy3DPeer)                                                                            \
    F(cudaMemcpy3DPeerAsync)                                                                       \
    F(cudaDeviceGetP2PAttribute)                                                                   \
    F(cudaIpcGetEventHandle)                                                                       \
    F(cudaIpcOpenEventHandle)                                                                      \
    F(cudaIpcGetMemHandle)                                                                         \
    F(cudaIpcOpenMemHandle)                                                                        \
    F(cudaIpcCloseMemHandle)                                                                       \
    /* several devices at once */                                                                  \
    F(cudaLaunchCooperativeKernelMultiDevice)                                                      \
    F(cudaSetDoubleForDevice)                                                                      \
    F(cudaSetDoubleForHost)                                                                        \
    F(cudaMemRangeGetAttribute)                                                                    \
    F(cudaMemRangeGetAttributes)                                                                   \
    F(cudaProfilerInitialize)                                                                      \
    F(cudaGetExportTable)                                                                          \
    /* graphs */                                                                                   \
    F(cudaStreamBeginCapture)                                                                      \
    F(cudaStreamEndCapture)                                                                        \
    F(cudaStreamIsCapturing)                                                                       \
    F(cudaStreamGetCaptureInfo)                                                                    \
    F(cudaThreadExchangeStreamCaptureMode)                                                         \
    F(cudaGraphCreate)                                                                             \
    F(cudaGraphDestroy)                                                                            \
    F(cudaGraphClone)                                                                              \
    F(cudaGraphInstantiate)                                                                        \
    F(cudaGraphLaunch)                                                                             \
    F(cudaGraphExecDestroy)                                                                        \
    F(cudaGraphExecKernelNodeSetParams)                                                            \
    F(cudaGraphAddKernelNode)                                                                      \
    F(cudaGraphAddMemcpyNode)                                                                      \
    F(cudaGraphAddMemsetNode)                                                                      \
    F(cudaGraphAddHostNode)                                                                        \
    F(cudaGraphAddChildGraphNode)                                                                  \
    F(cudaGraphAddEmptyNode)                                                                       \
    F(cudaGraphAddDependencies)                                                                    \
    F(cudaGraphRemoveDependencies)                                                                 \
    F(cudaGraphKernelNodeGetParams)                                                                \
    F(cudaGraphKernelNodeSetParams)                                                                \
    F(cudaGraphMemcpyNodeGetParams)                                                                \
    F(cudaGraphMemcpyNodeSetParams)                                                                \
    F(cudaGraphMemsetNodeGetParams)                                                                \
    F(cudaGraphMemsetNodeSetParams)                                                                \
    F(cudaGraphHostNodeGetParams)                                                                  \
    F(cudaGraphHostNodeSetParams)                                                                  \
    F(cudaGraphChildGraphNodeGetGraph)                                                             \
    F(cudaGraphNodeFindInClone)                                                                    \
    F(cudaGraphNodeGetType)                                                                        \
    F(cudaGraphNodeGetDependencies)                                                                \
    F(cudaGraphNodeGetDependentNodes)                                                              \
    F(cudaGraphGetNodes)                                                                           \
    F(cudaGraphGetRootNodes)                                                                       \
    F(cudaGraphGetEdges)                                                                           \
    F(cudaGraphDestroyNode)                                                                        \
    /* other programs' memory and pictures */                                                      \
    F(cudaImportExternalMemory)                                                                    \
    F(cudaExternalMemoryGetMappedBuffer)                                                           \
    F(cudaExternalMemoryGetMappedMipmappedArray)                                                   \
    F(cudaDestroyExternalMemory)                                                                   \
    F(cudaImportExternalSemaphore)                                                                 \
    F(cudaSignalExternalSemaphoresAsync)                                                           \
    F(cudaWaitExternalSemaphoresAsync)                                                             \
    F(cudaDestroyExternalSemaphore)                                                                \
    F(cudaGraphicsMapResources)                                                                    \
    F(cudaGraphicsUnmapResources)                                                                  \
    F(cudaGraphicsUnregisterResource)                                                              \
    F(cudaGraphicsResourceSetMapFlags)                                                             \
    F(cudaGraphicsResourceGetMappedPointer)                                                        \
    F(cudaGraphicsSubResourceGetMappedArray)                                                       \
    F(cudaGraphicsResourceGetMappedMipmappedArray)                                                 \
    F(cudaGraphicsGLRegisterBuffer)                                                                \
    F(cudaGraphicsGLRegisterImage)                                                                 \
    F(cudaGLGetDevices)                                                                            \
    F(cudaGLSetGLDevice)                                                                           \
    F(cudaGLRegisterBufferObject)                                                                  \
    F(cudaGLMapBufferObject)                                                                       \
    F(cudaGLMapBufferObjectAsync)                                                                  \
    F(cudaGLUnmapBufferObject)                                                                     \
    F(cudaGLUnmapBufferObjectAsync)                                                                \
    F(cudaGLUnregisterBufferObject)                                                                \
    F(cudaGLSetBufferObjectMapFlags)

#ifdef __cplusplus
extern "C" {
#define CUDA_ABSENT_DECLARE(name) cudaError_t name(...);
CUDA_ABSENT(CUDA_ABSENT_DECLARE)
#undef CUDA_ABSENT_DECLARE
}
#endif

#endif
