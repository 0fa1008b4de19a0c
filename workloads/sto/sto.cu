/*
 * sto -- MD5 hashes of a window that slides over a file, as storage systems find equal pieces
 *
 * suite: ISPASS
 * stresses: integer logic and shifts, dependent chains, large shared memory, overlapping loads
 * papers: amoeba
 * kernels: sto_md5
 * size: 49152 windows
 * large: 49152 windows
 * odd: 4133
 * tiny: 133
 * time: 2.7 s
 *
 * After StoreGPU's sliding window: a window moves over the file by 4 bytes, and each place of it is
 * hashed, by a thread.  The window's length is a choice of this program: 244 bytes, with padding
 * four chunks of MD5.  A thread copies its message, two chunks at a time, into a workspace of its
 * own in shared memory, word k of all threads side by side, so that they never meet in a bank; a
 * block's workspaces take 16 KB.  The suite's launch: 192 KB of data, 384 blocks of 128 threads.
 *
 * Hashes are compared bit by bit.
 */
#include "workload.h"

enum {
    BLOCK = 128,
    CHUNK = 16,   /* words that MD5 takes in at a time */
    MESSAGE = 64, /* words: the window, an end mark, two words of length */
    WINDOW = MESSAGE - 3,
    WORKSPACE = 32, /* words of a thread */
    STEPS = 64,     /* for a chunk */
};

typedef unsigned workspace[WORKSPACE][BLOCK];

struct sine_table {
    unsigned of[STEPS];
};

/* 2^32 |sin(i)| for i = 1, 2, ..: for the kernel to have as immediates, by the power series. */
static constexpr struct sine_table sine_make(void)
{
    struct sine_table table = {};

    for (int i = 0; i < STEPS; i++) {
        const double pi = 3.14159265358979323846;
        double x = i + 1 - pi * (int)((i + 1) / pi + 0.5), power = x, sine = 0;

        for (int k = 1; k < 30; k += 2) {
            sine += power;
            power *= -x * x / ((k + 1) * (k + 2));
        }
        table.of[i] = (unsigned)((sine < 0 ? -sine : sine) * 4294967296.0);
    }
    return table;
}

/* What mixes three words of the state, another function in each of the four rounds. */
static __device__ unsigned mix(int round, unsigned b, unsigned c, unsigned d)
{
    return round == 0   ? (b & c) | (~b & d)
           : round == 1 ? (b & d) | (c & ~d)
           : round == 2 ? b ^ c ^ d
                        : c ^ (b | ~d);
}

/* Takes the chunk that begins at word `first` of the workspace into the state. */
static __device__ void md5_chunk(uint4 *state, const workspace work, int first)
{
    constexpr struct sine_table sine = sine_make();
    const int rotation[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    const int start[4] = {0, 1, 5, 0}, stride[4] = {1, 5, 3, 7}; /* of each round's words */
    unsigned a = state->x, b = state->y, c = state->z, d = state->w;

#pragma unroll
    for (int i = 0; i < STEPS; i++) {
        int round = i / CHUNK, left = rotation[round][i % 4];
        int k = (start[round] + stride[round] * i) % CHUNK;
        unsigned sum = a + mix(round, b, c, d) + work[first + k][threadIdx.x] + sine.of[i];

        a = d;
        d = c;
        c = b;
        b += sum << left | sum >> (32 - left);
    }
    state->x += a;
    state->y += b;
    state->z += c;
    state->w += d;
}

/* Word k of the message that is this window with its padding. */
static __device__ unsigned message_word(const unsigned *window, int k)
{
    return k < WINDOW ? window[k] : k == WINDOW ? 0x80 : k == WINDOW + 1 ? WINDOW * 32 : 0;
}

__global__ void sto_md5(const unsigned *data, uint4 *hash, int n_window)
{
    __shared__ workspace work;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    uint4 state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

    if (i >= n_window)
        return;
    for (int at = 0; at < MESSAGE; at += WORKSPACE) {
        for (int k = 0; k < WORKSPACE; k++)
            work[k][threadIdx.x] = message_word(data + i, at + k);
#pragma unroll 1
        for (int first = 0; first < WORKSPACE; first += CHUNK)
            md5_chunk(&state, work, first);
    }
    hash[i] = state;
}

static void hash_gpu(const unsigned *data, int n_word, unsigned *hash, int n_window)
{
    unsigned *d_data = (unsigned *)workload_upload(data, n_word * sizeof *data);
    size_t bytes = n_window * sizeof(uint4);
    uint4 *d_hash;

    CUDA(cudaMalloc((void **)&d_hash, bytes));
    sto_md5<<<(n_window + BLOCK - 1) / BLOCK, BLOCK>>>(d_data, d_hash, n_window);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(hash, d_hash, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_data));
    CUDA(cudaFree(d_hash));
}

/* ---- the reference: MD5 as RFC 1321 describes it, of little-endian words */

static void chunk_cpu(unsigned state[4], const unsigned *word, const unsigned *table)
{
    static const int left[] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    unsigned a = state[0], b = state[1], c = state[2], d = state[3];

    for (int i = 0; i < STEPS; i++) {
        unsigned f, old = d;
        int k, s = left[i / 16 * 4 + i % 4];

        if (i < 16)
            f = d ^ (b & (c ^ d)), k = i;
        else if (i < 32)
            f = c ^ (d & (b ^ c)), k = (5 * i + 1) % 16;
        else if (i < 48)
            f = b ^ c ^ d, k = (3 * i + 5) % 16;
        else
            f = c ^ (b | ~d), k = 7 * i % 16;
        f += a + table[i] + word[k];
        d = c, c = b, b += f << s | f >> (32 - s), a = old;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

static void hash_cpu(const unsigned *data, unsigned *hash, int n_window)
{
    unsigned table[STEPS];

    for (int i = 0; i < STEPS; i++)
        table[i] = (unsigned)(fabs(sin(i + 1.0)) * 4294967296.0);
    for (int i = 0; i < n_window; i++) {
        unsigned message[MESSAGE] = {0}, *state = hash + 4 * i;

        memcpy(message, data + i, WINDOW * sizeof *message);
        message[WINDOW] = 0x80;
        message[WINDOW + 1] = WINDOW * 32;
        state[0] = 0x67452301, state[1] = 0xefcdab89, state[2] = ~state[0], state[3] = ~state[1];
        for (int k = 0; k < MESSAGE; k += CHUNK)
            chunk_cpu(state, message + k, table);
    }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "windows", .usual = 49152, .large = 49152, .least = 1, .most = 1 << 24});
    int n_window = (int)w.size, n_word = n_window + WINDOW - 1;
    unsigned *data = (unsigned *)workload_alloc(n_word * sizeof *data);
    unsigned *got = (unsigned *)workload_alloc(n_window * sizeof(uint4));
    unsigned *want = (unsigned *)workload_alloc(n_window * sizeof(uint4));

    for (int i = 0; i < n_word; i++)
        data[i] = workload_u32(&w);
    hash_gpu(data, n_word, got, n_window);
    hash_cpu(data, want, n_window);
    workload_compare_u32(&w, "hash", got, want, (size_t)n_window * 4);

    free(data);
    free(got);
    free(want);
    return workload_end(&w);
}
