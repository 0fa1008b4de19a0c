/*
 * bfs -- breadth-first search: how many edges away is every node?
 *
 * suite: Rodinia
 * stresses: divergence, scattered global loads, many short launches
 * papers: buddy, gates, share, socgpu, amoeba
 * kernels: bfs_expand, bfs_advance
 * size: 131072 nodes
 * large: 1000000 nodes
 * odd: 5003
 * tiny: 1003
 * mix: 16384
 * time: 10.4 s
 *
 * The graph is random; a node knows where in a list its neighbours begin, and how many they are.
 * Level by level, one thread per node, 512 a block: bfs_expand visits the neighbours of the nodes on
 * the frontier and flags those that were not visited before, bfs_advance makes the flagged nodes the
 * next frontier and tells the host whether there are any.  Two launches a level, because a grid has
 * no barrier.  Few nodes of a warp are on the frontier, and they have different numbers of
 * neighbours: both keep its lanes apart.
 *
 * As in Rodinia's inputs, a node has 2 to 4 edges of its own to any other and an edge leads both
 * ways, 6 neighbours a node on average (`large`: as its graph1MW).  Table II of the Buddy SM paper
 * has 8 launches of 16 blocks of 256 threads: --size 4096 --block 256 has 8 levels and so 8 of each
 * kernel.
 *
 * Several threads may reach a node in the same level; all of them write the same values.
 */
#include "workload.h"

struct node {
    int first, n_edge; /* its neighbours, in `edge` */
};

struct graph {
    int n_node, n_edge;
    struct node *node;
    int *edge; /* [n_edge]: the neighbours, node after node */
};

/* What the search knows about each node. */
struct search {
    int *level;       /* edges from the source; -1: not reached yet */
    bool *visited;    /* reached before this level's bfs_expand */
    bool *frontier;   /* visited by this level's bfs_expand */
    bool *discovered; /* reached by it, to be the next frontier */
};

__global__ void bfs_expand(struct graph g, struct search s)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= g.n_node || !s.frontier[node])
        return;
    s.frontier[node] = false;
    for (int e = g.node[node].first; e < g.node[node].first + g.node[node].n_edge; e++) {
        int to = g.edge[e];

        if (!s.visited[to]) {
            s.level[to] = s.level[node] + 1;
            s.discovered[to] = true;
        }
    }
}

__global__ void bfs_advance(struct search s, int n_node, bool *more)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= n_node || !s.discovered[node])
        return;
    s.frontier[node] = true;
    s.visited[node] = true;
    *more = true;
    s.discovered[node] = false;
}

/* Edges from each node to 2 to 4 others, any of them; then all edges both ways, node by node. */
static struct graph graph_make(struct workload *w, int n_node)
{
    struct graph g = {n_node, 0, NULL, NULL};
    int *end = (int *)workload_alloc((size_t)n_node * 4 * 2 * sizeof *end); /* both of an edge */
    int first = 0;

    for (int i = 0; i < n_node; i++)
        for (int own = 2 + (int)workload_below(w, 3); own > 0; own--) {
            end[g.n_edge++] = i;
            end[g.n_edge++] = (int)workload_below(w, n_node);
        }
    g.node = (struct node *)workload_alloc(n_node * sizeof *g.node);
    g.edge = (int *)workload_alloc(g.n_edge * sizeof *g.edge);
    for (int e = 0; e < g.n_edge; e++)
        g.node[end[e]].n_edge++;
    for (int i = 0; i < n_node; i++) {
        g.node[i].first = first;
        first += g.node[i].n_edge;
        g.node[i].n_edge = 0;
    }
    for (int e = 0; e < g.n_edge; e++) {
        struct node *from = &g.node[end[e]];

        g.edge[from->first + from->n_edge++] = end[e ^ 1];
    }
    free(end);
    return g;
}

/* The reference: a queue, one node at a time. */
static void search_cpu(struct graph g, int source, int *level)
{
    int *queue = (int *)workload_alloc(g.n_node * sizeof *queue);
    int head = 0, tail = 0;

    for (int i = 0; i < g.n_node; i++)
        level[i] = -1;
    level[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        struct node node = g.node[queue[head]];

        for (int e = node.first; e < node.first + node.n_edge; e++) {
            if (level[g.edge[e]] >= 0)
                continue;
            level[g.edge[e]] = level[queue[head]] + 1;
            queue[tail++] = g.edge[e];
        }
        head++;
    }
    free(queue);
}

static struct search search_begin(int n_node, int source)
{
    const bool yes = true;
    const int zero = 0;
    struct search s;

    CUDA(cudaMalloc((void **)&s.level, n_node * sizeof *s.level));
    CUDA(cudaMalloc((void **)&s.visited, n_node));
    CUDA(cudaMalloc((void **)&s.frontier, n_node));
    CUDA(cudaMalloc((void **)&s.discovered, n_node));
    CUDA(cudaMemset(s.level, 0xff, n_node * sizeof *s.level)); /* -1 everywhere */
    CUDA(cudaMemset(s.visited, 0, n_node));
    CUDA(cudaMemset(s.frontier, 0, n_node));
    CUDA(cudaMemset(s.discovered, 0, n_node));
    CUDA(cudaMemcpy(s.level + source, &zero, sizeof zero, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(s.visited + source, &yes, sizeof yes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(s.frontier + source, &yes, sizeof yes, cudaMemcpyHostToDevice));
    return s;
}

static void search_gpu(struct graph g, int source, int block, int *level)
{
    const int grid = (g.n_node + block - 1) / block;
    struct graph d = g;
    struct search s = search_begin(g.n_node, source);
    bool more = true;
    bool *d_more = (bool *)workload_upload(&more, sizeof more);

    d.node = (struct node *)workload_upload(g.node, g.n_node * sizeof *g.node);
    d.edge = (int *)workload_upload(g.edge, g.n_edge * sizeof *g.edge);
    while (more) {
        more = false;
        CUDA(cudaMemcpy(d_more, &more, sizeof more, cudaMemcpyHostToDevice));
        bfs_expand<<<grid, block>>>(d, s);
        CUDA_LAUNCHED();
        bfs_advance<<<grid, block>>>(s, g.n_node, d_more);
        CUDA_LAUNCHED();
        CUDA(cudaMemcpy(&more, d_more, sizeof more, cudaMemcpyDeviceToHost));
    }
    CUDA(cudaMemcpy(level, s.level, g.n_node * sizeof *level, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(s.level));
    CUDA(cudaFree(s.visited));
    CUDA(cudaFree(s.frontier));
    CUDA(cudaFree(s.discovered));
    CUDA(cudaFree(d.node));
    CUDA(cudaFree(d.edge));
    CUDA(cudaFree(d_more));
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){.unit = "nodes",
                               .usual = 131072,
                               .large = 1000000,
                               .least = 1,
                               .most = 1 << 22,
                               .extra = {"--block", "threads in a block", 512, 1, 1024}});
    struct graph g = graph_make(&w, (int)w.size);
    int source = workload_below(&w, g.n_node);
    int *got = (int *)workload_alloc(g.n_node * sizeof *got);
    int *want = (int *)workload_alloc(g.n_node * sizeof *want);

    search_gpu(g, source, (int)w.extra, got);
    search_cpu(g, source, want);
    workload_compare_i32(&w, "level", got, want, g.n_node);

    free(g.node);
    free(g.edge);
    free(got);
    free(want);
    return workload_end(&w);
}
