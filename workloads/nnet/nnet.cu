/*
 * nnet -- a convolutional neural network that reads handwritten digits
 *
 * suite: ISPASS
 * stresses: nearly empty warps and blocks of one thread, uncoalesced global reads
 * papers: gates
 * kernels: nnet_convolve_first, nnet_convolve_second, nnet_connect_third, nnet_connect_fourth
 * size: 28 digits
 * large: 28 digits
 * odd: 1
 * tiny: 1
 * mix: 2
 * time: 21.5 s
 *
 * A launch per layer, with the original's shapes: block (map, digit) of a grid has one map of one
 * digit.  nnet_convolve_first: 6 maps of 13 x 13 threads, each looks at 5 x 5 pixels of the picture
 * of 29 x 29, two apart from its neighbours' ones.  nnet_convolve_second: 50 maps of 5 x 5 threads,
 * each looks at 5 x 5 places of all 6 maps.  nnet_connect_third: 100 neurons that see all of that,
 * and nnet_connect_fourth: 10 neurons, one per digit, that see these 100; both have blocks of a
 * single thread.  The pictures are our own, digits of seven segments drawn with a shaky hand, and
 * the weights are random, small enough for the neurons not to saturate.
 *
 * As in the original, the index of each value of the layer below is computed from the block's, in
 * unsigned numbers, so that no pointer can run along; the places of a window are in a table; and
 * the activation's constants are double.
 *
 * Outputs of all layers are compared.  They are below 1.72, and so are most of the sums: a layer
 * adds errors of about a millionth.
 */
#include "workload.h"

enum {
    PICTURE = 29, /* pixels of a side */
    SIDE1 = 13,   /* neurons of a side of a map */
    SIDE2 = 5,
    WINDOW = 5, /* places of a side that a neuron looks at */
    MAPS1 = 6,
    MAPS2 = 50,
    PICTURE_SIZE = PICTURE * PICTURE,
    SIZE1 = SIDE1 * SIDE1,
    SIZE2 = SIDE2 * SIDE2,
    WINDOW_SIZE = WINDOW * WINDOW,
    NEURONS1 = MAPS1 * SIZE1, /* for a digit */
    NEURONS2 = MAPS2 * SIZE2,
    NEURONS3 = 100,
    NEURONS4 = 10,
    /* weights of a neuron, the first of which is its bias */
    WEIGHTS1 = 1 + WINDOW_SIZE,
    WEIGHTS2 = 1 + MAPS1 * WINDOW_SIZE,
    WEIGHTS3 = 1 + NEURONS2,
    WEIGHTS4 = 1 + NEURONS3,
    LAYERS = 4,
};

static const struct layer {
    const char *name;
    int n_neuron; /* for a digit */
    int n_map;    /* neurons of a map share their weights */
    int n_weight; /* of a map */
} layers[LAYERS + 1] = {{"picture", PICTURE_SIZE, 0, 1},
                        {"first", NEURONS1, MAPS1, WEIGHTS1},
                        {"second", NEURONS2, MAPS2, WEIGHTS2},
                        {"third", NEURONS3, NEURONS3, WEIGHTS3},
                        {"fourth", NEURONS4, NEURONS4, WEIGHTS4}};

static size_t neuron_bytes(int layer, int n_digit)
{
    return (size_t)n_digit * layers[layer].n_neuron * sizeof(float);
}

static size_t weight_bytes(int layer)
{
    return layers[layer].n_map * layers[layer].n_weight * sizeof(float);
}

/* All layers of the network, on the host or on the device; [0] of the weights is not used. */
struct net {
    float *out[LAYERS + 1]; /* [digit][neuron] */
    float *weight[LAYERS + 1];
};

static __device__ float activate(float sum)
{
    return (float)(1.7159 * tanhf((float)(0.66666667 * sum)));
}

/* Where the places of a window are, from its first one, in a map of this many columns. */
#define WINDOW_ROW(columns, row)                                                                   \
    (columns) * (row), (columns) * (row) + 1, (columns) * (row) + 2, (columns) * (row) + 3,        \
        (columns) * (row) + 4
#define WINDOW_PLACES(columns)                                                                     \
    {                                                                                              \
        WINDOW_ROW(columns, 0), WINDOW_ROW(columns, 1), WINDOW_ROW(columns, 2),                    \
            WINDOW_ROW(columns, 3), WINDOW_ROW(columns, 4)                                         \
    }

