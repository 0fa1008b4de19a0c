/* Copies and fills between host and device, and variables of kernels. */
#include "tests/rt/rt_test.h"

static void fill_count(unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(i * 7 + 1);
}

static void copies_go_every_way(void **state)
{
    (void)state;
    unsigned char in[100], mid[100], out[100], *a = new_bytes(100), *b = new_bytes(100);

    fill_count(in, sizeof in);
    RT_OK(cudaMemcpy(a, in, 100, cudaMemcpyHostToDevice));
    RT_OK(cudaMemcpy(b, a, 100, cudaMemcpyDeviceToDevice));
    RT_OK(cudaMemcpy(mid, b, 100, cudaMemcpyDeviceToHost));
    RT_OK(cudaMemcpy(out, mid, 100, cudaMemcpyHostToHost));
    assert_memory_equal(in, out, 100);
}

static void default_looks_at_the_pointers(void **state)
{
    (void)state;
    unsigned char in[64], out[64] = {0}, *d = new_bytes(64), *pinned;

    RT_OK(cudaMallocHost((void **)&pinned, 64));
    fill_count(in, sizeof in);
    RT_OK(cudaMemcpy(d, in, 64, cudaMemcpyDefault));
    RT_OK(cudaMemcpy(pinned, d, 64, cudaMemcpyDefault));
    RT_OK(cudaMemcpyAsync(out, pinned, 64, cudaMemcpyDefault, NULL));
    assert_memory_equal(in, out, 64);
}

static void overlapping_copies_within_a_buffer(void **state)
{
    (void)state;
    unsigned char in[64], out[64], *d = new_bytes(64);

    fill_count(in, sizeof in);
    RT_OK(cudaMemcpy(d, in, 64, cudaMemcpyHostToDevice));
    RT_OK(cudaMemcpy(d + 8, d, 48, cudaMemcpyDeviceToDevice));
    RT_OK(cudaMemcpy(out, d, 64, cudaMemcpyDeviceToHost));
    assert_memory_equal(out + 8, in, 48);
}

