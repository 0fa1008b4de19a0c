/* slurm_dir.c -- see slurm_dir.h */
#include "cluster/slurm_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/attempt.h"

/* ---- the folder */

static char *path_of(const char *folder, const char *name, const char *ext)
{
    return text_printf("%s/%s%s%s", folder, name, ext[0] ? "." : "", ext);
}

char *slurm_folder(const char *dir, bool make, struct err *e)
{
    char *given = path_of(dir, "slurm", ""), real[PATH_MAX];
    bool made = !make || ((mkdir(dir, 0777) == 0 || errno == EEXIST) &&
                          (mkdir(given, 0777) == 0 || errno == EEXIST));
    bool ok = made && realpath(given, real);

    if (!ok)
        err_set(e, "%s: %s", given, strerror(errno));
    free(given);
    return ok ? text_dup(real) : NULL;
}

/* Of the path alone: a copy of the folder elsewhere is another sweep. */
char *slurm_name(const char *folder)
{
    char hex[HASH_HEX];

    hash_bytes(folder, strlen(folder), hex);
    return text_printf("smelt-%.12s", hex);
}

int slurm_lock(const char *folder, struct err *e)
{
    char *path = path_of(folder, "lock", "");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        err_set(e, "%s: %s", path, strerror(errno));
    else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        err_set(e, "%s: another smelt watches these jobs; wait for it, or end it (Ctrl-C)", folder);
        close(fd);
        fd = -1;
    }
    free(path);
    return fd;
}

bool slurm_each(const char *folder, slurm_visit *f, void *user, struct err *e)
{
    DIR *d = opendir(folder);

    if (!d)
        return err_set(e, "%s: %s", folder, strerror(errno));
    for (const struct dirent *ent; (ent = readdir(d));) {
        char key[HASH_HEX];
        const char *name = ent->d_name;

        if (strspn(name, "0123456789abcdef") != HASH_HEX - 1 || name[HASH_HEX - 1] != '.')
            continue;
        memcpy(key, name, HASH_HEX - 1);
        key[HASH_HEX - 1] = 0;
        f(key, name + HASH_HEX, user);
    }
    closedir(d);
    return true;
}

/* ---- points */

bool slurm_plan_write(const char *folder, const struct slurm_plan *p,
                      const struct point *const *point, u32 n, struct err *e)
{
    char *path = path_of(folder, "points", "");
    struct json j;
    bool ok = json_open_file(&j, path, e);

    free(path);
    if (!ok)
        return false;
    json_obj(&j);
    json_key(&j, "cwd"), json_str(&j, p->cwd);
    json_key(&j, "store"), json_str(&j, p->store);
    json_key(&j, "seconds"), json_u64(&j, p->seconds);
    json_key(&j, "bytes"), json_u64(&j, p->bytes);
    json_key(&j, "points"), json_arr(&j);
    for (u32 i = 0; i < n; i++) {
        json_obj(&j);
        json_key(&j, "key"), json_str(&j, point[i]->key);
        json_key(&j, "point"), point_json(point[i], &j);
        json_obj_end(&j);
    }
    json_arr_end(&j);
    json_obj_end(&j);
    return json_close(&j, e);
}

static bool read_plan_point(struct slurm_plan *p, const struct json_value *v, struct err *e)
{
    const struct json_value *key = json_get(v, "key");
    struct point q = {0};

    if (!key || key->kind != JSON_STRING || strlen(key->text) != HASH_HEX - 1)
        return err_set(e, "a point without a key");
    if (!point_from_json(&q, json_get(v, "point"), e)) {
        point_free(&q);
        return false;
    }
    memcpy(q.key, key->text, HASH_HEX);
    *VEC_ADD(&p->point) = q;
    return true;
}

