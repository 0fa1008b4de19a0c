/*
 * bfs-parboil -- breadth-first search of a graph, with queues of the nodes that were reached last
 *
 * suite: Parboil
 * stresses: shared and global atomics, texture fetches, divergence, barriers across the whole GPU
 * papers: share
 * kernels: bfs_parboil_block, bfs_parboil_resident, bfs_parboil_level
 * size: 65536 nodes
 * large: 1000000 nodes
 * odd: 1501
 * tiny: 301
 * time: 5.7 s
 *
 * The nodes of a level, the frontier, are in a queue; a thread takes each, and puts the nodes that
 * it is the first to reach into one of 8 queues that the block has in shared memory, so that not
 * all threads fight for the end of the same queue.  At the end the block appends these to the next
 * frontier in global memory.  Blocks have 512 threads.  As in the original, there are three kernels
 * for frontiers of different size.  bfs_parboil_block, for up to 512 nodes, is a single block that
 * keeps the frontier in shared memory and goes on for as many levels as fit.  bfs_parboil_resident
 * goes on as well, with one block per SM and a barrier among them in global memory.
 * bfs_parboil_level, for larger frontiers, does one level.  The graph is read through textures.
 * Its edges lead to random nodes, about 6 a node, like those of the suite's graph of a million.
 *
 * The order of nodes in a queue depends on the machine, but not their level, which is compared.
 */
#include "workload.h"
#include <limits.h>

enum {
    BLOCK = 512,
    QUEUES = 8,       /* of a block */
    QUEUE_ROOM = 400, /* nodes in each */
};

static texture<int2, 1, cudaReadModeElementType> node_texture; /* first edge, number of edges */
static texture<int2, 1, cudaReadModeElementType> edge_texture; /* node, cost */

/* The state of the search, in global memory. */
struct search {
    int n_node;
    int *cost;  /* of the way to each node, INT_MAX: none */
    int *shade; /* of each node: the level that queued it last */
    int *queue; /* [2][n_node]: the frontiers of even and odd levels */
};

static __device__ int n_queued[3];             /* [level % 3]: nodes in its frontier */
static __device__ int next_level;              /* the frontier to go on with, for the host */
static __device__ volatile unsigned n_arrived; /* times that a block came to the barrier */

static __device__ int *frontier_of(struct search s, int level)
{
    return s.queue + (level & 1) * s.n_node;
}

/* The queues of a block, in shared memory. */
struct local {
    int node[QUEUE_ROOM * QUEUES]; /* the first of each queue, then the second, .. */
    int tail[QUEUES];              /* above QUEUE_ROOM: what is more went to global memory */
    int begin[QUEUES];             /* where the nodes of each are when they all are put together */
    int n_node, base;
    bool full;
};

/* Begins a level: all queues of the block are empty, and so is the frontier after the next one. */
static __device__ void queues_clear(struct local *local, int level)
{
    if (blockIdx.x + threadIdx.x == 0)
        n_queued[(level + 2) % 3] = 0;
    if (threadIdx.x < QUEUES)
        local->tail[threadIdx.x] = 0;
    __syncthreads();
}

static __device__ void push(struct local *local, struct search s, int level, int node)
{
    int q = threadIdx.x % QUEUES, at = atomicAdd(&local->tail[q], 1);

    if (at < QUEUE_ROOM)
        local->node[at * QUEUES + q] = node;
    else
        frontier_of(s, level)[atomicAdd(&n_queued[level % 3], 1)] = node;
}

/* What may have been written in this launch, by an atomic or another SM: not from L1D. */
static __device__ int fresh(const int *from)
{
    return *(const volatile int *)from;
}

/* Queues the neighbours of a node that nobody has reached yet, or not at so little cost. */
static __device__ void visit(struct local *local, struct search s, int level, int node, int cost)
{
    int2 edges = tex1Dfetch(node_texture, node);

    for (int e = edges.x; e < edges.x + edges.y; e++) {
        int2 edge = tex1Dfetch(edge_texture, e);

        if (atomicMin(&s.cost[edge.x], cost + edge.y) > cost + edge.y &&
            atomicExch(&s.shade[edge.x], level + 1) != level + 1)
            push(local, s, level + 1, edge.x);
    }
}

