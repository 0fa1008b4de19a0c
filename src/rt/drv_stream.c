/* drv_stream.c -- the driver API's streams and events: the runtime's, with its own codes */
#include "rt/drv.h"

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    DRV_API(rt_stream_new(phStream, Flags, 0));
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
    DRV_API(rt_stream_new(phStream, flags, priority));
}

CUresult cuStreamDestroy(CUstream hStream)
{
    DRV_API(rt_stream_delete(hStream));
}
DRV_V2(cuStreamDestroy);

CUresult cuStreamSynchronize(CUstream hStream)
{
    DRV_API(rt_stream_check(hStream));
}

CUresult cuStreamQuery(CUstream hStream)
{
    DRV_API(rt_stream_check(hStream));
}

static cudaError_t wait_event(CUstream s, CUevent e, unsigned int flags)
{
    cudaError_t code = flags ? cudaErrorInvalidValue : rt_stream_check(s);

    return code == cudaSuccess ? rt_event_check(e) : code;
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
    DRV_API(wait_event(hStream, hEvent, Flags));
}

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
    DRV_API(rt_event_new(phEvent, Flags));
}

CUresult cuEventDestroy(CUevent hEvent)
{
    DRV_API(rt_event_delete(hEvent));
}
DRV_V2(cuEventDestroy);

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    DRV_API(rt_event_record(hEvent, hStream));
}

CUresult cuEventQuery(CUevent hEvent)
{
    DRV_API(rt_event_check(hEvent));
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    DRV_API(rt_event_check(hEvent));
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    DRV_API(rt_event_elapsed(pMilliseconds, hStart, hEnd));
}
