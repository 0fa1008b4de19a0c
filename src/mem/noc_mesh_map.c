/* noc_mesh_map.c -- see noc_mesh_map.h */
#include "mem/noc_mesh_map.h"

#include <inttypes.h>

#include "mem/noc_int.h"

enum { SPREAD, BOOKSIM, ROWS }; /* as in noc.def */

struct preset {
    u8 width, n; /* columns and rows; slices */
    u8 router[11];
};

static const struct preset presets[] = {
    {4, 8, {1, 3, 4, 6, 9, 11, 12, 14}},
    {6, 8, {3, 7, 10, 12, 23, 25, 28, 32}},
    {8, 8, {3, 15, 17, 29, 36, 47, 49, 61}},
    {11, 11, {12, 20, 25, 28, 57, 60, 63, 92, 95, 100, 108}},
};

static const struct preset *preset_for(u64 n_sm, u64 n_slice)
{
    for (u32 i = 0; i < LEN(presets); i++)
        if (presets[i].n == n_slice && n_sm + n_slice <= (u64)presets[i].width * presets[i].width)
            return &presets[i];
    return NULL;
}

bool mesh_map_check(const struct noc_conf *c, u64 n_sm, u64 n_slice, struct err *e)
{
    if (c->map != BOOKSIM)
        return true;
    const struct preset *p = preset_for(n_sm, n_slice);

    if (!p)
        return err_set(
            e,
            "noc.map=booksim has places for 8 L2 slices and 56 SMs or for 11 and 110, not "
            "for %" PRIu64 " (mem.channels, mem.slices) and %" PRIu64,
            n_slice, n_sm);
    if (c->mesh_width && c->mesh_width != p->width)
        return err_set(e, "noc.mesh_width: the grid of noc.map=booksim is %u wide here", p->width);
    return true;
}

static void size_grid(struct mesh_map *map, u32 width, u32 n_node)
{
    if (!width)
        while (width * width < n_node)
            width++;
    map->width = min_u32(width, n_node);
    map->height = (n_node + map->width - 1) / map->width;
}

/* The k-th router, if every second row is walked backwards. */
static u32 to_and_fro(const struct mesh_map *map, u32 k)
{
    u32 row = k / map->width, col = k % map->width;

    return row * map->width + (row % 2 ? map->width - 1 - col : col);
}

static u32 spread_place(const struct mesh_map *map, u32 slice, u32 n_slice, u32 n_node)
{
    u32 place = (u32)((2 * (u64)slice + 1) * n_node / (2 * (u64)n_slice));
    u32 row = place / map->width, col = (place + 3 * row) % map->width;

    return row * map->width + col;
}

/* SMs fill the routers that slices have left. */
static void place_sms(struct mesh_map *map, u32 n_sm, u32 n_slice, bool turn)
{
    u32 words = noc_words(map->width * map->height), k = 0;
    u64 *taken = xcalloc(words, sizeof(u64));

    for (u32 s = 0; s < n_slice; s++)
        noc_set(taken, map->router[n_sm + s]);
    for (u32 s = 0; s < n_sm; s++, k++) {
        while (noc_has(taken, turn ? to_and_fro(map, k) : k))
            k++;
        map->router[s] = turn ? to_and_fro(map, k) : k;
    }
    free(taken);
}

void mesh_map_make(struct mesh_map *map, const struct noc_conf *c, u32 n_sm, u32 n_slice)
{
    const struct preset *p = c->map == BOOKSIM ? preset_for(n_sm, n_slice) : NULL;
    u32 n_node = n_sm + n_slice;

    ensure_here(p || c->map != BOOKSIM);
    if (p)
        map->width = map->height = p->width;
    else
        size_grid(map, (u32)c->mesh_width, n_node);
    map->router = xcalloc(n_node, sizeof(u32));
    for (u32 s = 0; s < n_slice; s++)
        map->router[n_sm + s] = p                ? p->router[s]
                                : c->map == ROWS ? n_sm + s
                                                 : spread_place(map, s, n_slice, n_node);
    place_sms(map, n_sm, n_slice, c->map == SPREAD);
}

void mesh_map_free(struct mesh_map *map)
{
    free(map->router);
}