/* Works out how the nodes of all queues fit together; all threads call it, and have pushed. */
static __device__ void queues_close(struct local *local)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        local->n_node = 0;
        local->full = false;
        for (int q = 0; q < QUEUES; q++) {
            local->begin[q] = local->n_node;
            local->n_node += min(local->tail[q], QUEUE_ROOM);
            local->full |= local->tail[q] > QUEUE_ROOM;
        }
    }
    __syncthreads();
}

static __device__ void queues_copy(struct local *local, int *to)
{
    int q = threadIdx.x % QUEUES, n = min(local->tail[q], QUEUE_ROOM);

    to += local->begin[q];
    for (int i = threadIdx.x; i < n * QUEUES; i += BLOCK)
        to[i / QUEUES] = local->node[i];
    __syncthreads();
}

/* Appends the block's queues, which are closed, to the frontier of a level. */
static __device__ void queues_flush(struct local *local, struct search s, int level)
{
    if (threadIdx.x == 0)
        local->base = atomicAdd(&n_queued[level % 3], local->n_node);
    __syncthreads();
    queues_copy(local, frontier_of(s, level) + local->base);
}

/* One block, from a frontier of up to BLOCK nodes to one that is larger or empty. */
__global__ void bfs_parboil_block(struct search s, int level)
{
    __shared__ struct local local;
    __shared__ int frontier[BLOCK];
    int t = threadIdx.x, n = n_queued[level % 3];

    if (t < n)
        frontier[t] = frontier_of(s, level)[t];
    for (;; level++) {
        queues_clear(&local, level);
        if (t < n)
            visit(&local, s, level, frontier[t], fresh(&s.cost[frontier[t]]));
        queues_close(&local);
        n = local.n_node;
        if (n == 0 || n > BLOCK || local.full)
            break;
        queues_copy(&local, frontier);
    }
    queues_flush(&local, s, level + 1);
    if (t == 0)
        next_level = level + 1;
}

/* Waits for all blocks of the grid; they must be on the GPU at once. */
static __device__ void grid_barrier(void)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before = atomicAdd((unsigned *)&n_arrived, 1);
        unsigned all = (before / gridDim.x + 1) * gridDim.x;

        while (n_arrived < all)
            ;
    }
    __syncthreads();
    __threadfence();
}

/* A block per SM, from a frontier that needs several of them to one that needs one, or more. */
__global__ void bfs_parboil_resident(struct search s, int level)
{
    __shared__ struct local local;
    int t = blockIdx.x * BLOCK + threadIdx.x, n = n_queued[level % 3];

    for (; n > BLOCK && n <= (int)gridDim.x * BLOCK; level++) {
        queues_clear(&local, level);
        if (t < n) {
            int node = fresh(&frontier_of(s, level)[t]);

            visit(&local, s, level, node, fresh(&s.cost[node]));
        }
        queues_close(&local);
        queues_flush(&local, s, level + 1);
        grid_barrier();
        n = fresh(&n_queued[(level + 1) % 3]);
    }
    if (t == 0)
        next_level = level;
}

/* One level. */
__global__ void bfs_parboil_level(struct search s, int level)
{
    __shared__ struct local local;
    int t = blockIdx.x * BLOCK + threadIdx.x;

    queues_clear(&local, level);
    if (t < n_queued[level % 3]) {
        int node = frontier_of(s, level)[t];

        visit(&local, s, level, node, s.cost[node]);
    }
    queues_close(&local);
    queues_flush(&local, s, level + 1);
    if (t == 0)
        next_level = level + 1;
}

/* Graphs: the edges of node i are those from node[i].x on, node[i].y of them. */
struct graph {
    int n_node, n_edge;
    int2 *node, *edge;
};

static int n_queued_at(int level)
{
    int n;

    CUDA(cudaMemcpyFromSymbol(&n, n_queued, sizeof n, level % 3 * sizeof n));
    return n;
}

/* Level by level, or several at a time, until a frontier is empty. */
static void levels_gpu(struct search s, int n_sm)
{
    const int first[3] = {1, 0, 0};
    int level = 0, n;

    CUDA(cudaMemcpyToSymbol(n_queued, first, sizeof first));
    while ((n = n_queued_at(level)) > 0) {
        int n_block = (n + BLOCK - 1) / BLOCK;

        if (n_block == 1)
            bfs_parboil_block<<<1, BLOCK>>>(s, level);
        else if (n_block <= n_sm)
            bfs_parboil_resident<<<n_sm, BLOCK>>>(s, level);
        else
            bfs_parboil_level<<<n_block, BLOCK>>>(s, level);
        CUDA_LAUNCHED();
        CUDA(cudaMemcpyFromSymbol(&level, next_level, sizeof level));
    }
}

