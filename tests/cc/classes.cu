// Classes on both sides: constructors, inheritance, methods, references, unions, bit fields, enums.
#include "check.h"

class shape {
protected:
    float w, h;

public:
    __host__ __device__ shape(float w_, float h_) : w(w_), h(h_)
    {
    }
    __host__ __device__ float area() const
    {
        return w * h;
    }
};

class box : public shape {
    float d;

public:
    __host__ __device__ explicit box(float s = 1) : shape(s, s), d(s)
    {
    }
    __host__ __device__ float volume() const
    {
        return area() * d;
    }
    __host__ __device__ box &grow(float by)
    {
        w += by, h += by, d += by;
        return *this;
    }
};

union bits {
    float f;
    unsigned u;
};

struct flags {
    unsigned low : 3, high : 5;
    signed rest : 7;
};

enum class kind { none, some = 4 };

__device__ static void swap(int &a, int &b)
{
    int t = a;
    a = b, b = t;
}

__global__ void work(box *boxes, float *out, struct flags *f, kind *k)
{
    int i = threadIdx.x, a = i, b = 100;
    box local(i + 1);
    local.grow(1).grow(1);
    boxes[i] = local;
    union bits u;
    u.f = 1.0f;
    swap(a, b);
    out[i] = local.volume() + (u.u >> 23) + a - b;
    f[i].low = (unsigned)i;
    f[i].high = 31u;
    f[i].rest = -i;
    k[i] = i & 1 ? kind::some : kind::none;
}

int main()
{
    box *boxes = shared_array<box>(16);
    float *out = shared_array<float>(16);
    struct flags *f = shared_array<struct flags>(16);
    kind *k = shared_array<kind>(16);
    work<<<1, 16>>>(boxes, out, f, k);
    finish_kernels();
    for (int i = 0; i < 16; i++) {
        float s = i + 3;
        CHECK(boxes[i].volume() == s * s * s && out[i] == s * s * s + 127 + 100 - i);
        CHECK(f[i].low == (unsigned)i % 8 && f[i].high == 31 && f[i].rest == -i);
        CHECK(k[i] == (i & 1 ? kind::some : kind::none));
    }
    return finish();
}
