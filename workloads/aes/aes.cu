/*
 * aes -- AES-128 encryption, electronic codebook
 *
 * suite: ISPASS
 * stresses: shared memory with bank conflicts, constant memory, integer logic, barriers
 * papers: buddy, amoeba
 * kernels: aes_encrypt
 * size: 131584 blocks of 16 bytes
 * large: 1052672 blocks of 16 bytes
 * odd: 1003
 * tiny: 259
 * time: 4.4 s
 *
 * FIPS-197.  A thread has one column (4 bytes) of a block's state; a round is four table look-ups,
 * each with a byte of another column, so the columns are exchanged through shared memory.  The
 * tables hold substitution and column mixing at once (Daemen and Rijmen's T-tables); a block of
 * threads first copies them from constant memory to shared memory, where the lanes' scattered
 * look-ups conflict on banks instead of going one by one.
 *
 * Blocks of 256 threads, so of 64 of the cipher's.  Table II of the Buddy SM paper has a grid of
 * 257 of them: --size 16448.  That is a fraction of a second, so the default is eight times that.
 *
 * The reference works byte by byte as the standard says, and is checked against its example (C.1).
 */
#include "workload.h"

enum {
    ROUNDS = 10,
    KEY_WORDS = 4 * (ROUNDS + 1),
    BLOCK = 256, /* threads, so 64 blocks of the cipher */
};

typedef unsigned char byte;

/* Words hold a column, the first byte in the lowest bits. */
static __constant__ unsigned constant_table[256];
static __constant__ unsigned constant_key[KEY_WORDS];

static __device__ unsigned rotate(unsigned v, int bits)
{
    return v << bits | v >> (32 - bits);
}

/* The byte that ShiftRows brings into this row of thread t's column, from `row` columns further. */
static __device__ unsigned row_byte(const unsigned *state, int t, int row)
{
    int column = (t & ~3) | ((t + row) & 3); /* of the four that make up a block */

    return state[column] >> (8 * row) & 0xff;
}

__global__ void aes_encrypt(const unsigned *in, unsigned *out, int n_word)
{
    __shared__ unsigned table[4][256];   /* of a byte in row 0 to 3 */
    __shared__ unsigned state[2][BLOCK]; /* taken in turn, so that a barrier per round is enough */
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    unsigned column = (i < n_word ? in[i] : 0) ^ constant_key[t & 3];

    for (int r = 0; r < 4; r++)
        table[r][t] = r ? rotate(constant_table[t], 8 * r) : constant_table[t];
    for (int round = 1; round < ROUNDS; round++) {
        unsigned *s = state[round & 1];

        s[t] = column;
        __syncthreads();
        column = constant_key[4 * round + (t & 3)];
        for (int r = 0; r < 4; r++)
            column ^= table[r][row_byte(s, t, r)];
    }
    /* The last round does not mix: the bare substitution is the second byte of table 0. */
    unsigned *s = state[ROUNDS & 1];

    s[t] = column;
    __syncthreads();
    column = constant_key[4 * ROUNDS + (t & 3)];
    for (int r = 0; r < 4; r++)
        column ^= (table[0][row_byte(s, t, r)] >> 8 & 0xff) << (8 * r);
    if (i < n_word)
        out[i] = column;
}

/* Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (the standard, section 4.2). */
static byte product(byte a, byte b)
{
    byte p = 0;

    for (; b; b >>= 1) {
        if (b & 1)
            p ^= a;
        a = (byte)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
    }
    return p;
}

/* The S-box: the inverse, then an affine map of its bits (section 5.1.1). */
static void sbox_make(byte sbox[256])
{
    for (int x = 0; x < 256; x++) {
        int inverse = 0;

        while (x && product((byte)x, (byte)inverse) != 1)
            inverse++;
        sbox[x] = 0x63;
        for (int i = 0; i < 5; i++)
            sbox[x] ^= (byte)(inverse << i | inverse >> (8 - i));
    }
}

