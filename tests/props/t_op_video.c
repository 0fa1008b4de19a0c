/*
 * t_op_video.c -- video instructions by the steps of the PTX ISA, read off the text of each form
 *
 * forms_video.inc has some of each; below, types, selectors, saturation and second operations are
 * drawn at random.
 */
#include "tests/props/op_test.h"

enum { DRAWN = 24, LONGEST = 96 };

static bool has(const struct op_mod *m, const char *word)
{
    const char *at = strstr(m->form->form, word);

    return at && (at[strlen(word)] == '.' || !at[strlen(word)]);
}

/* The selector behind an operand of the text, "" if it has none. */
static const char *selector(const struct op_mod *m, char opnd)
{
    const char *text = strchr(m->form->text, ' ');

    for (; *text; text++)
        if (text[0] == '$' && text[1] == opnd)
            return text[2] == '.' ? text + 3 : "";
    return "";
}

static bool negated(const struct op_mod *m, char opnd)
{
    char what[] = {'-', '$', opnd, 0};

    return strstr(m->form->text, what);
}

/* Signs of the k-th type; vset begins with that of a. */
static bool is_signed(const struct op_mod *m, u32 k)
{
    const char *t = m->form->form;

    if (!strncmp(t, "vset", 4) && k-- == 0)
        return false;
    for (u32 i = 0; i <= k; i++)
        t = strchr(t, '.') + 1;
    return *t == 's';
}

static s64 extended(u64 v, u32 at, u32 bits, bool sign)
{
    u64 field = v >> at & op_mask(bits);

    return sign && field >> (bits - 1) & 1 ? (s64)field - (1ll << bits) : (s64)field;
}

static void field_of(const char *sel, u32 *at, u32 *bits)
{
    *bits = sel[0] == 'b' ? 8 : sel[0] == 'h' ? 16 : 32;
    *at = *bits == 32 ? 0 : *bits * (u32)(sel[1] - '0');
}

static s64 operand(const struct op_mod *m, char opnd, u64 v, u32 type)
{
    u32 at, bits;

    field_of(selector(m, opnd), &at, &bits);
    return extended(v, at, bits, is_signed(m, type));
}

static s64 clamped(s64 v, u32 bits, bool sign)
{
    s64 max = sign ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1, min = sign ? -max - 1 : 0;

    return v < min ? min : v > max ? max : v;
}

/* 2^62 stands for more than that: its low 32 bits are 0 too, and it is beyond what a result can be. */
static s64 shifted(const struct op_mod *m, s64 a, s64 n)
{
    const s64 much = 1ll << 62;

    n = has(m, ".wrap") ? n & 31 : n > 32 ? 32 : n;
    for (; n > 0; n--)
        a = m->form->form[3] != 'l' ? a >= 0 ? a / 2 : -((1 - a) / 2) : a >= much ? much : a * 2;
    return a;
}

static s64 computed(const struct op_mod *m, s64 a, s64 b)
{
    const char *name = m->form->form;

    if (!strncmp(name, "vadd", 4))
        return a + b;
    if (!strncmp(name, "vsub", 4))
        return a - b;
    if (!strncmp(name, "vabsdiff", 8))
        return llabs(a - b);
    if (!strncmp(name, "vmin", 4))
        return a < b ? a : b;
    if (!strncmp(name, "vmax", 4))
        return a > b ? a : b;
    if (!strncmp(name, "vavrg", 5))
        return a + b >= 0 ? (a + b + 1) / 2 : -((1 - (a + b)) / 2);
    if (!strncmp(name, "vsh", 3))
        return shifted(m, a, b);
    return m->cmp[0] == 'e'   ? a == b
           : m->cmp[0] == 'n' ? a != b
           : m->cmp[0] == 'l' ? m->cmp[1] == 't' ? a < b : a <= b
           : m->cmp[1] == 't' ? a > b
                              : a >= b;
}

static u64 ref_video(const struct op_mod *m, const u64 *v)
{
    s64 c = extended(v[2], 0, 32, is_signed(m, 0));
    s64 r = computed(m, operand(m, 'a', v[0], 1), operand(m, 'b', v[1], 2));
    u32 at, bits;

    field_of(selector(m, 'd'), &at, &bits);
    if (has(m, ".sat"))
        r = clamped(r, bits, is_signed(m, 0));
    if (has(m, ".add"))
        return (u64)(r + c);
    if (has(m, ".min"))
        return (u64)(r < c ? r : c);
    if (has(m, ".max"))
        return (u64)(r > c ? r : c);
    return ((u64)r & op_mask(bits)) << at | (v[2] & ~(op_mask(bits) << at));
}

