/* cc_object.c -- device code for linking in objects and archives (see cc.h). */
#include <ar.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cc/cc_dlink.h"

#define REGISTER "__cudaRegisterLinkedBinary_"

/* --- an object file --- */

struct elf { /* a view of bytes that may be anything */
    const char *at;
    size_t size;
    const Elf64_Ehdr *head;
};

/* n things of this size at an offset, or NULL if they are not within the file. */
static const void *within(const struct elf *f, u64 offset, u64 n, u64 size)
{
    u64 bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || offset > f->size || bytes > f->size - offset ||
        offset % 8)
        return NULL;
    return f->at + offset;
}

static const Elf64_Shdr *section(const struct elf *f, u32 i)
{
    const Elf64_Shdr *all = within(f, f->head->e_shoff, f->head->e_shnum, sizeof(Elf64_Shdr));
    return all && i < f->head->e_shnum ? &all[i] : NULL;
}

/* The string at an offset of a table of strings; "" if it is not whole. */
static const char *elf_string(const struct elf *f, const Elf64_Shdr *table, u64 offset)
{
    if (!table || table->sh_offset > f->size || table->sh_size > f->size - table->sh_offset ||
        offset >= table->sh_size)
        return "";
    const char *s = f->at + table->sh_offset + offset;
    return memchr(s, 0, table->sh_size - offset) ? s : "";
}

/* Each text ends with a 0 byte; `ld -r` puts several into one section. */
static void take_texts(struct cc *c, struct dlink *d, const char *path, const char *s, size_t n)
{
    for (const char *end = s + n; s < end;) {
        const char *zero = memchr(s, 0, (size_t)(end - s));
        size_t len = (size_t)((zero ? zero : end) - s);
        if (len)
            *VEC_ADD(&d->part) = (struct dlink_part){path, cc_text(c, "%.*s", (int)len, s), ""};
        s += len + 1;
    }
}

static void take_symbols(struct cc *c, struct dlink *d, const struct elf *f,
                         const Elf64_Shdr *table)
{
    u64 n = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *sym = within(f, table->sh_offset, n, sizeof(Elf64_Sym));
    for (u64 i = 0; sym && i < n; i++) {
        const char *name = elf_string(f, section(f, table->sh_link), sym[i].st_name);
        if (text_begins(name, REGISTER))
            cc_add(sym[i].st_shndx == SHN_UNDEF ? &d->wanted : &d->given, cc_text(c, "%s", name),
                   NULL);
    }
}

static void take_object(struct cc *c, struct dlink *d, const char *path, const char *at,
                        size_t size)
{
    struct elf f = {at, size, (const void *)at};
    if (size < sizeof(*f.head) || memcmp(at, ELFMAG, SELFMAG) || at[EI_CLASS] != ELFCLASS64 ||
        f.head->e_type != ET_REL || (uintptr_t)at % 8)
        return;
    const Elf64_Shdr *names = section(&f, f.head->e_shstrndx), *s;
    u32 first = d->part.n, n_wanted = d->wanted.n;
    for (u32 i = 0; (s = section(&f, i)); i++) {
        bool code = strcmp(elf_string(&f, names, s->sh_name), "__nv_relfatbin") == 0;
        if (code && s->sh_offset <= size && s->sh_size <= size - s->sh_offset)
            take_texts(c, d, path, at + s->sh_offset, s->sh_size);
        else if (s->sh_type == SHT_SYMTAB)
            take_symbols(c, d, &f, s);
    }
    for (; first < d->part.n && n_wanted < d->wanted.n; first++)
        d->part.at[first].function = d->wanted.at[n_wanted];
}

/* --- an archive --- */

enum { AR_HEAD = 60, AR_NAME = 16, AR_SIZE = 48 };

/* "name/", or "/123" for a place in the table of long names, each of which ends with its line. */
static const char *member_name(struct cc *c, const char *path, const char *head, const char *longs)
{
    const char *name = cc_text(c, "%.*s", AR_NAME, head);
    size_t at = name[0] == '/' ? strtoul(name + 1, NULL, 10) : 0;
    if (name[0] == '/' && at < strlen(longs))
        name = longs + at;
    return cc_text(c, "%s(%.*s)", path, (int)strcspn(name, "/\n"), name);
}

/* Objects are looked at where they may be read as ELF: at addresses that are multiples of 8. */
static void take_member(struct cc *c, struct dlink *d, const char *path, const char *at,
                        size_t size)
{
    char *copy = xmalloc(size + 1);
    memcpy(copy, at, size);
    take_object(c, d, path, copy, size);
    free(copy);
}

static void take_archive(struct cc *c, struct dlink *d, const char *path, const char *at, size_t n)
{
    const char *longs = "";
    for (size_t i = SARMAG; i + AR_HEAD <= n;) {
        const char *head = at + i;
        size_t size = strtoul(head + AR_SIZE, NULL, 10);
        i += AR_HEAD;
        if (size > n - i)
            return;
        if (memcmp(head, "// ", 3) == 0)
            longs = cc_text(c, "%.*s", (int)size, at + i);
        else
            take_member(c, d, member_name(c, path, head, longs), at + i, size);
        i += size + size % 2;
    }
}

bool cc_read_device_code(struct cc *c, struct dlink *d, const char *file, const char *path,
                         struct err *e)
{
    size_t n;
    char *bytes = text_read_file(file, &n, e);
    if (!bytes)
        return false;
    if (n >= SARMAG && memcmp(bytes, ARMAG, SARMAG) == 0)
        take_archive(c, d, path, bytes, n);
    else
        take_object(c, d, path, bytes, n);
    free(bytes);
    return true;
}
