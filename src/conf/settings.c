/* settings.c -- see settings.h */
#include "conf/settings.h"

#include <inttypes.h>
#include <string.h>

#include "base/option.h"
#include "conf/conf.h"

/* ---- one setting each */

static void replace_text(char **to, const char *value)
{
    free(*to);
    *to = text_dup(value);
}

static bool take_gpu(struct settings *s, const char *value, struct err *e)
{
    (void)e;
    replace_text(&s->gpu, value);
    return true;
}

static bool take_json(struct settings *s, const char *value, struct err *e)
{
    (void)e;
    replace_text(&s->json, value);
    return true;
}

static bool take_quiet(struct settings *s, const char *value, struct err *e)
{
    (void)value, (void)e;
    return s->quiet = true;
}

static bool take_isa(struct settings *s, const char *value, struct err *e)
{
    (void)e;
    replace_text(&s->isa, value);
    return true;
}

static bool take_option_number(const char *option, const char *text, u64 max, u64 *v, struct err *e)
{
    if (!text_parse_u64(text, v))
        return err_set(e, "%s: '%s' is not a whole number", option, text);
    if (*v < 1 || *v > max)
        return err_set(e, "%s: %" PRIu64 " is outside 1..%" PRIu64, option, *v, max);
    return true;
}

static bool take_json_launches(struct settings *s, const char *value, struct err *e)
{
    bool all = strcmp(value, "all") == 0, first = strcmp(value, "first") == 0;

    if (all || first)
        s->json_launches = all ? UINT64_MAX : 1;
    else if (!text_parse_u64(value, &s->json_launches) || !s->json_launches)
        return err_set(e, "--json-launches: '%s' is neither first, all nor a number from 1 on",
                       value);
    return true;
}

static bool take_threads(struct settings *s, const char *value, struct err *e)
{
    u64 v;

    if (!take_option_number("--threads", value, 1024, &v, e))
        return false;
    s->threads = (u32)v;
    return true;
}

static bool take_max_insts(struct settings *s, const char *value, struct err *e)
{
    return take_option_number("--max-insts", value, UINT64_MAX, &s->max_insts, e);
}

static bool take_max_cycles(struct settings *s, const char *value, struct err *e)
{
    return take_option_number("--max-cycles", value, UINT64_MAX, &s->max_cycles, e);
}

static bool take_sample(struct settings *s, const char *value, struct err *e)
{
    return take_option_number("--sample", value, UINT64_MAX, &s->sample, e);
}

/* "3-5" or "3": launches, counted from 1. */
static bool take_kernels(struct settings *s, const char *value, struct err *e)
{
    const char *dash = strchr(value, '-');
    char *first = text_dup_n(value, dash ? (size_t)(dash - value) : strlen(value));
    u64 a = 0, b = 0;
    bool ok = text_parse_u64(first, &a) && (!dash || text_parse_u64(dash + 1, &b));

    free(first);
    b = dash ? b : a;
    if (!ok)
        return err_set(e, "--kernels: '%s' is not A-B or A, launches counted from 1", value);
    if (!a || !b || a > UINT32_MAX || b > UINT32_MAX)
        return err_set(e, "--kernels %s: %" PRIu64 " is outside 1..%u", value,
                       !a || a > UINT32_MAX ? a : b, UINT32_MAX);
    if (b < a)
        return err_set(
            e, "--kernels %s: the range ends before it begins; say --kernels %" PRIu64 "-%" PRIu64,
            value, b, a);
    s->first_timed = (u32)a, s->last_timed = (u32)b;
    return true;
}

static bool take_lines(struct settings *s, const char *value, struct err *e)
{
    (void)value, (void)e;
    return s->lines = true;
}

static bool take_functional(struct settings *s, const char *value, struct err *e)
{
    (void)value, (void)e;
    return s->functional = true;
}

static bool take_no_skip(struct settings *s, const char *value, struct err *e)
{
    (void)value, (void)e;
    return s->no_skip = true;
}

static bool take_check(struct settings *s, const char *value, struct err *e)
{
    (void)value, (void)e;
    return s->check = true;
}

/* A key has one value: the last one said. */
static bool take_set(struct settings *s, const char *value, struct err *e)
{
    (void)e;
    *VEC_ADD(&s->set) = text_dup(value);
    return true;
}