static void search_gpu(struct graph g, int source, int *cost)
{
    size_t bytes = g.n_node * sizeof *cost;
    int2 *d_node = (int2 *)workload_upload(g.node, g.n_node * sizeof *g.node);
    int2 *d_edge = (int2 *)workload_upload(g.edge, g.n_edge * sizeof *g.edge);
    cudaDeviceProp device;
    struct search s;

    for (int i = 0; i < g.n_node; i++)
        cost[i] = i == source ? 0 : INT_MAX;
    s.n_node = g.n_node;
    s.cost = (int *)workload_upload(cost, bytes);
    CUDA(cudaMalloc((void **)&s.shade, bytes));
    CUDA(cudaMemset(s.shade, 0, bytes));
    CUDA(cudaMalloc((void **)&s.queue, 2 * bytes));
    CUDA(cudaMemcpy(s.queue, &source, sizeof source, cudaMemcpyHostToDevice));
    CUDA(cudaBindTexture(NULL, node_texture, d_node, g.n_node * sizeof *g.node));
    CUDA(cudaBindTexture(NULL, edge_texture, d_edge, g.n_edge * sizeof *g.edge));
    CUDA(cudaGetDeviceProperties(&device, 0));

    levels_gpu(s, device.multiProcessorCount);

    CUDA(cudaMemcpy(cost, s.cost, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaUnbindTexture(node_texture));
    CUDA(cudaUnbindTexture(edge_texture));
    CUDA(cudaFree(d_node));
    CUDA(cudaFree(d_edge));
    CUDA(cudaFree(s.cost));
    CUDA(cudaFree(s.shade));
    CUDA(cudaFree(s.queue));
}

static void search_cpu(struct graph g, int source, int *cost)
{
    int *queue = (int *)workload_alloc(g.n_node * sizeof *queue), head = 0, tail = 0;

    for (int i = 0; i < g.n_node; i++)
        cost[i] = INT_MAX;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int2 edges = g.node[queue[head]];
        int next = cost[queue[head++]] + 1;

        for (int e = edges.x; e < edges.x + edges.y; e++) {
            int node = g.edge[e].x;

            if (cost[node] == INT_MAX) {
                cost[node] = next;
                queue[tail++] = node;
            }
        }
    }
    free(queue);
}

/* Every node has 1 to 5 edges to others at random, both ways, all of cost 1. */
static struct graph graph_make(struct workload *w, int n_node)
{
    struct graph g = {n_node, 0, (int2 *)workload_alloc(n_node * sizeof *g.node), NULL};
    int2 *pair = (int2 *)workload_alloc((size_t)n_node * 5 * sizeof *pair);
    int n_pair = 0;

    for (int i = 0; i < n_node; i++)
        for (int n = 1 + workload_below(w, 5); n > 0; n--) {
            int other = workload_below(w, n_node);

            pair[n_pair++] = make_int2(i, other);
            g.node[i].y++;
            g.node[other].y++;
        }
    for (int i = 0; i < n_node; i++) {
        g.node[i].x = g.n_edge;
        g.n_edge += g.node[i].y;
        g.node[i].y = 0;
    }
    g.edge = (int2 *)workload_alloc(g.n_edge * sizeof *g.edge);
    for (int p = 0; p < n_pair; p++) {
        int2 *a = &g.node[pair[p].x], *b = &g.node[pair[p].y];

        g.edge[a->x + a->y++] = make_int2(pair[p].y, 1);
        g.edge[b->x + b->y++] = make_int2(pair[p].x, 1);
    }
    free(pair);
    return g;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "nodes", .usual = 65536, .large = 1000000, .least = 1, .most = 1 << 24});
    int n_node = (int)w.size;
    struct graph g = graph_make(&w, n_node);
    int source = workload_below(&w, n_node);
    int *got = (int *)workload_alloc(n_node * sizeof *got);
    int *want = (int *)workload_alloc(n_node * sizeof *want);

    search_gpu(g, source, got);
    search_cpu(g, source, want);
    workload_compare_i32(&w, "level", got, want, n_node);

    free(g.node);
    free(g.edge);
    free(got);
    free(want);
    return workload_end(&w);
}