__global__ void nnet_convolve_first(const float *in, const float *weight, float *out)
{
    const int place[WINDOW_SIZE] = WINDOW_PLACES(PICTURE);
    int first = blockIdx.x * WEIGHTS1, x = threadIdx.x, y = threadIdx.y;
    int window = 2 * y * PICTURE + 2 * x;
    float sum = weight[first++];

    for (int i = 0; i < WINDOW_SIZE; i++)
        sum += in[window + place[i] + PICTURE_SIZE * blockIdx.y] * weight[first + i];
    out[y * SIDE1 + x + SIZE1 * blockIdx.x + NEURONS1 * blockIdx.y] = activate(sum);
}

__global__ void nnet_convolve_second(const float *in, const float *weight, float *out)
{
    const int place[WINDOW_SIZE] = WINDOW_PLACES(SIDE1);
    int first = blockIdx.x * WEIGHTS2, x = threadIdx.x, y = threadIdx.y;
    int window = 2 * y * SIDE1 + 2 * x;
    float sum = weight[first++];

    for (int i = 0; i < WINDOW_SIZE; i++, first += MAPS1)
        for (int m = 0; m < MAPS1; m++)
            sum += in[window + place[i] + m * SIZE1 + NEURONS1 * blockIdx.y] * weight[first + m];
    out[y * SIDE2 + x + SIZE2 * blockIdx.x + NEURONS2 * blockIdx.y] = activate(sum);
}

__global__ void nnet_connect_third(const float *in, const float *weight, float *out)
{
    int first = blockIdx.x * WEIGHTS3;
    float sum = weight[first++];

    for (int i = 0; i < NEURONS2; i++)
        sum += in[i + NEURONS2 * blockIdx.y] * weight[first + i];
    out[blockIdx.x + NEURONS3 * blockIdx.y] = activate(sum);
}

__global__ void nnet_connect_fourth(const float *in, const float *weight, float *out)
{
    int first = blockIdx.x * WEIGHTS4;
    float sum = weight[first++];

    for (int i = 0; i < NEURONS3; i++)
        sum += in[i + NEURONS3 * blockIdx.y] * weight[first + i];
    out[blockIdx.x + NEURONS4 * blockIdx.y] = activate(sum);
}

static void recognize_gpu(struct net net, int n_digit)
{
    struct net d;

    for (int l = 0; l <= LAYERS; l++) {
        d.out[l] = (float *)workload_upload(net.out[l], neuron_bytes(l, n_digit));
        d.weight[l] = (float *)workload_upload(net.weight[l], weight_bytes(l));
    }
    nnet_convolve_first<<<dim3(MAPS1, n_digit), dim3(SIDE1, SIDE1)>>>(d.out[0], d.weight[1],
                                                                      d.out[1]);
    CUDA_LAUNCHED();
    nnet_convolve_second<<<dim3(MAPS2, n_digit), dim3(SIDE2, SIDE2)>>>(d.out[1], d.weight[2],
                                                                       d.out[2]);
    CUDA_LAUNCHED();
    nnet_connect_third<<<dim3(NEURONS3, n_digit), 1>>>(d.out[2], d.weight[3], d.out[3]);
    CUDA_LAUNCHED();
    nnet_connect_fourth<<<dim3(NEURONS4, n_digit), 1>>>(d.out[3], d.weight[4], d.out[4]);
    CUDA_LAUNCHED();
    for (int l = 0; l <= LAYERS; l++) {
        CUDA(cudaMemcpy(net.out[l], d.out[l], neuron_bytes(l, n_digit), cudaMemcpyDeviceToHost));
        CUDA(cudaFree(d.out[l]));
        CUDA(cudaFree(d.weight[l]));
    }
}

/* ---- the reference */

static float activate_cpu(double sum)
{
    return (float)(1.7159 * tanh(0.66666667 * sum));
}

/* One neuron that looks at a window of each of some maps. */
static float convolve_cpu(const float *in, int side, int n_map, int x, int y, const float *weight)
{
    double sum = *weight++;

    for (int j = 0; j < WINDOW; j++)
        for (int i = 0; i < WINDOW; i++)
            for (int m = 0; m < n_map; m++)
                sum += (double)in[(m * side + 2 * y + j) * side + 2 * x + i] * *weight++;
    return activate_cpu(sum);
}