static bool read_plan(struct slurm_plan *p, const struct json_value *v, struct err *e)
{
    const struct json_value *cwd = json_get(v, "cwd"), *store = json_get(v, "store");
    const struct json_value *seconds = json_get(v, "seconds"), *bytes = json_get(v, "bytes");
    const struct json_value *points = json_get(v, "points");

    if (!cwd || cwd->kind != JSON_STRING || !store || store->kind != JSON_STRING)
        return err_set(e, "not the points of a sweep: no cwd or store");
    if (!seconds || seconds->kind != JSON_NUMBER || !text_parse_u64(seconds->text, &p->seconds) ||
        !bytes || bytes->kind != JSON_NUMBER || !text_parse_u64(bytes->text, &p->bytes))
        return err_set(e, "not the points of a sweep: no limits");
    p->cwd = text_dup(cwd->text), p->store = text_dup(store->text);
    for (u32 i = 0; points && i < points->n; i++)
        if (!read_plan_point(p, &points->at[i], e))
            return false;
    return true;
}

bool slurm_plan_read(const char *folder, struct slurm_plan *p, bool *there, struct err *e)
{
    char *path = path_of(folder, "points", "");

    memset(p, 0, sizeof *p);
    *there = access(path, F_OK) == 0;
    struct json_value *v = *there ? json_read_file(path, e) : NULL;
    bool ok = !*there || (v && (read_plan(p, v, e) || err_at(e, "%s", path)));

    if (!ok)
        slurm_plan_free(p);
    json_free(v);
    free(path);
    return ok;
}

void slurm_plan_free(struct slurm_plan *p)
{
    for (u32 i = 0; i < p->point.n; i++)
        point_free(&p->point.at[i]);
    VEC_FREE(&p->point);
    free(p->cwd), free(p->store);
    memset(p, 0, sizeof *p);
}

/* ---- who has a point */

bool slurm_take(const char *folder, const char *key, u32 job, u32 task, bool *mine, struct err *e)
{
    char *path = path_of(folder, key, "taken");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool ok = true;

    *mine = fd >= 0;
    if (fd >= 0) {
        ok = dprintf(fd, "%u %u\n", job, task) > 0;
        ok = close(fd) == 0 && ok; /* a network's disk may say only now that it is full */
    } else {
        ok = errno == EEXIST;
    }
    if (!ok)
        err_set(e, "%s: %s", path, strerror(errno));
    free(path);
    return ok;
}

struct slurm_holder slurm_holder(const char *folder, const char *key)
{
    struct slurm_holder h = {.hold = SLURM_FREE};
    char *path = path_of(folder, key, "taken"), text[64] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    free(path);
    if (fd < 0)
        return h;
    ssize_t n = read(fd, text, sizeof text - 1);

    close(fd);
    text[n > 0 ? n : 0] = 0;
    if (strncmp(text, "done", 4) == 0)
        h.hold = SLURM_DONE;
    else if (strncmp(text, "failed", 6) == 0)
        h.hold = SLURM_FAILED;
    else
        h.hold = SLURM_TAKEN;
    if (h.hold == SLURM_TAKEN && sscanf(text, "%u %u", &h.job, &h.task) != 2)
        h.job = 0;
    return h;
}

/* The file stays, so that no task takes the point again; who it was does not matter any more. */
void slurm_set_ended(const char *folder, const char *key, bool failed)
{
    char *path = path_of(folder, key, "taken");
    FILE *f = fopen(path, "we");

    if (f) {
        fputs(failed ? "failed\n" : "done\n", f);
        fclose(f);
    }
    free(path);
}

static void remove_file_of(const char *folder, const char *name, const char *ext)
{
    char *path = path_of(folder, name, ext);

    unlink(path);
    free(path);
}

void slurm_set_free(const char *folder, const char *key)
{
    remove_file_of(folder, key, "taken");
}

/* ---- tasks that died */

