/* drv_stream.c -- the driver API's streams and events: the runtime's, with its own codes */
#include "rt/drv.h"

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    DRV_ASYNC(rt_stream_new(phStream, Flags, 0));
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
    DRV_ASYNC(rt_stream_new(phStream, flags, priority));
}

CUresult cuStreamDestroy(CUstream hStream)
{
    DRV_API(rt_stream_delete(hStream));
}
DRV_V2(cuStreamDestroy);

CUresult cuStreamSynchronize(CUstream hStream)
{
    DRV_ASYNC(rt_stream_wait(hStream));
}

CUresult cuStreamQuery(CUstream hStream)
{
    DRV_ASYNC(rt_stream_wait(hStream));
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
    DRV_ASYNC(rt_stream_wait_event(hStream, hEvent, Flags));
}

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
    DRV_ASYNC(rt_event_new(phEvent, Flags));
}

CUresult cuEventDestroy(CUevent hEvent)
{
    DRV_ASYNC(rt_event_delete(hEvent));
}
DRV_V2(cuEventDestroy);

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    DRV_ASYNC(rt_event_record(hEvent, hStream));
}

CUresult cuEventQuery(CUevent hEvent)
{
    DRV_ASYNC(rt_event_wait(hEvent));
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    DRV_ASYNC(rt_event_wait(hEvent));
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    DRV_API(rt_event_elapsed(pMilliseconds, hStart, hEnd));
}