static void convolve_layer_cpu(const float *in, int in_side, int in_maps, const float *weight,
                               float *out, int out_side, int out_maps)
{
    for (int m = 0; m < out_maps; m++)
        for (int y = 0; y < out_side; y++)
            for (int x = 0; x < out_side; x++)
                *out++ = convolve_cpu(in, in_side, in_maps, x, y,
                                      weight + m * (1 + in_maps * WINDOW_SIZE));
}

static void connect_layer_cpu(const float *in, int n_in, const float *weight, float *out, int n_out)
{
    for (int o = 0; o < n_out; o++) {
        double sum = *weight++;

        for (int i = 0; i < n_in; i++)
            sum += (double)in[i] * *weight++;
        out[o] = activate_cpu(sum);
    }
}

static void recognize_cpu(struct net net, int n_digit)
{
    for (int d = 0; d < n_digit; d++) {
        float *out[LAYERS + 1];

        for (int l = 0; l <= LAYERS; l++)
            out[l] = net.out[l] + d * layers[l].n_neuron;
        convolve_layer_cpu(out[0], PICTURE, 1, net.weight[1], out[1], SIDE1, MAPS1);
        convolve_layer_cpu(out[1], SIDE1, MAPS1, net.weight[2], out[2], SIDE2, MAPS2);
        connect_layer_cpu(out[2], NEURONS2, net.weight[3], out[3], NEURONS3);
        connect_layer_cpu(out[3], NEURONS3, net.weight[4], out[4], NEURONS4);
    }
}

/* ---- input */

/* A stroke from one point to another, two pixels wide; x and y in pixels. */
static void stroke(float *picture, float x0, float y0, float x1, float y1)
{
    for (int i = 0; i <= 32; i++) {
        int x = (int)(x0 + (x1 - x0) * i / 32), y = (int)(y0 + (y1 - y0) * i / 32);

        for (int p = 0; p < 4; p++)
            picture[(y + p / 2) * PICTURE + x + p % 2] = 1;
    }
}

/* The digit's segments between six points, which lie near to where they should; the rest is -1. */
static void digit_draw(struct workload *w, int digit, float *picture)
{
    static const int segment[7][2] = {{0, 1}, {1, 3}, {3, 5}, {4, 5}, {2, 4}, {0, 2}, {2, 3}};
    static const int lit[10] = {0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f};
    float x[6], y[6];

    for (int i = 0; i < PICTURE_SIZE; i++)
        picture[i] = -1;
    for (int p = 0; p < 6; p++) {
        x[p] = (p % 2 ? 19 : 8) + workload_float(w, -3, 3);
        y[p] = 5 + p / 2 * 9 + workload_float(w, -3, 3);
    }
    for (int s = 0; s < 7; s++)
        if (lit[digit] >> s & 1)
            stroke(picture, x[segment[s][0]], y[segment[s][0]], x[segment[s][1]], y[segment[s][1]]);
}

static float *weights_make(struct workload *w, int layer)
{
    float *weight = (float *)workload_alloc(weight_bytes(layer));
    float largest = sqrtf(3.0f / layers[layer].n_weight);

    for (int i = 0; i < layers[layer].n_map * layers[layer].n_weight; i++)
        weight[i] = workload_float(w, -largest, largest);
    return weight;
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){
                           .unit = "digits", .usual = 28, .large = 28, .least = 1, .most = 10000});
    int n_digit = (int)w.size;
    struct net got, want;

    for (int l = 0; l <= LAYERS; l++) {
        got.out[l] = (float *)workload_alloc(neuron_bytes(l, n_digit));
        want.out[l] = (float *)workload_alloc(neuron_bytes(l, n_digit));
        got.weight[l] = want.weight[l] = weights_make(&w, l);
    }
    for (int d = 0; d < n_digit; d++)
        digit_draw(&w, d % 10, got.out[0] + d * PICTURE_SIZE);
    memcpy(want.out[0], got.out[0], neuron_bytes(0, n_digit));

    recognize_gpu(got, n_digit);
    recognize_cpu(want, n_digit);
    for (int l = 0; l <= LAYERS; l++) {
        workload_compare_f32(&w, layers[l].name, got.out[l], want.out[l],
                             (size_t)n_digit * layers[l].n_neuron, 1e-5f);
        free(got.out[l]);
        free(want.out[l]);
        free(got.weight[l]);
    }
    return workload_end(&w);
}
