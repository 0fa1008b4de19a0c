/* conf_find.c -- where GPU files and tables of energies are (see conf.h). */
#include "conf/conf.h"

#include <string.h>

#include "base/text.h"

u32 conf_list_gpus(struct conf_file **list)
{
    return conf_dir_list("gpu", list);
}

char *conf_find_gpu(const char *gpu, struct err *e)
{
    return conf_dir_find("gpu", "GPU", gpu, e);
}

static char *beside(const char *file, const char *path)
{
    const char *slash = file && path[0] != '/' ? strrchr(file, '/') : NULL;
    return text_printf("%.*s%s", slash ? (int)(slash - file) + 1 : 0, slash ? file : "", path);
}

char *conf_find_table(const char *name, const char *said_in, struct err *e)
{
    return conf_dir_is_path(name) ? beside(said_in, name)
                                  : conf_dir_find("power", "table", name, e);
}
