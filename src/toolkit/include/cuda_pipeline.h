/* cuda_pipeline.h -- see cuda_pipeline_primitives.h */
#include <cuda_pipeline_primitives.h>
