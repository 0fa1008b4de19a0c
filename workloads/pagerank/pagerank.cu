/*
 * pagerank -- ranks the vertices of a graph by the ranks of those that point to them
 *
 * suite: Mars
 * stresses: scattered global loads and stores, divergence, global atomics, load imbalance
 * papers: amoeba
 * kernels: pagerank_count, mars_scan, mars_scan_add, pagerank_group, pagerank_map, pagerank_reduce
 * size: 32768 vertices
 * large: 262144 vertices
 * odd: 1501
 * tiny: 301
 * time: 6.7 s
 *
 * Map-reduce with a thread per vertex in every kernel.  First, which is the same for all rounds,
 * records are grouped by the vertex that they go to: pagerank_count counts the edges into each
 * vertex, prefix sums make lists of them, and pagerank_group gives each edge a slot in the list of
 * its target.  Then, for each of 5 rounds: pagerank_map sends a share of a vertex's rank along each
 * of its edges, into the edge's slot; pagerank_reduce adds up the list of a vertex.  Most vertices
 * have few edges out and in, and some have hundreds: threads of a warp have loops of very different
 * lengths, and what they load and store lies far apart.  The paper does not tell its graph.
 *
 * Atomics decide about the order in a list, so sums differ by roundings.  All terms are positive:
 * the error grows by one rounding per term, and a few per round.
 */
#include "common/mars.h"

enum {
    ROUNDS = 5,
    MOST_OUT = 256, /* edges out of a vertex */
};

#define DAMPING 0.85f

/* Edges out of vertex v are first[v] .. first[v + 1]. */
struct graph {
    int n_vertex;
    int *first;  /* [n_vertex + 1] */
    int *target; /* of each edge */
};

/* The records by target: vertex v gets those from first[v] on, n[v] of them. */
struct groups {
    int *n, *first;
    int *slot; /* of each edge */
};

__global__ void pagerank_count(struct graph graph, int *n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= graph.n_vertex)
        return;
    for (int e = graph.first[v]; e < graph.first[v + 1]; e++)
        atomicAdd(&n[graph.target[e]], 1);
}

/* `taken` is 0 for each vertex. */
__global__ void pagerank_group(struct graph graph, struct groups groups, int *taken)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= graph.n_vertex)
        return;
    for (int e = graph.first[v]; e < graph.first[v + 1]; e++) {
        int target = graph.target[e];

        groups.slot[e] = groups.first[target] + atomicAdd(&taken[target], 1);
    }
}

__global__ void pagerank_map(struct graph graph, const int *slot, const float *rank, float *share)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= graph.n_vertex)
        return;
    int first = graph.first[v], end = graph.first[v + 1];
    float each = rank[v] / (float)(end - first);

    for (int e = first; e < end; e++)
        share[slot[e]] = each;
}

__global__ void pagerank_reduce(struct groups groups, const float *share, float *rank, int n_vertex)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (v >= n_vertex)
        return;
    share += groups.first[v];
    for (int i = 0; i < groups.n[v]; i++)
        sum += share[i];
    rank[v] = 1 - DAMPING + DAMPING * sum;
}

/* Groups the edges of a graph on the device; to be freed. */
static struct groups group_edges(struct graph d, int n_edge)
{
    int grid = mars_grid(d.n_vertex), *d_taken;
    size_t bytes = d.n_vertex * sizeof(int);
    struct groups groups;

    CUDA(cudaMalloc((void **)&groups.n, bytes));
    CUDA(cudaMalloc((void **)&groups.first, bytes));
    CUDA(cudaMalloc((void **)&groups.slot, n_edge * sizeof(int)));
    CUDA(cudaMalloc((void **)&d_taken, bytes));
    CUDA(cudaMemset(groups.n, 0, bytes));
    CUDA(cudaMemset(d_taken, 0, bytes));
    pagerank_count<<<grid, MARS_BLOCK>>>(d, groups.n);
    CUDA_LAUNCHED();
    mars_offsets(groups.n, groups.first, d.n_vertex);
    pagerank_group<<<grid, MARS_BLOCK>>>(d, groups, d_taken);
    CUDA_LAUNCHED();
    CUDA(cudaFree(d_taken));
    return groups;
}

