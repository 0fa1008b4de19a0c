#include "ptx/ptx_conf.h"

#include <string.h>

#include "base/text.h"

#define SHEET ptx
#define SHEET_NAME "front"
#define SHEET_DEF "ptx/ptx.def"
#define SHEET_DOC "front end: from PTX to machine code"
#include "base/sheet_table.inc"

static bool parse_regs(const char *text, u32 *regs, struct err *e)
{
    u64 v;
    if (!text_parse_u64(text, &v))
        return err_set(e, "front.regs: '%s' is not a number of registers", text);
    if (v < 1 || v > 255)
        return err_set(e, "front.regs: %s registers is outside 1..255", text);
    *regs = (u32)v;
    return true;
}

/* One word of front.regs: "N" (name_len 0) or "KERNEL:N". */
static bool parse_reg_cap(const char *word, size_t *name_len, u32 *regs, struct err *e)
{
    const char *colon = strrchr(word, ':');
    *name_len = colon ? (size_t)(colon - word) : 0;
    if (colon == word)
        return err_set(e, "front.regs: '%s' has no kernel before the colon", word);
    return parse_regs(colon ? colon + 1 : word, regs, e);
}

/* Walks the words; a named kernel (or NULL: none) gets its count, or that of a plain number. */
static bool scan_regs(const char *text, const char *kernel, u32 *regs, struct err *e)
{
    char **word;
    u32 n = text_split(text, &word);
    bool ok = true;
    *regs = 0;
    for (u32 i = 0; i < n && ok; i++) {
        size_t len = 0;
        u32 count = 0;
        ok = parse_reg_cap(word[i], &len, &count, e);
        if (ok && !len && n > 1)
            ok = err_set(e, "front.regs: '%s' needs KERNEL: before it, as others have", word[i]);
        if (ok && (!len || (kernel && strlen(kernel) == len && !memcmp(kernel, word[i], len))))
            *regs = count;
    }
    text_split_free(word, n);
    return ok;
}

bool ptx_conf_check(const struct ptx_conf *c, struct err *e)
{
    u32 regs;
    return scan_regs(c->regs, NULL, &regs, e);
}

u32 ptx_conf_regs(const struct ptx_conf *c, const char *kernel)
{
    struct err e;
    u32 regs;
    return scan_regs(c->regs, kernel, &regs, &e) ? regs : 0;
}
