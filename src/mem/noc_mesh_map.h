/*
 * noc_mesh_map.h -- where the nodes of a mesh are.
 *
 * Nodes are numbered SMs first, then L2 slices.  Routers are numbered row by row; one without a node
 * only passes packets on.  `noc.map` says which is where:
 *
 *     spread    Of N nodes, slice m of M gets place (2m+1)N/2M in row-major order, rotated within its
 *               row by three columns per row, so that slices are spread over columns as well as rows.
 *               SMs fill the other places in order, row by row to and fro: SMs of successive numbers
 *               are neighbours, and every second SM is in no column more often than in others.
 *     booksim   The places that GPGPU-Sim 3.2.2 has for memory nodes (its CreateNodeMap): 8 on a grid of
 *               4, 6 or 8 columns and rows, 11 on one of 11; SMs fill the others row by row.  The grid is
 *               the smallest with room, so 48 SMs and 8 slices leave the last 8 routers of 64 without.
 *     rows      All in order, row by row, slices last: GPGPU-Sim without a map.
 *
 * spread and rows have `noc.mesh_width` columns (0: the square root of the number of nodes, rounded up)
 * and as many rows as it takes.
 */
#ifndef MEM_NOC_MESH_MAP_H
#define MEM_NOC_MESH_MAP_H

#include "mem/noc.h"

struct mesh_map {
    u32 width, height;
    u32 *router; /* of a node */
};

bool mesh_map_check(const struct noc_conf *c, u64 n_sm, u64 n_slice, struct err *e);
void mesh_map_make(struct mesh_map *map, const struct noc_conf *c, u32 n_sm, u32 n_slice);
void mesh_map_free(struct mesh_map *map);

#endif