static void a_range_must_not_leave_its_buffer(void **state)
{
    (void)state;
    unsigned char host[300] = {0}, *d = new_bytes(100);

    new_bytes(100); /* a neighbour does not make it longer */
    RT_ERR(cudaMemcpy(d, host, 101, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(host, d + 50, 51, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(d - 1, host, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(d, host, (size_t)-1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_OK(cudaMemcpy(d + 100, host, 0, cudaMemcpyHostToDevice));
    RT_ERR(cudaGetLastError(), cudaErrorInvalidValue);
}

static void pointers_of_the_wrong_side_are_told(void **state)
{
    (void)state;
    unsigned char host[16] = {0}, other[16], *d = new_bytes(16);

    RT_ERR(cudaMemcpy(other, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(d, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(host, d, 16, cudaMemcpyHostToHost), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(d, d, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(NULL, d, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(d, NULL, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(NULL, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
}

static void freed_pointers_are_told(void **state)
{
    (void)state;
    unsigned char host[16] = {0}, *d = new_bytes(16);

    RT_OK(cudaFree(d));
    RT_ERR(cudaMemcpy(d, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpy(host, d, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    RT_ERR(cudaMemset(d, 0, 16), cudaErrorInvalidValue);
}

static void a_direction_that_does_not_exist(void **state)
{
    (void)state;
    unsigned char host[16] = {0}, *d = new_bytes(16);

    RT_ERR(cudaMemcpy(d, host, 16, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
}

static void rows_are_copied_with_pitches(void **state)
{
    (void)state;
    unsigned char in[6][10], out[6][12], *d;
    size_t pitch;

    fill_count(&in[0][0], sizeof in);
    memset(out, 0xee, sizeof out);
    RT_OK(cudaMallocPitch((void **)&d, &pitch, 10, 6));
    RT_OK(cudaMemcpy2D(d, pitch, in, 10, 10, 6, cudaMemcpyHostToDevice));
    RT_OK(cudaMemcpy2DAsync(out, 12, d, pitch, 10, 6, cudaMemcpyDeviceToHost, NULL));
    for (int y = 0; y < 6; y++) {
        assert_memory_equal(out[y], in[y], 10);
        assert_int_equal(out[y][10], 0xee);
    }
}

static void a_pitch_below_the_width_is_refused(void **state)
{
    (void)state;
    unsigned char in[64] = {0}, *d = new_bytes(1024);

    RT_ERR(cudaMemcpy2D(d, 15, in, 16, 16, 4, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    RT_ERR(cudaMemcpy2D(d, 16, in, 15, 16, 4, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    RT_ERR(cudaMemcpy2D(d, 512, in, 16, 16, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_OK(cudaMemcpy2D(d, 336, in, 16, 16, 4, cudaMemcpyHostToDevice)); /* 3*336+16 = 1024 */
}

static void boxes_are_copied_with_positions(void **state)
{
    (void)state;
    unsigned char in[3][4][8], out[2][2][4];
    struct cudaPitchedPtr d;
    struct cudaMemcpy3DParms p = {0};

    fill_count(&in[0][0][0], sizeof in);
    RT_OK(cudaMalloc3D(&d, make_cudaExtent(8, 4, 3)));
    p.srcPtr = make_cudaPitchedPtr(in, 8, 8, 4);
    p.dstPtr = d;
    p.extent = make_cudaExtent(8, 4, 3);
    p.kind = cudaMemcpyHostToDevice;
    RT_OK(cudaMemcpy3D(&p));
    memset(&p, 0, sizeof p);
    p.srcPtr = d;
    p.srcPos = make_cudaPos(2, 1, 1);
    p.dstPtr = make_cudaPitchedPtr(out, 4, 4, 2);
    p.extent = make_cudaExtent(4, 2, 2);
    p.kind = cudaMemcpyDeviceToHost;
    RT_OK(cudaMemcpy3DAsync(&p, NULL));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            assert_memory_equal(out[z][y], &in[z + 1][y + 1][2], 4);
    p.dstPtr.ptr = NULL;
    RT_ERR(cudaMemcpy3D(&p), cudaErrorInvalidValue);
}

static void fills_set_bytes(void **state)
{
    (void)state;
    unsigned char out[64], *d = new_bytes(64);

    RT_OK(cudaMemset(d, 0x11, 64));
    RT_OK(cudaMemsetAsync(d + 3, 0x1ff, 5, NULL)); /* the low byte counts */
    RT_OK(cudaMemcpy(out, d, 64, cudaMemcpyDeviceToHost));
    assert_int_equal(out[2], 0x11);
    assert_int_equal(out[3], 0xff);
    assert_int_equal(out[7], 0xff);
    assert_int_equal(out[8], 0x11);
    RT_ERR(cudaMemset(d, 0, 65), cudaErrorInvalidValue);
    RT_ERR(cudaMemset(out, 0, 4), cudaErrorInvalidValue);
}

static void fills_keep_the_padding(void **state)
{
    (void)state;
    unsigned char out[4 * 16], *d = new_bytes(sizeof out);
    struct cudaPitchedPtr p = make_cudaPitchedPtr(d, 16, 8, 2);

    RT_OK(cudaMemset(d, 1, sizeof out));
    RT_OK(cudaMemset2D(d, 16, 2, 8, 2));
    RT_OK(cudaMemset3D(p, 3, make_cudaExtent(4, 1, 2)));
    RT_OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    assert_int_equal(out[0], 3);
    assert_int_equal(out[4], 2);
    assert_int_equal(out[8], 1);
    assert_int_equal(out[16], 2);
    assert_int_equal(out[32], 3);
    assert_int_equal(out[48], 1);
    RT_ERR(cudaMemset2D(d, 4, 0, 8, 2), cudaErrorInvalidValue);
}

static void peers_are_the_device_itself(void **state)
{
    (void)state;
    int *a = new_ints(4, 9), *b = new_ints(4, 0);

    RT_OK(cudaMemcpyPeer(b, 0, a, 0, 16));
    assert_int_equal(int_at(b, 3), 9);
    RT_ERR(cudaMemcpyPeer(b, 1, a, 0, 16), cudaErrorInvalidDevice);
}

/* --- variables --- */

static void constants_and_variables_reach_the_kernel(void **state)
{
    (void)state;
    int table[16], five = 0, *d = new_ints(16, 0);

    for (int i = 0; i < 16; i++)
        table[i] = 100 * i;
    RT_OK(cudaMemcpyToSymbol(var_table, table, sizeof table, 0, cudaMemcpyHostToDevice));
    LAUNCH(kernel_vars, 1, 16, ARGS(&d));
    assert_int_equal(int_at(d, 15), 1505); /* counter is 5 at first */
    RT_OK(cudaMemcpyFromSymbol(&five, var_counter, 4, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(five, 6);
}

static void parts_of_variables(void **state)
{
    (void)state;
    int three = 3, got[2] = {0}, *d = new_ints(1, 77);

    RT_OK(cudaMemcpyToSymbolAsync(var_table, &three, 4, 60, cudaMemcpyHostToDevice, NULL));
    RT_OK(cudaMemcpyToSymbol(var_table, d, 4, 56, cudaMemcpyDeviceToDevice));
    RT_OK(cudaMemcpyFromSymbolAsync(got, var_table, 8, 56, cudaMemcpyDeviceToHost, NULL));
    assert_int_equal(got[0], 77);
    assert_int_equal(got[1], 3);
    RT_ERR(cudaMemcpyToSymbol(var_table, got, 8, 60, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
    RT_ERR(cudaMemcpyToSymbol(var_table, got, 4, 65, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
    RT_ERR(cudaMemcpyToSymbol(var_table, got, 4, 0, cudaMemcpyDeviceToHost),
           cudaErrorInvalidMemcpyDirection);
}

static void symbols_have_address_and_size(void **state)
{
    (void)state;
    void *p = NULL;
    size_t size = 0;

    RT_OK(cudaGetSymbolAddress(&p, var_counter));
    RT_OK(cudaGetSymbolSize(&size, var_table));
    assert_int_equal(size, 64);
    assert_int_equal(int_at(p, 0), 5);
    RT_OK(cudaMemset(p, 0, 4)); /* usable as a pointer */
    assert_int_equal(int_at(p, 0), 0);
}

static void missing_symbols_are_invalid(void **state)
{
    (void)state;
    void *p;
    size_t size;
    int v = 0;

    RT_ERR(cudaMemcpyToSymbol(&v, &v, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
    RT_ERR(cudaMemcpyToSymbol(var_missing, &v, 4, 0, cudaMemcpyHostToDevice),
           cudaErrorInvalidSymbol);
    RT_ERR(cudaGetSymbolAddress(&p, NULL), cudaErrorInvalidSymbol);
    RT_ERR(cudaGetSymbolSize(&size, "count"), cudaErrorInvalidSymbol);
    RT_ERR(cudaGetSymbolSize(&size, (void *)8), cudaErrorInvalidSymbol); /* is not read as a name */
    RT_OK(cudaGetSymbolSize(&size, "counter"));
    assert_int_equal(size, 4);
}

static void a_reset_restores_initial_values(void **state)
{
    (void)state;
    int nine = 9, got = 0;

    RT_OK(cudaMemcpyToSymbol(var_counter, &nine, 4, 0, cudaMemcpyHostToDevice));
    RT_OK(cudaDeviceReset());
    RT_OK(cudaMemcpyFromSymbol(&got, var_counter, 4, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 5);
}

static const struct CMUnitTest tests[] = {
    RT_CASE(copies_go_every_way),
    RT_CASE(default_looks_at_the_pointers),
    RT_CASE(overlapping_copies_within_a_buffer),
    RT_CASE(a_range_must_not_leave_its_buffer),
    RT_CASE(pointers_of_the_wrong_side_are_told),
    RT_CASE(freed_pointers_are_told),
    RT_CASE(a_direction_that_does_not_exist),
    RT_CASE(rows_are_copied_with_pitches),
    RT_CASE(a_pitch_below_the_width_is_refused),
    RT_CASE(boxes_are_copied_with_positions),
    RT_CASE(fills_set_bytes),
    RT_CASE(fills_keep_the_padding),
    RT_CASE(peers_are_the_device_itself),
    RT_CASE(constants_and_variables_reach_the_kernel),
    RT_CASE(parts_of_variables),
    RT_CASE(symbols_have_address_and_size),
    RT_CASE(missing_symbols_are_invalid),
    RT_CASE(a_reset_restores_initial_values),
};

TEST_MAIN(tests)
