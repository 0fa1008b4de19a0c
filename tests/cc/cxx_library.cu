// The C++ library in host code, with its names used openly.
// stdout: 1 2 3 map 2 0.5
#include <algorithm>
#include <complex>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "check.h"

using namespace std;

__global__ void twice(int *p)
{
    p[threadIdx.x] *= 2;
}

int main()
{
    vector<int> v = {3, 1, 2};
    sort(v.begin(), v.end());
    map<string, int> m;
    m["map"] = min(2, max(1, 5));
    for (int x : v)
        cout << x << ' ';
    for (auto &e : m)
        cout << e.first << ' ' << e.second << ' ';
    complex<float> c(0.5f, 1.0f);
    cout << c.real() << endl;
    unique_ptr<vector<int>> big(new vector<int>(64, 1));
    int *p = shared_array<int>(64);
    copy(big->begin(), big->end(), p);
    twice<<<1, 64>>>(p);
    finish_kernels();
    CHECK(accumulate(p, p + 64, 0) == 128);
    return finish();
}
