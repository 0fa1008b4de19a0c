/* cache.c -- see cache.h */
#include "workload/cache.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/place.h"
#include "base/text.h"
#include "version.h"

#define CHOOSE "XDG_CACHE_HOME chooses another place for compiled workloads"

/* A link counts as a folder of ours only if we made it. */
static bool is_private_folder(const char *dir, struct err *e)
{
    struct stat link, st;
    if (lstat(dir, &link) != 0 || stat(dir, &st) != 0)
        return err_set(e, "%s: %s; " CHOOSE, dir, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return err_set(e, "%s is no folder; " CHOOSE, dir);
    if (link.st_uid != geteuid() || st.st_uid != geteuid())
        return err_set(e, "%s belongs to another user, so nothing is executed from there; " CHOOSE,
                       dir);
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return err_set(e,
                       "%s can be written by others, so nothing is executed from there: empty it "
                       "and chmod go-w it; " CHOOSE,
                       dir);
    return true;
}

static bool make_dir(const char *dir, struct err *e)
{
    return mkdir(dir, 0700) == 0 || errno == EEXIST ||
           err_set(e, "%s: %s; " CHOOSE, dir, strerror(errno));
}

/* All folders on the way to `path`. */
static bool make_dirs(char *path, struct err *e)
{
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = 0;
        bool ok = make_dir(path, e);
        *p = '/';
        if (!ok)
            return false;
    }
    return make_dir(path, e);
}

/* Where a user's caches are, to be freed. */
static char *user_caches(struct err *e)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return text_dup(cache);
    const struct passwd *user = home && home[0] == '/' ? NULL : getpwuid(geteuid());
    if (user && user->pw_dir)
        home = user->pw_dir;
    if (home && home[0] == '/')
        return text_printf("%s/.cache", home);
    err_set(e,
            "no folder for compiled workloads: HOME is not set, and user %u has no home in the "
            "password database; " CHOOSE,
            (unsigned)geteuid());
    return NULL;
}

/* Both levels must be ours: who can write the upper one can replace the lower one. */
static char *user_folder(struct err *e)
{
    char *caches = user_caches(e);
    if (!caches)
        return NULL;
    char *ours = text_printf("%s/smelt", caches), *dir = text_printf("%s/" SMELT_VERSION, ours);
    bool ok = make_dirs(ours, e) && is_private_folder(ours, e) && make_dir(dir, e) &&
              is_private_folder(dir, e);
    free(caches), free(ours);
    if (ok)
        return dir;
    free(dir);
    return NULL;
}

static char *build_folder(const char *build, struct err *e)
{
    char *dir = text_printf("%s/workloads", build);
    if (make_dir(dir, e) && is_private_folder(dir, e))
        return dir;
    free(dir);
    return NULL;
}

char *cache_folder(struct err *e)
{
    struct stat st;
    char *build = place_build();
    bool ours = build && stat(build, &st) == 0 && st.st_uid == geteuid() && !access(build, W_OK);
    char *dir = ours ? build_folder(build, e) : user_folder(e);
    free(build);
    return dir;
}

bool cache_writable(const char *dir, struct err *e)
{
    return access(dir, W_OK | X_OK) == 0 ||
           err_set(e, "%s cannot be written: %s; " CHOOSE, dir, strerror(errno));
}