static u64 ref_vmad(const struct op_mod *m, const u64 *v)
{
    bool minus = negated(m, 'a') != negated(m, 'b');
    bool sign = is_signed(m, 1) || is_signed(m, 2) || minus || negated(m, 'c');
    __int128 c = extended(v[2], 0, 32, sign);
    __int128 r = (__int128)operand(m, 'a', v[0], 1) * operand(m, 'b', v[1], 2);
    __int128 max = sign ? 0x7fffffff : 0xffffffff, min = sign ? -max - 1 : 0;

    r = (minus ? -r : r) + (negated(m, 'c') ? -c : c) + has(m, ".po");
    for (u32 n = has(m, ".shr7") ? 7 : has(m, ".shr15") ? 15 : 0; n > 0; n--)
        r = r >= 0 ? r / 2 : -((1 - r) / 2);
    if (has(m, ".sat"))
        r = r < min ? min : r > max ? max : r;
    return (u64)r;
}

/* Part i of an operand: of those of a and b, the one that the i-th digit from the right names. */
static s64 part(const struct op_mod *m, char opnd, u32 n, u32 i, const u64 *v)
{
    const char *sel = selector(m, opnd);
    u32 which = *sel ? (u32)(sel[n - i] - '0') : i + (opnd == 'b' ? n : 0), bits = 32 / n;

    return extended(v[which / n], which % n * bits, bits, is_signed(m, opnd == 'a' ? 1 : 2));
}

static u64 ref_simd(const struct op_mod *m, const u64 *v)
{
    u32 n = strchr(m->form->form, '.')[-1] == '2' ? 2 : 4, bits = 32 / n;
    const char *mask = selector(m, 'd');
    size_t len = strcspn(mask, ", ");
    u64 sum = v[2], merged = v[2];

    for (u32 i = 0; i < n; i++) {
        s64 r = computed(m, part(m, 'a', n, i, v), part(m, 'b', n, i, v));

        if (has(m, ".sat"))
            r = clamped(r, bits, is_signed(m, 0));
        if (*mask && !memchr(mask, (char)('0' + i), len))
            continue;
        sum += (u64)r;
        merged = (merged & ~(op_mask(bits) << i * bits)) | ((u64)r & op_mask(bits)) << i * bits;
    }
    return has(m, ".add") ? sum : merged;
}

static const struct op_row forms[] = {
#define TEXT(form, sig, ref, text) {form, sig, ref, text, OP_NO_IMM, NULL},
#include "tests/props/forms_video.inc"
#undef TEXT
};

/* ---- drawn ones */

struct drawn {
    char form[LONGEST], text[2 * LONGEST];
};

static const char *one_of(u64 *seed, const char *const *list, u32 n)
{
    return list[op_random(seed) % n];
}

static const char *type(u64 *seed)
{
    return op_random(seed) & 1 ? ".s32" : ".u32";
}

static const char *field(u64 *seed)
{
    static const char *const list[] = {"", "", "", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};

    return one_of(seed, list, LEN(list));
}

static const char *comparison(u64 *seed)
{
    static const char *const list[] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge"};

    return one_of(seed, list, LEN(list));
}

static void draw_scalar(struct drawn *r, const char *name, u64 *seed)
{
    static const char *const second[] = {".add", ".min", ".max"};
    bool set = !strcmp(name, "vset"), shift = !strncmp(name, "vsh", 3);
    u32 kind = (u32)(op_random(seed) % 3); /* alone, a second operation, into a part */
    const char *d = set ? "" : type(seed), *a = type(seed), *b = shift ? ".u32" : type(seed);
    const char *more = set     ? comparison(seed)
                       : shift ? op_random(seed) & 1 ? ".clamp" : ".wrap"
                               : "";
    const char *sat = !set && op_random(seed) & 1 ? ".sat" : "", *to = field(seed);

    snprintf(r->form, LONGEST, "%s%s%s%s%s%s%s", name, d, a, b, sat, more,
             kind == 1 ? one_of(seed, second, 3) : "");
    snprintf(r->text, sizeof r->text, "%s $d%s, $a%s, $b%s%s", r->form, kind == 2 ? to : "",
             field(seed), field(seed), kind == 1 || (kind == 2 && *to) ? ", $c" : "");
}

