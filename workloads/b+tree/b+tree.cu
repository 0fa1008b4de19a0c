/*
 * b+tree -- looks up keys and ranges of keys in a B+ tree
 *
 * suite: Rodinia
 * stresses: dependent global loads, barriers, wide blocks of which one thread finds something
 * papers: gates, socgpu
 * kernels: btree_find_range, btree_find
 * size: 250000 keys
 * large: 1000000 keys
 * odd: 8009
 * tiny: 1003
 * time: 3.9 s
 *
 * A node has up to 508 children.  A block of 508 threads answers one query: on every level each
 * thread compares one key of the node, the one that finds the query's key between its own and the
 * next notes the child, and after a barrier the block goes there; in the leaf the thread with the
 * very key fetches the record.  btree_find does this for one key; btree_find_range walks to both
 * ends of a range at once and gives its first record and its length.  As in the original, the way
 * down is kept in global memory.  There are 6 ranges and 10 single keys for 1000 keys of the tree,
 * ranges span 3 keys in 1000, and both numbers shrink with the tree (the original's tree has a
 * million keys).  Some of the keys asked for are not there.
 *
 * All is integer: results are compared exactly, with a binary search in the sorted keys.
 */
#include "workload.h"
#include <limits.h>

enum {
    ORDER = 508, /* children of a node at most, and threads of a block */
    ABSENT = -1,
};

/*
 * Child c of an inner node has the keys from key[c] to before key[c + 1]; child c of a leaf is the
 * record of key[c].  Keys that are not used are INT_MAX, which nobody asks for.
 */
struct node {
    int n_child;
    int child[ORDER + 1];
    int key[ORDER + 1];
};

struct tree {
    int height, n_node, n_record; /* height: levels of inner nodes */
    struct node *node;            /* the leaves first, the root last */
    int *record;                  /* in the order of keys */
};

/* A single key and its record, or ABSENT. */
struct find {
    int key, value;
};

/* The first and the last key; the index of the first record, or ABSENT; 0 if a key is absent. */
struct range {
    int start, end, first, length;
};

struct queries {
    int n_find, n_range;
    struct find *find;
    struct range *range;
};

/* Where a query is in the tree: its node, and where it goes on with the next level. */
struct walk {
    int node, next;
};

/* Notes the child if this thread's key says that the query's key is there. */
static __device__ void btree_step(const struct node *node, struct walk *walk, int key)
{
    const struct node *here = &node[walk->node];
    int t = threadIdx.x;

    if (here->key[t] <= key && here->key[t + 1] > key)
        walk->next = here->child[t];
}

__global__ void btree_find(struct tree tree, struct walk *walks, struct find *finds)
{
    struct walk *walk = &walks[blockIdx.x];
    struct find *find = &finds[blockIdx.x];
    int t = threadIdx.x;

    for (int level = 0; level < tree.height; level++) {
        btree_step(tree.node, walk, find->key);
        __syncthreads();
        if (t == 0)
            walk->node = walk->next;
        __syncthreads();
    }

    const struct node *leaf = &tree.node[walk->node];

    if (leaf->key[t] == find->key)
        find->value = tree.record[leaf->child[t]];
}

__global__ void btree_find_range(struct tree tree, struct walk *starts, struct walk *ends,
                                 struct range *ranges)
{
    struct walk *start = &starts[blockIdx.x], *end = &ends[blockIdx.x];
    struct range *range = &ranges[blockIdx.x];
    int t = threadIdx.x;

    for (int level = 0; level < tree.height; level++) {
        btree_step(tree.node, start, range->start);
        btree_step(tree.node, end, range->end);
        __syncthreads();
        if (t == 0) {
            start->node = start->next;
            end->node = end->next;
        }
        __syncthreads();
    }

    const struct node *first = &tree.node[start->node], *last = &tree.node[end->node];

    if (first->key[t] == range->start)
        range->first = first->child[t];
    __syncthreads();
    if (last->key[t] == range->end && range->first != ABSENT)
        range->length = last->child[t] - range->first + 1;
}

/* Every walk starts at the root; the caller frees them. */
static struct walk *walks_upload(struct tree tree, int n)
{
    struct walk *walk = (struct walk *)workload_alloc(n * sizeof *walk);

    for (int i = 0; i < n; i++)
        walk[i].node = walk[i].next = tree.n_node - 1;

    struct walk *d = (struct walk *)workload_upload(walk, n * sizeof *walk);

    free(walk);
    return d;
}

static void ranges_gpu(struct tree d, struct queries q)
{
    size_t bytes = q.n_range * sizeof *q.range;
    struct range *d_range = (struct range *)workload_upload(q.range, bytes);
    struct walk *starts = walks_upload(d, q.n_range), *ends = walks_upload(d, q.n_range);

    btree_find_range<<<q.n_range, ORDER>>>(d, starts, ends, d_range);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(q.range, d_range, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(starts));
    CUDA(cudaFree(ends));
    CUDA(cudaFree(d_range));
}

static void finds_gpu(struct tree d, struct queries q)
{
    size_t bytes = q.n_find * sizeof *q.find;
    struct find *d_find = (struct find *)workload_upload(q.find, bytes);
    struct walk *walks = walks_upload(d, q.n_find);

    btree_find<<<q.n_find, ORDER>>>(d, walks, d_find);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(q.find, d_find, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(walks));
    CUDA(cudaFree(d_find));
}