/* Mechanisms add up. */
static bool take_mech(struct settings *s, const char *value, struct err *e)
{
    if (!*value || *value == ':')
        return err_set(e, "-m: '%s' names no mechanism; it takes MECH[:key=val,..]", value);
    *VEC_ADD(&s->mech) = text_dup(value);
    return true;
}

const struct setting setting_row[] = {
    {"-g|--gpu", "SMELT_GPU", true, take_gpu},
    {"--set", "SMELT_SET", true, take_set},
    {"-m|--mech", "SMELT_MECH", true, take_mech},
    {"--json", "SMELT_JSON", true, take_json},
    {"--json-launches", "SMELT_JSON_LAUNCHES", true, take_json_launches},
    {"-q|--quiet", "SMELT_QUIET", false, take_quiet},
    {"--functional", "SMELT_FUNCTIONAL", false, take_functional},
    {"--kernels", "SMELT_KERNELS", true, take_kernels},
    {"--max-insts", "SMELT_MAX_INSTS", true, take_max_insts},
    {"--max-cycles", "SMELT_MAX_CYCLES", true, take_max_cycles},
    {"--sample", "SMELT_SAMPLE", true, take_sample},
    {"--lines", "SMELT_LINES", false, take_lines},
    {"--check", "SMELT_CHECK", false, take_check},
    {"--threads", "SMELT_THREADS", true, take_threads},
    {"--no-skip", "SMELT_NO_SKIP", false, take_no_skip},
    {"--isa", "SMELT_ISA", true, take_isa},
};
const u32 n_setting = LEN(setting_row);

void settings_init(struct settings *s)
{
    memset(s, 0, sizeof *s);
    s->gpu = text_dup(SETTINGS_GPU);
    s->threads = 1;
    s->json_launches = SETTINGS_LAUNCHES;
}

void settings_free(struct settings *s)
{
    for (u32 i = 0; i < s->set.n; i++)
        free(s->set.at[i]);
    for (u32 i = 0; i < s->mech.n; i++)
        free(s->mech.at[i]);
    VEC_FREE(&s->set);
    VEC_FREE(&s->mech);
    free(s->gpu), free(s->json), free(s->isa);
    memset(s, 0, sizeof *s);
}

/* "power.table=x.conf": the one key whose value may be a path. */
static void make_set_absolute(char **set)
{
    const char *equals = strchr(*set, '=');
    char *key = text_trim(text_dup_n(*set, equals ? (size_t)(equals - *set) : 0));
    char *path = strcmp(key, "power.table") == 0 ? text_trim(text_dup(equals + 1)) : NULL;
    if (path && conf_dir_is_path(path)) {
        text_absolute(&path);
        free(*set);
        *set = text_printf("%s=%s", key, path);
    }
    free(key), free(path);
}

void settings_absolute(struct settings *s)
{
    for (u32 i = 0; i < s->set.n; i++)
        make_set_absolute(&s->set.at[i]);
    if (s->json && strcmp(s->json, "-"))
        text_absolute(&s->json);
    if (conf_dir_is_path(s->gpu))
        text_absolute(&s->gpu);
}

/* What only timing can answer. */
bool settings_check(const struct settings *s, struct err *e)
{
    const char *timed = s->lines         ? "--lines"
                        : s->sample      ? "--sample"
                        : s->max_cycles  ? "--max-cycles"
                        : s->first_timed ? "--kernels"
                                         : NULL;

    if (s->sample && !s->json)
        return err_set(e, "--sample is for the JSON: say --json OUT too, or leave it out");
    if (!s->functional || !timed)
        return true;
    return err_set(e, "%s is about timing: leave out --functional%s", timed,
                   s->max_cycles && !s->lines && !s->sample ? ", or say --max-insts" : "");
}

/* ---- SMELT_ARGS: words as a shell splits them, with \ ' and " */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* One word from *at into a fresh string; NULL at the end of the text. */
static char *next_setting_word(const char **at)
{
    const char *p = *at;
    char quote = 0, *word, *out;

    while (is_blank(*p))
        p++;
    if (!*p)
        return NULL;
    word = out = xmalloc(strlen(p) + 1);
    for (; *p && (quote || !is_blank(*p)); p++) {
        if (*p == quote)
            quote = 0;
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            *out++ = *++p;
        else
            *out++ = *p;
    }
    *out = 0;
    *at = p;
    return word;
}