/* The key schedule (section 5.2), in bytes. */
static void key_expand(const byte sbox[256], const byte key[16], byte expanded[KEY_WORDS * 4])
{
    byte constant = 1;

    memcpy(expanded, key, 16);
    for (int i = 16; i < KEY_WORDS * 4; i += 4) {
        const byte *last = expanded + i - 4;
        byte word[4] = {last[0], last[1], last[2], last[3]};

        if (i % 16 == 0) {
            for (int b = 0; b < 4; b++)
                word[b] = sbox[last[(b + 1) % 4]];
            word[0] ^= constant;
            constant = product(constant, 2);
        }
        for (int b = 0; b < 4; b++)
            expanded[i + b] = expanded[i + b - 16] ^ word[b];
    }
}

static void mix_column(byte c[4])
{
    byte all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];

    for (int r = 0; r < 4; r++) {
        byte pair = c[r] ^ (r < 3 ? c[r + 1] : first);

        c[r] ^= all ^ (byte)(pair << 1 ^ (pair & 0x80 ? 0x1b : 0));
    }
}

/* The reference: one block, step by step (section 5.1). */
static void encrypt_cpu(const byte sbox[256], const byte expanded[KEY_WORDS * 4], const byte in[16],
                        byte out[16])
{
    byte state[16];

    for (int i = 0; i < 16; i++)
        out[i] = in[i] ^ expanded[i];
    for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < 16; i++) /* SubBytes and ShiftRows; row i % 4 */
            state[i] = sbox[out[(i + 4 * (i % 4)) % 16]];
        for (int c = 0; c < 4 && round < ROUNDS; c++)
            mix_column(state + 4 * c);
        for (int i = 0; i < 16; i++)
            out[i] = state[i] ^ expanded[16 * round + i];
    }
}

static void encrypt_gpu(const byte sbox[256], const byte expanded[KEY_WORDS * 4], const byte *in,
                        byte *out, int n_word)
{
    unsigned table[256], *d_out;
    unsigned *d_in = (unsigned *)workload_upload(in, (size_t)n_word * 4);

    for (int x = 0; x < 256; x++) /* what a byte of row 0 adds to its column: 2, 1, 1, 3 times */
        table[x] = product(sbox[x], 2) | sbox[x] << 8 | sbox[x] << 16 |
                   (unsigned)product(sbox[x], 3) << 24;
    CUDA(cudaMemcpyToSymbol(constant_table, table, sizeof table));
    CUDA(cudaMemcpyToSymbol(constant_key, expanded, KEY_WORDS * 4));
    CUDA(cudaMalloc((void **)&d_out, (size_t)n_word * 4));
    aes_encrypt<<<(n_word + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, n_word);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(out, d_out, (size_t)n_word * 4, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
}

/* Appendix C.1 of the standard. */
static void check_example(struct workload *w, const byte sbox[256])
{
    static const byte cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                    0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    byte key[16], plain[16], got[16], expanded[KEY_WORDS * 4];

    for (int i = 0; i < 16; i++) {
        key[i] = (byte)i;
        plain[i] = (byte)(i << 4 | i);
    }
    key_expand(sbox, key, expanded);
    encrypt_cpu(sbox, expanded, plain, got);
    workload_compare_u8(w, "the standard's example", got, cipher, 16);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "blocks of 16 bytes",
                                                              .usual = 131584,
                                                              .large = 1052672,
                                                              .least = 1,
                                                              .most = 1 << 22});
    size_t bytes = (size_t)w.size * 16;
    byte *plain = (byte *)workload_alloc(bytes), *got = (byte *)workload_alloc(bytes);
    byte *want = (byte *)workload_alloc(bytes);
    byte sbox[256], key[16], expanded[KEY_WORDS * 4];

    sbox_make(sbox);
    check_example(&w, sbox);
    for (int i = 0; i < 16; i++)
        key[i] = (byte)workload_u32(&w);
    for (size_t i = 0; i < bytes; i++)
        plain[i] = (byte)workload_u32(&w);
    key_expand(sbox, key, expanded);
    encrypt_gpu(sbox, expanded, plain, got, (int)w.size * 4);
    for (size_t i = 0; i < bytes; i += 16)
        encrypt_cpu(sbox, expanded, plain + i, want + i);
    workload_compare_u8(&w, "cipher", got, want, bytes);

    free(plain);
    free(got);
    free(want);
    return workload_end(&w);
}