static void draw_mad(struct drawn *r, u64 *seed)
{
    static const char *const scale[] = {"", ".shr7", ".shr15"}, *const mode[] = {"a", "b", "c", "p",
                                                                                 ""};
    char how = *one_of(seed, mode, LEN(mode));

    snprintf(r->form, LONGEST, "vmad%s%s%s%s%s%s", type(seed), type(seed), type(seed),
             how == 'p' ? ".po" : "", op_random(seed) & 1 ? ".sat" : "", one_of(seed, scale, 3));
    snprintf(r->text, sizeof r->text, "%s $d, %s$a%s, %s$b%s, %s$c", r->form, how == 'a' ? "-" : "",
             field(seed), how == 'b' ? "-" : "", field(seed), how == 'c' ? "-" : "");
}

static void draw_parts(char *to, u32 n, u64 *seed)
{
    if (op_random(seed) & 1) {
        *to = 0;
        return;
    }
    *to++ = '.', *to++ = n == 2 ? 'h' : 'b';
    for (u32 i = 0; i < n; i++)
        *to++ = (char)('0' + op_random(seed) % (2 * n));
    *to = 0;
}

static void draw_mask(char *to, u32 n, u64 *seed)
{
    u32 set = (u32)(op_random(seed) % (1u << n));

    if (set)
        *to++ = '.', *to++ = n == 2 ? 'h' : 'b';
    for (u32 i = n; i-- > 0;)
        if (set >> i & 1)
            *to++ = (char)('0' + i);
    *to = 0;
}

static void draw_simd(struct drawn *r, const char *name, u64 *seed)
{
    bool set = !strncmp(name, "vset", 4);
    u32 n = name[strlen(name) - 1] == '2' ? 2 : 4, kind = (u32)(op_random(seed) % 3);
    char d[8], a[8], b[8];

    draw_mask(d, n, seed), draw_parts(a, n, seed), draw_parts(b, n, seed);
    snprintf(r->form, LONGEST, "%s%s%s%s%s%s", name, set ? "" : type(seed), type(seed), type(seed),
             set ? comparison(seed) : "",
             kind == 0           ? ".add"
             : kind == 1 && !set ? ".sat"
                                 : "");
    snprintf(r->text, sizeof r->text, "%s $d%s, $a%s, $b%s, $c", r->form, d, a, b);
}

static void check_drawn(const char *const *name, u32 n)
{
    struct drawn *d = calloc((size_t)n * DRAWN, sizeof *d);
    struct op_row *row = calloc((size_t)n * DRAWN, sizeof *row);
    u64 seed = 2024;

    assert_true(d && row);
    for (u32 i = 0; i < n * DRAWN; i++) {
        const char *what = name[i / DRAWN];
        bool simd = strpbrk(what, "24"), mad = !strcmp(what, "vmad");

        if (mad)
            draw_mad(&d[i], &seed);
        else if (simd)
            draw_simd(&d[i], what, &seed);
        else
            draw_scalar(&d[i], what, &seed);
        row[i] = (struct op_row){d[i].form,
                                 strncmp(what, "vsh", 3) ? "wwww" : "wwnw",
                                 mad    ? ref_vmad
                                 : simd ? ref_simd
                                        : ref_video,
                                 d[i].text,
                                 OP_NO_IMM,
                                 NULL};
    }
    op_check(row, n * DRAWN, NULL);
    free(d);
    free(row);
}

#define DRAW(test, ...)                                                                            \
    static void test(void **state)                                                                 \
    {                                                                                              \
        static const char *const name[] = {__VA_ARGS__};                                           \
        (void)state;                                                                               \
        check_drawn(name, LEN(name));                                                              \
    }

DRAW(scalar_video_with_all_selectors, "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset")
DRAW(video_shifts_and_mad, "vshl", "vshr", "vmad")
DRAW(video_of_halves, "vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2")
DRAW(video_of_bytes, "vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4", "vset4")

static void video_forms_of_the_census(void **state)
{
    (void)state;
    op_check(forms, LEN(forms), NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(video_forms_of_the_census),
    cmocka_unit_test(scalar_video_with_all_selectors),
    cmocka_unit_test(video_shifts_and_mad),
    cmocka_unit_test(video_of_halves),
    cmocka_unit_test(video_of_bytes),
};

TEST_MAIN(tests)
