/* args_value.c -- numbers, buffers and kernel arguments as users write them (see run.h). */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/run.h"

/* --- elements --- */

const struct elem_info elem_info[N_ELEM] = {
    [EL_U8] = {"u8", 1, false, false},   [EL_S8] = {"s8", 1, false, true},
    [EL_U16] = {"u16", 2, false, false}, [EL_S16] = {"s16", 2, false, true},
    [EL_U32] = {"u32", 4, false, false}, [EL_S32] = {"s32", 4, false, true},
    [EL_U64] = {"u64", 8, false, false}, [EL_S64] = {"s64", 8, false, true},
    [EL_F32] = {"f32", 4, true, true},   [EL_F64] = {"f64", 8, true, true},
};

bool elem_find(const char *name, enum elem *t, struct err *e)
{
    for (u32 i = 0; i < N_ELEM; i++) {
        const struct elem_info *info = &elem_info[i];
        bool alias = info->is_signed && !info->is_float && name[0] == 'i';
        if (strcmp(name, info->name) && !(alias && strcmp(name + 1, info->name + 1) == 0))
            continue;
        *t = (enum elem)i;
        return true;
    }
    return err_set(e, "unknown type '%s'; there are u8 s8 u16 s16 u32 s32 u64 s64 f32 f64", name);
}

/* Little-endian, as the device has it. */
static void put_int_elem(enum elem t, u64 v, u8 *out)
{
    for (u32 i = 0; i < elem_info[t].bytes; i++)
        out[i] = (u8)(v >> 8 * i);
}

static void put_real_elem(enum elem t, double v, u8 *out)
{
    float f = (float)v;
    if (t == EL_F32)
        memcpy(out, &f, sizeof(f));
    else
        memcpy(out, &v, sizeof(v));
}

static bool parse_real_elem(enum elem t, const char *text, u8 *out, struct err *e)
{
    double v;
    if (!text_parse_real(text, &v))
        return err_set(e, "'%s' is not a number", text);
    if (t == EL_F32 && !isfinite((float)v))
        return err_set(e, "%s is too large for f32", text);
    put_real_elem(t, v, out);
    return true;
}

static bool parse_int(enum elem t, const char *text, u8 *out, struct err *e)
{
    const struct elem_info *info = &elem_info[t];
    bool minus = text[0] == '-';
    u64 v;
    if (!text_parse_u64(text + minus, &v))
        return err_set(e, "'%s' is not a whole number", text);
    u64 top = ~0ull >> (64 - 8 * info->bytes);
    u64 most = !info->is_signed ? (minus ? 0 : top) : minus ? top / 2 + 1 : top / 2;
    if (v > most)
        return err_set(e, "%s does not fit %s", text, info->name);
    put_int_elem(t, minus ? 0 - v : v, out);
    return true;
}

bool elem_parse(enum elem t, const char *text, u8 out[8], struct err *e)
{
    return elem_info[t].is_float ? parse_real_elem(t, text, out, e) : parse_int(t, text, out, e);
}

static u64 get_int(enum elem t, const u8 *at)
{
    u64 v = 0;
    for (u32 i = 0; i < elem_info[t].bytes; i++)
        v |= (u64)at[i] << 8 * i;
    return v;
}

double elem_get(enum elem t, const u8 *at)
{
    float f;
    double d;
    switch (t) {
    case EL_F32:
        memcpy(&f, at, sizeof(f));
        return (double)f;
    case EL_F64:
        memcpy(&d, at, sizeof(d));
        return d;
    default:
        break;
    }
    u64 v = get_int(t, at);
    if (!elem_info[t].is_signed)
        return (double)v;
    u32 unused = 64 - 8 * elem_info[t].bytes;
    return (double)((s64)(v << unused) >> unused);
}

/* --- filling buffers --- */

bool fill_parse(struct fill *f, const char *text, struct err *e)
{
    u64 seed;
    *f = (struct fill){.kind = FILL_ZERO};
    if (strcmp(text, "zero") == 0 || strcmp(text, "zeros") == 0)
        return true;
    if (strcmp(text, "iota") == 0) {
        f->kind = FILL_IOTA;
    } else if (strncmp(text, "rand:", 5) == 0) {
        if (!text_parse_u64(text + 5, &seed))
            return err_set(e, "rand:SEED takes a whole number, not '%s'", text + 5);
        f->kind = FILL_RAND;
        f->seed = (u32)seed;
    } else if (strncmp(text, "file:", 5) == 0 && text[5]) {
        f->kind = FILL_FILE;
        f->path = text_dup(text + 5);
    } else {
        return err_set(e, "'%s' fills no buffer; there are zero, iota, rand:SEED, file:PATH", text);
    }
    return true;
}

static u32 lcg_step(u32 *x)
{
    return *x = *x * 1664525u + 1013904223u;
}