static void answer_gpu(struct tree tree, struct queries q)
{
    struct tree d = tree;

    d.node = (struct node *)workload_upload(tree.node, tree.n_node * sizeof *tree.node);
    d.record = (int *)workload_upload(tree.record, tree.n_record * sizeof *tree.record);
    ranges_gpu(d, q);
    finds_gpu(d, q);
    CUDA(cudaFree(d.node));
    CUDA(cudaFree(d.record));
}

/* The index of a key, or ABSENT. */
static int search(const int *key, int n, int wanted)
{
    int low = 0, high = n;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (key[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && key[low] == wanted ? low : ABSENT;
}

static void answer_cpu(const int *key, const int *record, int n, struct queries q)
{
    for (int i = 0; i < q.n_find; i++) {
        int at = search(key, n, q.find[i].key);

        q.find[i].value = at == ABSENT ? ABSENT : record[at];
    }
    for (int i = 0; i < q.n_range; i++) {
        int first = search(key, n, q.range[i].start), last = search(key, n, q.range[i].end);

        q.range[i].first = first;
        q.range[i].length = first == ABSENT || last == ABSENT ? 0 : last - first + 1;
    }
}

/*
 * A node of the next entries of the level below, at most n; between half full and full, if there
 * are so many.  Returns how many it took.
 */
static int node_fill(struct workload *w, struct node *node, const int *key, int first, int n)
{
    int half = ORDER / 2, n_child = half + (int)workload_below(w, half + 1);

    node->n_child = n_child < n ? n_child : n;
    for (int c = 0; c <= ORDER; c++) {
        bool used = c < node->n_child;

        node->child[c] = used ? first + c : ABSENT;
        node->key[c] = used ? key[c] : INT_MAX;
    }
    return node->n_child;
}

/* From the sorted keys, level by level. */
static struct tree tree_make(struct workload *w, const int *key, int *record, int n)
{
    int most = n / (ORDER / 2) * 2 + 2, *below = (int *)workload_alloc(n * sizeof *below);
    struct tree tree = {-1, 0, n, (struct node *)workload_alloc(most * sizeof *tree.node), record};

    memcpy(below, key, n * sizeof *below);
    for (int n_below = n, first = 0; tree.height < 0 || n_below > 1; tree.height++) {
        int first_here = tree.n_node;

        for (int i = 0; i < n_below;) {
            struct node *node = &tree.node[tree.n_node++];

            i += node_fill(w, node, below + i, first + i, n_below - i);
            below[tree.n_node - 1 - first_here] = node->key[0];
        }
        n_below = tree.n_node - first_here;
        first = first_here;
        below[0] = 0; /* also what is less than all keys has a way down */
    }
    free(below);
    return tree;
}

/* A key of the tree or, one time in four, the number after it, which may be none. */
static int ask(struct workload *w, const int *key, int at)
{
    return key[at] + (workload_below(w, 4) == 0);
}

/* As if nothing were found: the GPU writes only what it finds. */
static struct queries queries_make(struct workload *w, const int *key, int n)
{
    int n_find = n / 100 + 1, n_range = (int)(n * 6l / 1000) + 1, span = (int)(n * 3l / 1000);
    struct queries q = {n_find, n_range, (struct find *)workload_alloc(n_find * sizeof *q.find),
                        (struct range *)workload_alloc(n_range * sizeof *q.range)};

    for (int i = 0; i < n_find; i++)
        q.find[i] = (struct find){ask(w, key, workload_below(w, n)), ABSENT};
    for (int i = 0; i < n_range; i++) {
        int at = workload_below(w, n - span), start = ask(w, key, at);

        q.range[i] = (struct range){start, ask(w, key, at + span), ABSENT, 0};
    }
    return q;
}

static struct queries queries_copy(struct queries from)
{
    struct queries q = from;

    q.find = (struct find *)workload_alloc(q.n_find * sizeof *q.find);
    q.range = (struct range *)workload_alloc(q.n_range * sizeof *q.range);
    memcpy(q.find, from.find, q.n_find * sizeof *q.find);
    memcpy(q.range, from.range, q.n_range * sizeof *q.range);
    return q;
}

/* Structs of ints alone: compared as such, which covers the keys, too. */
static void compare(struct workload *w, struct queries got, struct queries want)
{
    workload_compare_i32(w, "range", (int *)got.range, (int *)want.range,
                         got.n_range * sizeof *got.range / sizeof(int));
    workload_compare_i32(w, "find", (int *)got.find, (int *)want.find,
                         got.n_find * sizeof *got.find / sizeof(int));
}

static void queries_free(struct queries q)
{
    free(q.find);
    free(q.range);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "keys", .usual = 250000, .large = 1000000, .least = 1, .most = 1 << 24});
    int n = (int)w.size, *key = (int *)workload_alloc(n * sizeof *key);
    int *record = (int *)workload_alloc(n * sizeof *record);

    for (int i = 0; i < n; i++) {
        key[i] = (i ? key[i - 1] : 0) + 1 + (int)workload_below(&w, 3);
        record[i] = (int)workload_below(&w, INT_MAX);
    }

    struct tree tree = tree_make(&w, key, record, n);
    struct queries got = queries_make(&w, key, n), want = queries_copy(got);

    answer_gpu(tree, got);
    answer_cpu(key, record, n, want);
    compare(&w, got, want);

    queries_free(got);
    queries_free(want);
    free(tree.node);
    free(key);
    free(record);
    return workload_end(&w);
}