u32 slurm_lose(const char *folder, const char *key, const struct slurm_holder *by,
               const char *state, bool counts)
{
    char *path = path_of(folder, key, "lost");
    FILE *f = counts ? fopen(path, "ae") : NULL;
    u32 lines = 0;

    if (f) {
        fprintf(f, "%u_%u %s\n", by->job, by->task, state);
        fclose(f);
    }
    f = fopen(path, "re");
    for (int c; f && (c = getc(f)) != EOF;)
        lines += c == '\n';
    if (f)
        fclose(f);
    free(path);
    return lines;
}

/* The lines of a file, with commas between; NULL if there are none. */
static char *lines_of(const char *folder, const char *name, const char *ext)
{
    struct err none;
    char *path = path_of(folder, name, ext), *text = text_read_file(path, NULL, &none), *all = NULL;
    char *save = NULL;

    for (char *w = text ? strtok_r(text, "\n", &save) : NULL; w; w = strtok_r(NULL, "\n", &save)) {
        char *more = text_printf("%s%s%s", all ? all : "", all ? ", " : "", w);

        free(all);
        all = more;
    }
    free(text), free(path);
    return all;
}

char *slurm_losses(const char *folder, const char *key)
{
    char *all = lines_of(folder, key, "lost");

    return all ? all : text_dup("");
}

struct remains {
    const char *folder, *key;
    char *lines;
};

/* KEY.HOST.PID.log and .part (attempt.h) */
static void clear_one(const char *key, const char *ext, void *user)
{
    struct remains *r = user;

    if (strcmp(key, r->key) != 0 || (!text_ends(ext, ".log") && !text_ends(ext, ".part")))
        return;
    char *path = path_of(r->folder, key, ext);

    if (text_ends(ext, ".log")) {
        free(r->lines);
        r->lines = attempt_last_lines(path);
    }
    unlink(path);
    free(path);
}

char *slurm_clear_attempt(const char *folder, const char *key)
{
    struct remains r = {.folder = folder, .key = key};
    struct err none;

    slurm_each(folder, clear_one, &r, &none);
    return r.lines ? r.lines : text_dup("");
}

/* ---- jobs, and their end */

bool slurm_stop(const char *folder, struct err *e)
{
    char *path = path_of(folder, "stop", "");
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        err_set(e, "%s: %s", path, strerror(errno));
    else
        close(fd);
    free(path);
    return fd >= 0;
}

bool slurm_is_stopped(const char *folder)
{
    char *path = path_of(folder, "stop", "");
    bool is = access(path, F_OK) == 0;

    free(path);
    return is;
}

void slurm_go(const char *folder)
{
    remove_file_of(folder, "stop", "");
}

/* Every log of a task, or those in which nothing stands. */
static void remove_logs(const char *folder, bool empty_only)
{
    DIR *d = opendir(folder);

    for (const struct dirent *ent; d && (ent = readdir(d));) {
        char *path = path_of(folder, ent->d_name, "");
        struct stat st;

        if (text_ends(ent->d_name, ".log") && stat(path, &st) == 0 &&
            (!empty_only || st.st_size == 0))
            unlink(path);
        free(path);
    }
    if (d)
        closedir(d);
}

void slurm_forget(const char *folder)
{
    remove_file_of(folder, "job", "");
    remove_logs(folder, false);
}

void slurm_note_job(const char *folder, u32 id)
{
    char *path = path_of(folder, "job", "");
    FILE *f = fopen(path, "ae");

    if (f) {
        fprintf(f, "%u\n", id);
        fclose(f);
    }
    free(path);
}

char *slurm_jobs(const char *folder)
{
    return lines_of(folder, "job", "");
}

static void clean_one(const char *key, const char *ext, void *user)
{
    if (strcmp(ext, "row") != 0 && strcmp(ext, "json") != 0)
        remove_file_of(user, key, ext);
}

/* `stop` is there before the first point is free again: who takes one then looks for it. */
bool slurm_clean(const char *folder, struct err *e)
{
    if (!slurm_stop(folder, e))
        return false;
    remove_file_of(folder, "points", "");
    remove_logs(folder, true);
    return slurm_each(folder, clean_one, (void *)(uintptr_t)folder, e);
}