/* The steps are exact but for the product and the sum, which round as float. */
static float lcg_real(u32 *x, float lo, float hi)
{
    float unit = (float)(lcg_step(x) >> 8) / 16777216.0f;
    float scaled = (hi - lo) * unit;
    return lo + scaled;
}

/* Towards zero; what no 64-bit integer can hold becomes the nearest that can. */
static s64 truncate(float v)
{
    if (v >= 0x1p63f)
        return INT64_MAX;
    return v < -0x1p63f ? INT64_MIN : (s64)v;
}

static void put_lcg(enum elem t, u32 *x, const struct fill *f, u8 *out)
{
    float v = lcg_real(x, f->lo, f->hi);
    if (elem_info[t].is_float)
        put_real_elem(t, (double)v, out);
    else
        put_int_elem(t, (u64)truncate(v), out);
}

static void put_rand(enum elem t, u32 *x, u8 *out)
{
    const struct elem_info *info = &elem_info[t];
    u64 v = lcg_step(x);
    if (info->is_float)
        put_real_elem(t, (double)(v >> 8) / 16777216.0, out);
    else if (info->bytes == 8)
        put_int_elem(t, v << 32 | lcg_step(x), out);
    else
        put_int_elem(t, v >> (32 - 8 * info->bytes), out);
}

static void fill_elements(const struct buffer *b, u8 *data)
{
    const struct elem_info *info = &elem_info[b->type];
    u32 x = b->fill.seed;
    for (u64 i = 0; i < b->n; i++, data += info->bytes) {
        if (b->fill.kind == FILL_CONST)
            memcpy(data, b->fill.value, info->bytes);
        else if (b->fill.kind == FILL_LCG)
            put_lcg(b->type, &x, &b->fill, data);
        else if (b->fill.kind == FILL_RAND)
            put_rand(b->type, &x, data);
        else if (b->fill.kind == FILL_IOTA && info->is_float)
            put_real_elem(b->type, (double)i, data);
        else if (b->fill.kind == FILL_IOTA)
            put_int_elem(b->type, i, data);
    }
}

static u64 buffer_bytes(const struct buffer *b)
{
    return b->n * elem_info[b->type].bytes;
}

static u8 *read_data(const struct buffer *b, struct err *e)
{
    size_t len;
    char *text = text_read_file(b->fill.path, &len, e);
    if (!text || len == buffer_bytes(b))
        return (u8 *)text;
    free(text);
    err_set(e, "%s has %zu bytes, %s[%" PRIu64 "] needs %" PRIu64, b->fill.path, len,
            elem_info[b->type].name, b->n, buffer_bytes(b));
    return NULL;
}

bool buffer_count(struct buffer *b, const char *text, struct err *e)
{
    if (!text_parse_u64(text, &b->n))
        return err_set(e, "'%s' is not a number of elements", text);
    if (b->n == 0 || b->n > 1ull << 40)
        return err_set(e, "a buffer cannot have %" PRIu64 " elements", b->n);
    return true;
}

/* The room is asked for first: what the device cannot hold, the host need not. */
bool buffer_upload(struct buffer *b, struct device *d, struct err *e)
{
    u64 bytes = buffer_bytes(b);
    b->addr = device_alloc(d, bytes, e);
    if (!b->addr) {
        e->status = ERR_USER; /* who asked for it is no program */
        return false;
    }
    u8 *data = b->fill.kind == FILL_FILE ? read_data(b, e) : xcalloc(bytes, 1);
    if (!data)
        return false;
    if (b->fill.kind != FILL_FILE)
        fill_elements(b, data);
    bool ok = device_write(d, b->addr, data, bytes, e);
    free(data);
    return ok;
}

u8 *buffer_download(const struct buffer *b, struct device *d, struct err *e)
{
    u8 *data = xmalloc(buffer_bytes(b));
    if (device_read(d, b->addr, data, buffer_bytes(b), e))
        return data;
    free(data);
    return NULL;
}

static bool write_bytes(const char *path, const u8 *data, size_t n, struct err *e)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return err_set(e, "%s: %s", path, strerror(errno));
    bool ok = fwrite(data, 1, n, f) == n;
    ok = fclose(f) == 0 && ok;
    return ok || err_set(e, "%s: %s", path, strerror(errno));
}

bool buffer_dump(const struct buffer *b, struct device *d, const char *path, struct err *e)
{
    u8 *data = buffer_download(b, d, e);
    bool ok = data && write_bytes(path, data, buffer_bytes(b), e);
    free(data);
    return ok;
}

/* --- arguments --- */

