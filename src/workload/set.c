/* set.c -- see set.h */
#include "workload/set.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/place.h"
#include "workload/workload.h"

#define BLANKS " \t\r"

/* The next word of *s, cut out of it; NULL at its end. */
static char *cut_word(char **s)
{
    char *word = *s + strspn(*s, BLANKS);
    size_t n = strcspn(word, BLANKS);

    if (!n)
        return NULL;
    *s = word + n + (word[n] != 0);
    word[n] = 0;
    return word;
}

static void append_word(char **text, const char *word)
{
    char *longer = text_printf("%s%s%s", *text, **text ? " " : "", word);

    free(*text);
    *text = longer;
}

static void add_all(struct set_info *s)
{
    struct workload_info *w;
    u32 n = workload_list(&w);

    for (u32 i = 0; i < n; i++)
        *VEC_ADD(&s->member) =
            (struct set_member){text_dup(w[i].name), text_dup(w[i].name), text_dup(""), NULL};
    workload_list_free(w, n);
}

static bool add_program_line(struct set_info *s, char *line, struct err *e)
{
    char *word = cut_word(&line), *label = NULL, *kernel = NULL;
    size_t n = strlen(word);

    if (word[n - 1] == ':') {
        word[n - 1] = 0;
        label = word;
        word = cut_word(&line);
    }
    if (!word || !workload_exists(word))
        return err_set(e, "no workload '%s'; see smelt list workloads", word ? word : "");
    struct set_member *m = VEC_ADD(&s->member);

    *m = (struct set_member){text_dup(label ? label : word), text_dup(word), text_dup(""), NULL};
    while ((word = cut_word(&line))) {
        if (strcmp(word, "@") != 0)
            append_word(&m->args, word);
        else if (!(kernel = cut_word(&line)) || cut_word(&line))
            return err_set(e, "one kernel's name must follow '@'");
    }
    m->kernel = kernel ? text_dup(kernel) : NULL;
    return true;
}

static bool read_set_line(struct set_info *s, char *line, struct err *e)
{
    text_trim(line);
    if (line[0] == '#') {
        if (!s->title)
            s->title = text_dup(line + 1 + strspn(line + 1, BLANKS));
        return true;
    }
    if (!line[0])
        return true;
    if (strcmp(line, "*") == 0) {
        add_all(s);
        return true;
    }
    return add_program_line(s, line, e);
}

static bool read_set(struct set_info *s, const char *path, char *text, struct err *e)
{
    u32 number = 1;

    for (char *line = text, *next; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (!read_set_line(s, line, e))
            return err_at(e, "%s:%u", path, number);
    }
    return s->member.n || err_set(e, "%s: has no members", path);
}

static bool no_such_set(const char *name, struct err *e)
{
    char **names;
    u32 n = set_names(&names);

    err_no_such(e, name, (const char *const *)names, n, "see smelt list sets", "no set '%s'", name);
    text_split_free(names, n);
    return false;
}

bool set_read(const char *name, struct set_info *s, struct err *e)
{
    name += strncmp(name, "set:", 4) == 0 ? 4 : 0;
    memset(s, 0, sizeof *s);
    char *dir = place_find("workloads/sets");
    char *path = dir && !strchr(name, '/') ? text_printf("%s/%s.set", dir, name) : NULL;
    bool ok = path && access(path, R_OK) == 0;
    char *text = ok ? text_read_file(path, NULL, e) : NULL;

    if (!ok)
        no_such_set(name, e);
    s->name = text_dup(name);
    ok = text && read_set(s, path, text, e);
    if (!s->title)
        s->title = text_dup("");
    if (!ok)
        set_free(s);
    free(dir), free(path), free(text);
    return ok;
}

static void free_member(struct set_member *m)
{
    free(m->label), free(m->program), free(m->args), free(m->kernel);
}

void set_thin(struct set_info *s, u32 n)
{
    u32 kept = 0;

    for (u32 i = 0; i < s->member.n; i++) {
        if (i % n == 0)
            s->member.at[kept++] = s->member.at[i];
        else
            free_member(&s->member.at[i]);
    }
    s->member.n = kept;
}

/* What the set says of arguments is for other sizes. */
void set_resize(struct set_info *s, enum set_size size)
{
    struct workload_info *all;
    u32 n = workload_list(&all);

    for (u32 i = 0; i < s->member.n; i++)
        for (u32 k = 0; k < n; k++) {
            struct set_member *m = &s->member.at[i];

            if (strcmp(all[k].name, m->program) != 0)
                continue;
            free(m->args);
            m->args = text_printf("--size %s", size == SET_SMALL ? all[k].field[WL_ODD] : "large");
        }
    workload_list_free(all, n);
}

void set_free(struct set_info *s)
{
    for (u32 i = 0; i < s->member.n; i++)
        free_member(&s->member.at[i]);
    VEC_FREE(&s->member);
    free(s->name), free(s->title);
    memset(s, 0, sizeof *s);
}

u32 set_names(char ***name)
{
    return place_names("workloads/sets", ".set", name);
}