static void rank_gpu(struct graph graph, float *rank)
{
    int n = graph.n_vertex, n_edge = graph.first[n], grid = mars_grid(n);
    struct graph d = {n, (int *)workload_upload(graph.first, (n + 1) * sizeof(int)),
                      (int *)workload_upload(graph.target, n_edge * sizeof(int))};
    float *d_rank = (float *)workload_upload(rank, n * sizeof *rank), *d_share;
    struct groups groups = group_edges(d, n_edge);

    CUDA(cudaMalloc((void **)&d_share, n_edge * sizeof *d_share));
    for (int round = 0; round < ROUNDS; round++) {
        pagerank_map<<<grid, MARS_BLOCK>>>(d, groups.slot, d_rank, d_share);
        CUDA_LAUNCHED();
        pagerank_reduce<<<grid, MARS_BLOCK>>>(groups, d_share, d_rank, n);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(rank, d_rank, n * sizeof *rank, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.first));
    CUDA(cudaFree(d.target));
    CUDA(cudaFree(groups.n));
    CUDA(cudaFree(groups.first));
    CUDA(cudaFree(groups.slot));
    CUDA(cudaFree(d_rank));
    CUDA(cudaFree(d_share));
}

/* The reference: pushes shares along the edges, in double. */
static void rank_cpu(struct graph graph, float *rank)
{
    int n = graph.n_vertex;
    double *now = (double *)workload_alloc(n * sizeof *now);
    double *sum = (double *)workload_alloc(n * sizeof *sum);

    for (int v = 0; v < n; v++)
        now[v] = rank[v];
    for (int round = 0; round < ROUNDS; round++) {
        memset(sum, 0, n * sizeof *sum);
        for (int v = 0; v < n; v++)
            for (int e = graph.first[v]; e < graph.first[v + 1]; e++)
                sum[graph.target[e]] += now[v] / (graph.first[v + 1] - graph.first[v]);
        for (int v = 0; v < n; v++)
            now[v] = 1 - (double)DAMPING + (double)DAMPING * sum[v];
    }
    for (int v = 0; v < n; v++)
        rank[v] = (float)now[v];
    free(now);
    free(sum);
}

/* Relative: the roundings of the longest list, and four more per round. */
static float tolerance_of(struct graph graph)
{
    int *n_in = (int *)workload_alloc(graph.n_vertex * sizeof *n_in), most = 0;

    for (int e = 0; e < graph.first[graph.n_vertex]; e++)
        n_in[graph.target[e]]++;
    for (int v = 0; v < graph.n_vertex; v++)
        most = n_in[v] > most ? n_in[v] : most;
    free(n_in);
    return ROUNDS * (most + 4) * (1.0f / (1 << 24));
}

/* How many edges a vertex has: half have one, and a fraction of 1 / k has k or more. */
static int out_degree(struct workload *w)
{
    return (int)(1 / workload_float(w, 1.0f / MOST_OUT, 1));
}

/* A place below n that is the more probable, the smaller it is. */
static int popular_place(struct workload *w, int n)
{
    float u = workload_float(w, 0, 1);
    int place = (int)(u * sqrtf(u) * (float)n);

    return place < n ? place : n - 1;
}

static struct graph graph_make(struct workload *w, int n)
{
    struct graph graph = {n, (int *)workload_alloc((n + 1) * sizeof(int)), NULL};
    int *popular = (int *)workload_alloc(n * sizeof *popular);

    for (int v = 0; v < n; v++) { /* a random order of all vertices */
        int other = (int)workload_below(w, v + 1);

        popular[v] = popular[other];
        popular[other] = v;
    }
    for (int v = 0; v < n; v++)
        graph.first[v + 1] = graph.first[v] + out_degree(w);
    graph.target = (int *)workload_alloc(graph.first[n] * sizeof(int));
    for (int e = 0; e < graph.first[n]; e++)
        graph.target[e] = popular[popular_place(w, n)];
    free(popular);
    return graph;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "vertices", .usual = 32768, .large = 262144, .least = 1, .most = 1 << 20});
    int n = (int)w.size;
    struct graph graph = graph_make(&w, n);
    float *got = (float *)workload_alloc(n * sizeof *got);
    float *want = (float *)workload_alloc(n * sizeof *want);

    for (int v = 0; v < n; v++)
        got[v] = want[v] = 1;
    rank_gpu(graph, got);
    rank_cpu(graph, want);
    workload_compare_f32(&w, "rank", got, want, n, tolerance_of(graph));

    free(graph.first);
    free(graph.target);
    free(got);
    free(want);
    return workload_end(&w);
}