/* TYPE[N]=FILL, as after "buf:". */
static bool parse_buffer(struct buffer *b, char *text, struct err *e)
{
    char *open = strchr(text, '['), *shut = open ? strchr(open, ']') : NULL;
    if (!shut || shut[1] != '=')
        return err_set(e, "a buffer is TYPE[N]=zero|iota|rand:SEED|file:PATH");
    *open = *shut = 0;
    return elem_find(text, &b->type, e) && buffer_count(b, open + 1, e) &&
           fill_parse(&b->fill, shut + 2, e);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool value_parse_bytes(struct value *v, const char *hex, struct err *e)
{
    size_t n = strlen(hex);
    v->kind = VALUE_BYTES;
    v->n_bytes = (u32)(n / 2);
    v->bytes = xmalloc(n / 2);
    for (size_t i = 0; i < n / 2; i++) {
        int hi = hex_digit(hex[2 * i]), lo = hex_digit(hex[2 * i + 1]);
        if (hi < 0 || lo < 0)
            return err_set(e, "'%.2s' is no byte in hexadecimal", hex + 2 * i);
        v->bytes[i] = (u8)(hi << 4 | lo);
    }
    if (n == 0 || n % 2)
        return err_set(e, "bytes are pairs of hexadecimal digits");
    return true;
}

static bool parse_kind(struct value *v, char *kind, char *rest, struct err *e)
{
    if (strcmp(kind, "bytes") == 0)
        return value_parse_bytes(v, rest, e);
    v->kind = VALUE_BUFFER;
    if (strcmp(kind, "buf") == 0)
        return parse_buffer(&v->buffer, rest, e);
    v->kind = VALUE_SCALAR;
    return elem_find(kind, &v->type, e) && elem_parse(v->type, rest, v->scalar, e);
}

bool value_parse(struct value *v, const char *text, struct err *e)
{
    *v = (struct value){.text = text};
    char *copy = text_dup(text), *colon = strchr(copy, ':');
    bool ok;
    if (colon) {
        *colon = 0;
        ok = parse_kind(v, copy, colon + 1, e);
    } else {
        ok = err_set(e, "an argument is TYPE:VALUE, buf:TYPE[N]=FILL or bytes:HEX");
    }
    free(copy);
    if (!ok)
        value_free(v);
    return ok || err_at(e, "%s", text);
}

void value_free(struct value *v)
{
    free(v->bytes);
    free(v->buffer.fill.path);
    v->bytes = NULL;
    v->buffer.fill.path = NULL;
}

/* --- arguments against parameters --- */

bool value_check_count(const struct func *f, u32 n, struct err *e)
{
    if (n == f->n_param)
        return true;
    return err_set(e, "kernel %s takes %u parameter%s, %u %s given", f->name, f->n_param,
                   f->n_param == 1 ? "" : "s", n, n == 1 ? "was" : "were");
}

static bool unfit(const struct value *v, const struct func *f, u32 i, struct err *e,
                  const char *why)
{
    const struct param *p = &f->param[i];
    char what[64];
    if (p->is_array)
        snprintf(what, sizeof(what), "%u bytes", p->size);
    else
        snprintf(what, sizeof(what), "%s", ptx_type_name(p->type));
    return err_set(e, "%s: parameter %u of %s (%s) is %s; %s", v->text, i, f->name, p->name, what,
                   why);
}

static bool is_float_type(enum ptx_type t)
{
    return t == PT_F32 || t == PT_F64 || t == PT_F16;
}

static bool is_int_type(enum ptx_type t)
{
    return t == PT_U8 || t == PT_S8 || t == PT_U16 || t == PT_S16 || t == PT_U32 || t == PT_S32 ||
           t == PT_U64 || t == PT_S64;
}

static bool check_scalar(const struct value *v, const struct func *f, u32 i, struct err *e)
{
    const struct param *p = &f->param[i];
    const struct elem_info *info = &elem_info[v->type];
    if (p->is_array)
        return unfit(v, f, i, e, "bytes:HEX gives it a value");
    if (info->bytes != p->size)
        return unfit(v, f, i, e, info->bytes < p->size ? "that is too short" : "that is too long");
    if (!v->loose && info->is_float && is_int_type(p->type))
        return unfit(v, f, i, e, "it takes a whole number");
    if (!v->loose && !info->is_float && is_float_type(p->type))
        return unfit(v, f, i, e, "it takes a float");
    return true;
}

bool value_check(const struct value *v, const struct func *f, u32 i, u32 pointer, struct err *e)
{
    const struct param *p = &f->param[i];
    if (v->kind == VALUE_SCALAR)
        return check_scalar(v, f, i, e);
    if (v->kind == VALUE_BYTES)
        return v->n_bytes == p->size || unfit(v, f, i, e, "the bytes must be as many");
    if (p->is_array || p->size != pointer || is_float_type(p->type))
        return unfit(v, f, i, e,
                     pointer == 8 ? "a buffer needs a 64-bit one" : "a buffer needs a 32-bit one");
    return true;
}

void value_store(const struct value *v, const struct func *f, u32 i, u8 *param)
{
    const struct param *p = &f->param[i];
    if (v->kind == VALUE_BUFFER)
        put_int_elem(p->size == 8 ? EL_U64 : EL_U32, v->buffer.addr, param + p->off);
    else
        memcpy(param + p->off, v->kind == VALUE_BYTES ? v->bytes : v->scalar, p->size);
}