static bool take_setting(struct settings *s, const char *word, const char **rest, struct err *e)
{
    const char *value;

    for (u32 i = 0; i < n_setting; i++) {
        const struct setting *row = &setting_row[i];

        if (!option_is(word, row->option, &value) || (value && !row->has_value))
            continue;
        if (!row->has_value || value)
            return row->take(s, value, e);
        char *next = next_setting_word(rest);
        bool ok = next ? row->take(s, next, e) : err_set(e, "option '%s' needs a value", word);

        free(next);
        return ok;
    }
    return err_set(e, "unknown option '%s'; see smelt run --help", word);
}

static bool take_text(struct settings *s, const char *text, struct err *e)
{
    char *word;
    bool ok = true;

    while (ok && (word = next_setting_word(&text))) {
        ok = take_setting(s, word, &text, e);
        free(word);
    }
    return ok;
}

/* SMELT_SET and SMELT_MECH hold any number of words, SMELT_FUNCTIONAL and its like 1 or 0. */
static bool take_variable(struct settings *s, const struct setting *row, struct err *e)
{
    const char *text = getenv(row->variable);
    bool ok = true;
    char *word;

    if (!text || !*text)
        return true;
    if (row->take == take_set || row->take == take_mech) {
        while (ok && (word = next_setting_word(&text))) {
            ok = row->take(s, word, e);
            free(word);
        }
        return ok;
    }
    if (row->has_value)
        return row->take(s, text, e);
    if (strcmp(text, "0") && strcmp(text, "1"))
        return err_set(e, "'%s' is neither 1 nor 0", text);
    return *text == '0' || row->take(s, text, e);
}

bool settings_from_env(struct settings *s, struct err *e)
{
    const char *args = getenv("SMELT_ARGS");

    settings_init(s);
    for (u32 i = 0; i < n_setting; i++)
        if (!take_variable(s, &setting_row[i], e))
            return err_at(e, "%s", setting_row[i].variable);
    return !args || take_text(s, args, e) || err_at(e, "SMELT_ARGS");
}

/* ---- and back */

static void put_option(char **text, const char *option, const char *value)
{
    size_t len = strlen(*text), n = len + strlen(option) + 2 * strlen(value ? value : "") + 8;
    char *out = *text = xrealloc(*text, n);

    len += (size_t)snprintf(out + len, n - len, "%s%s%s", len ? " " : "", option,
                            !value   ? ""
                            : *value ? " "
                                     : " ''");
    for (; value && *value; value++) {
        if (is_blank(*value) || strchr("\\'\"", *value))
            out[len++] = '\\';
        out[len++] = *value;
    }
    out[len] = 0;
}

static void put_option_number(char **text, const char *option, u64 v)
{
    char number[TEXT_NUMBER];

    snprintf(number, sizeof number, "%" PRIu64, v);
    if (v)
        put_option(text, option, number);
}

static void put_flag(char **text, const char *option, bool on)
{
    if (on)
        put_option(text, option, NULL);
}

char *settings_text(const struct settings *s)
{
    char *text = text_dup(""), range[2 * TEXT_NUMBER];

    put_option(&text, "--gpu", s->gpu);
    for (u32 i = 0; i < s->set.n; i++)
        put_option(&text, "--set", s->set.at[i]);
    for (u32 i = 0; i < s->mech.n; i++)
        put_option(&text, "--mech", s->mech.at[i]);
    if (s->json)
        put_option(&text, "--json", s->json);
    if (s->json_launches != SETTINGS_LAUNCHES)
        put_option_number(&text, "--json-launches", s->json_launches);
    put_flag(&text, "--quiet", s->quiet);
    put_flag(&text, "--functional", s->functional);
    snprintf(range, sizeof range, "%u-%u", s->first_timed, s->last_timed);
    if (s->first_timed)
        put_option(&text, "--kernels", range);
    put_option_number(&text, "--max-insts", s->max_insts);
    put_option_number(&text, "--max-cycles", s->max_cycles);
    put_option_number(&text, "--sample", s->sample);
    put_flag(&text, "--lines", s->lines);
    put_flag(&text, "--check", s->check);
    put_option_number(&text, "--threads", s->threads);
    put_flag(&text, "--no-skip", s->no_skip);
    if (s->isa)
        put_option(&text, "--isa", s->isa);
    return text;
}
