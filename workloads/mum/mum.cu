/*
 * mum -- finds where short DNA reads match a reference exactly, with a suffix tree
 *
 * suite: ISPASS
 * stresses: pointer chasing through 2D textures, divergence, scattered byte loads
 * papers: gates, amoeba
 * kernels: mum_match
 * size: 50000 reads
 * large: 50000 reads
 * odd: 777
 * tiny: 40
 * time: 11.5 s
 *
 * The host builds the suffix tree of the reference (Ukkonen's algorithm) and lays its nodes out in
 * two 2D textures, one with a node's edge and links and one with its children, 16 levels of the tree
 * breadth first and each subtree below depth first: a walk hardly ever finds two of its nodes in a
 * line.  A thread has one read of 25 bases.  For each position where a match of MIN_LENGTH could
 * start it walks down the tree as far as the bases agree, stores node and length of what is long
 * enough, and takes the suffix link to the next position.
 *
 * Reads and reference are like the suite's: 50000 reads of 25 bases from all of a bacterium's
 * genome, and the first 1.4 million bases of that, 28 for a read.  So 27 % of the reads are found,
 * without a difference, and of the others ten bases or so; 3 % of the reference repeats what was
 * before.  The grid is that of the suite's source, in blocks of 256; the ISPASS paper's table has
 * blocks of 64 (--block 64).  The CPU finds the same lengths and numbers of occurrences in a suffix
 * array, exactly.
 */
#include "workload.h"

enum {
    READ = 25, /* bases of a read */
    MIN_LENGTH = 20,
    STARTS = READ - MIN_LENGTH + 1, /* positions of a read where matches are looked for */
    BASES = 28,                     /* of the reference, for each read */
    NODE_WIDTH = 1024,
    TEXT_WIDTH = 4096,
    TOP_LEVELS = 17, /* of the tree that are laid out breadth first */
    COLUMN = 32,     /* nodes, one below the other.. */
    COLUMNS = 4,     /* ..of a tile of.. */
    ROWS = 2,        /* ..so many rows, which is a line of eight texels */
    NONE = 0,
    ROOT = 1,
    ROOT_TEXEL = 4,
};

/* Nodes are addressed by their texels, x in the lower and y in the upper half; NONE's is the first. */
static texture<uint4, 2, cudaReadModeElementType> node_texture;  /* start, end, link, parent */
static texture<uint4, 2, cudaReadModeElementType> child_texture; /* by the first base */
static texture<unsigned char, 2, cudaReadModeElementType> text_texture; /* the reference */

/* ---- GPU */

/* A, C, T and G: 0 to 3 */
static __host__ __device__ int base_index(int base)
{
    return base >> 1 & 3;
}

static __device__ uint4 node_fetch(unsigned at)
{
    return tex2D(node_texture, at & 0xffff, at >> 16);
}

static __device__ unsigned child_fetch(unsigned at, int base)
{
    uint4 child = tex2D(child_texture, at & 0xffff, at >> 16);

    switch (base_index(base)) {
    case 0:
        return child.x;
    case 1:
        return child.y;
    case 2:
        return child.z;
    default:
        return child.w;
    }
}

static __device__ int text_fetch(unsigned i)
{
    return tex2D(text_texture, i % TEXT_WIDTH, i / TEXT_WIDTH);
}

/* A place in the tree: `edge` bases down the edge that leads to `at`. */
struct place {
    unsigned at, edge;
    uint4 node;
};

static __device__ struct place place_at(unsigned at)
{
    struct place p = {at, 0, node_fetch(at)};

    p.edge = p.node.y - p.node.x;
    return p;
}

/* Goes down while the tree has the bases of the read; returns how many it had. */
static __device__ int walk_down(struct place *p, const char *read, int length)
{
    for (int i = 0; i < length; i++) {
        if (p->edge < p->node.y - p->node.x) {
            if (text_fetch(p->node.x + p->edge) != read[i])
                return i;
            p->edge++;
        } else {
            unsigned child = child_fetch(p->at, read[i]);

            if (child == NONE)
                return i;
            *p = (struct place){child, 1, node_fetch(child)};
        }
    }
    return length;
}

/* From the place of a string to that of the string without its first base; `end`: behind it. */
static __device__ void suffix_step(struct place *p, const char *end)
{
    unsigned rest;

    if (p->edge == p->node.y - p->node.x && p->node.z != NONE) {
        *p = place_at(p->node.z);
        return;
    }
    /* Leaves have no link, nor has the middle of an edge: by the parent's, and down again. */
    rest = p->edge;
    if (p->node.w == ROOT_TEXEL) {
        rest--;
        *p = place_at(ROOT_TEXEL);
    } else {
        *p = place_at(node_fetch(p->node.w).z);
    }
    while (rest) {
        *p = place_at(child_fetch(p->at, *(end - rest)));
        if (p->edge > rest)
            p->edge = rest;
        rest -= p->edge;
    }
}

/* `match`: node and length by read and start; what is shorter than MIN_LENGTH is left out */
__global__ void mum_match(const char *reads, const int *read_at, const int *read_length, int n_read,
                          uint2 *match)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, length, matched = 0;
    struct place p;
    const char *read;

    if (r >= n_read)
        return;
    read = reads + read_at[r];
    length = read_length[r];
    p = place_at(ROOT_TEXEL);
    for (int start = 0; start <= length - MIN_LENGTH; start++) {
        matched += walk_down(&p, read + start + matched, length - start - matched);
        if (matched >= MIN_LENGTH)
            match[r * STARTS + start] = make_uint2(p.at, matched);
        if (matched) {
            suffix_step(&p, read + start + matched);
            matched--;
        }
    }
}

/* ---- the suffix tree */

/* An edge with its lower end; text[start] .. text[end - 1] is on it. */
struct node {
    int start, end, link, parent;
    int child[5]; /* of A, C, T, G and the end of the text */
};

struct tree {
    struct node *node; /* NONE, ROOT, .. */
    int n_node, length;
    const char *text; /* ends with '$' */
};

static int child_index(char c)
{
    return c == '$' ? 4 : base_index(c);
}

static int node_add(struct tree *t, int parent, int start, int end)
{
    int n = t->n_node++;

    t->node[n] = (struct node){start, end, NONE, parent, {NONE, NONE, NONE, NONE, NONE}};
    t->node[parent].child[child_index(t->text[start])] = n;
    return n;
}

/* A node `length` bases down the edge to `below`. */
static int edge_split(struct tree *t, int below, int length)
{
    struct node *b = &t->node[below];
    int middle = node_add(t, b->parent, b->start, b->start + length);

    b->start += length;
    b->parent = middle;
    t->node[middle].child[child_index(t->text[b->start])] = below;
    return middle;
}

/* Where Ukkonen's algorithm stands: `length` bases, the last ones read, down from `node`. */
struct active {
    int node, length;
};

/* Goes down whole edges; returns the end of the edge on which the place then is, or NONE. */
static int active_down(const struct tree *t, struct active *a, int i)
{
    for (;;) {
        int below = t->node[a->node].child[child_index(t->text[i - a->length])];
        int length = t->node[below].end - t->node[below].start;

        if (below == NONE || a->length < length)
            return below;
        a->node = below;
        a->length -= length;
    }
}

/*
 * Makes the last `left` suffixes of the text before i end with text[i], the longest first, until
 * one is there already; returns how many are left.  The last node that got a branch is linked to
 * the next one; the one before the first is NONE, whose link nobody follows.
 */
static int tree_extend(struct tree *t, struct active *a, int i, int left)
{
    int last = NONE;

    while (left) {
        int below = active_down(t, a, i), owner = a->node;

        if (below != NONE && t->text[t->node[below].start + a->length] == t->text[i]) {
            t->node[last].link = owner;
            a->length++;
            return left;
        }
        if (below != NONE)
            owner = edge_split(t, below, a->length);
        node_add(t, owner, i, t->length);
        t->node[last].link = owner;
        last = owner == ROOT ? NONE : owner;
        left--;
        if (a->node != ROOT)
            a->node = t->node[a->node].link;
        else if (a->length)
            a->length--;
    }
    return left;
}

static struct tree tree_make(const char *text, int length)
{
    struct tree t = {(struct node *)workload_alloc((2 * length + 2) * sizeof(struct node)), 2,
                     length, text};
    struct active a = {ROOT, 0};

    for (int i = 0, left = 0; i < length; i++)
        left = tree_extend(&t, &a, i, left + 1);
    t.node[ROOT].link = ROOT;
    return t;
}

/* ---- its layout */

static int children_add(const struct tree *t, int node, int *order, int n)
{
    for (int c = 0; c < 5; c++)
        if (t->node[node].child[c] != NONE)
            order[n++] = t->node[node].child[c];
    return n;
}

/* What is below a node, depth first. */
static int subtree_add(const struct tree *t, int node, int *order, int n)
{
    for (int c = 0; c < 5; c++) {
        int child = t->node[node].child[c];

        if (child == NONE)
            continue;
        order[n++] = child;
        n = subtree_add(t, child, order, n);
    }
    return n;
}

/* The nodes in the order in which they are laid out; parents come before their children. */
static int *order_make(const struct tree *t)
{
    int *order = (int *)workload_alloc(t->n_node * sizeof *order);
    int begin = 1, end = 2; /* of the lowest level so far */

    order[0] = NONE;
    order[1] = ROOT;
    for (int level = 1; level < TOP_LEVELS; level++) {
        int n = end;

        for (int i = begin; i < end; i++)
            n = children_add(t, order[i], order, n);
        begin = end;
        end = n;
    }
    for (int i = begin, n = end; i < end; i++)
        n = subtree_add(t, order[i], order, n);
    return order;
}

/*
 * The texel of the i-th node of the order.  The original has columns of 32 nodes, which GPGPU-Sim's
 * texture cache, with lines of 4 x 2 texels, cuts into pairs: a line has two neighbours of each of
 * four columns.
 */
static unsigned address(int i)
{
    int column = i / COLUMN, row = i % COLUMN;
    int line = column / COLUMNS * (COLUMN / ROWS) + row / ROWS;
    int at = line * COLUMNS * ROWS + row % ROWS * COLUMNS + column % COLUMNS;

    return (unsigned)(at / NODE_WIDTH) << 16 | at % NODE_WIDTH;
}

static int texel(unsigned address)
{
    return (address >> 16) * NODE_WIDTH + (address & 0xffff);
}

/* The tree as the textures have it, and by the same texels: how often a node's string occurs. */
struct layout {
    int height;
    uint4 *node, *child;
    int *n_leaf;
};

/* Leaves are counted upwards, from the end of the order. */
static void leaves_count(const struct tree *t, const int *order, const unsigned *at,
                         struct layout l)
{
    for (int i = t->n_node - 1; i >= ROOT; i--) {
        const struct node *n = &t->node[order[i]];
        int *count = &l.n_leaf[texel(at[order[i]])];

        *count += n->end == t->length;
        l.n_leaf[texel(at[n->parent])] += *count;
    }
}

static struct layout layout_make(const struct tree *t)
{
    const int block = COLUMN * COLUMNS, n_block = (t->n_node + block - 1) / block;
    const int height = (n_block * block + NODE_WIDTH - 1) / NODE_WIDTH;
    size_t n_texel = (size_t)NODE_WIDTH * height;
    struct layout l = {height, (uint4 *)workload_alloc(n_texel * sizeof(uint4)),
                       (uint4 *)workload_alloc(n_texel * sizeof(uint4)),
                       (int *)workload_alloc(n_texel * sizeof(int))};
    int *order = order_make(t);
    unsigned *at = (unsigned *)workload_alloc(t->n_node * sizeof *at);

    for (int i = 0; i < t->n_node; i++)
        at[order[i]] = address(i);
    for (int i = ROOT; i < t->n_node; i++) {
        const struct node *n = &t->node[i];

        l.node[texel(at[i])] = make_uint4(n->start, n->end, at[n->link], at[n->parent]);
        l.child[texel(at[i])] =
            make_uint4(at[n->child[0]], at[n->child[1]], at[n->child[2]], at[n->child[3]]);
    }
    leaves_count(t, order, at, l);
    free(order);
    free(at);
    return l;
}

static void layout_free(struct layout l)
{
    free(l.node);
    free(l.child);
    free(l.n_leaf);
}

/* ---- host */

struct reads {
    int n;
    char *base;       /* one read after the other, a NUL behind each */
    int *at, *length; /* in `base` */
};

template <class T>
static cudaArray_t array_upload(texture<T, 2, cudaReadModeElementType> &to, const T *from,
                                int width, int height)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;

    CUDA(cudaMallocArray(&array, &format, width, height));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, from, width * sizeof *from, width * sizeof *from, height,
                             cudaMemcpyHostToDevice));
    CUDA(cudaBindTextureToArray(to, array, format));
    return array;
}

static cudaArray_t text_upload(const char *text, int length)
{
    int height = (length + TEXT_WIDTH - 1) / TEXT_WIDTH;
    unsigned char *rows = (unsigned char *)workload_alloc((size_t)TEXT_WIDTH * height);
    cudaArray_t array;

    memcpy(rows, text, length);
    array = array_upload(text_texture, rows, TEXT_WIDTH, height);
    free(rows);
    return array;
}

static void match_gpu(struct layout l, const char *text, int length, struct reads r, int block,
                      uint2 *match)
{
    size_t match_bytes = (size_t)r.n * STARTS * sizeof *match;
    cudaArray_t node = array_upload(node_texture, l.node, NODE_WIDTH, l.height);
    cudaArray_t child = array_upload(child_texture, l.child, NODE_WIDTH, l.height);
    cudaArray_t reference = text_upload(text, length);
    char *d_base = (char *)workload_upload(r.base, (size_t)r.n * (READ + 1));
    int *d_at = (int *)workload_upload(r.at, r.n * sizeof *r.at);
    int *d_length = (int *)workload_upload(r.length, r.n * sizeof *r.length);
    uint2 *d_match;

    CUDA(cudaMalloc((void **)&d_match, match_bytes));
    CUDA(cudaMemset(d_match, 0, match_bytes));
    mum_match<<<(r.n + block - 1) / block, block>>>(d_base, d_at, d_length, r.n, d_match);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(match, d_match, match_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaUnbindTexture(node_texture));
    CUDA(cudaUnbindTexture(child_texture));
    CUDA(cudaUnbindTexture(text_texture));
    CUDA(cudaFreeArray(node));
    CUDA(cudaFreeArray(child));
    CUDA(cudaFreeArray(reference));
    CUDA(cudaFree(d_base));
    CUDA(cudaFree(d_at));
    CUDA(cudaFree(d_length));
    CUDA(cudaFree(d_match));
}

static int suffix_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* How many of the sorted suffixes come before the string: fewer than it, or also those with it. */
static int suffixes_before(const char *const *suffix, int n, const char *string, int length,
                           bool with_it)
{
    int low = 0, high = n;

    while (low < high) {
        int middle = (low + high) / 2, order = strncmp(suffix[middle], string, length);

        if (order < 0 || (order == 0 && with_it))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int common(const char *a, const char *b)
{
    int n = 0;

    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/*
 * The longest match is with one of the two suffixes around the place of the string; of one that is
 * too short there is nothing.
 */
static void match_cpu(const char *text, int n, struct reads r, int *length, int *occurrences)
{
    const char **suffix = (const char **)workload_alloc(n * sizeof *suffix);

    for (int i = 0; i < n; i++)
        suffix[i] = text + i;
    qsort(suffix, n, sizeof *suffix, suffix_order);
    for (int i = 0; i < r.n * STARTS; i++) {
        const char *string = r.base + r.at[i / STARTS] + i % STARTS;
        int place = suffixes_before(suffix, n, string, READ, false);
        int before = place > 0 ? common(suffix[place - 1], string) : 0;
        int after = place < n ? common(suffix[place], string) : 0;

        length[i] = before > after ? before : after;
        if (length[i] < MIN_LENGTH) {
            length[i] = 0;
            continue;
        }
        occurrences[i] = suffixes_before(suffix, n, string, length[i], true) -
                         suffixes_before(suffix, n, string, length[i], false);
    }
    free(suffix);
}

/* As often as in the suite's reference: A 33, T 30, G 21 and C 16 %. */
static char base_draw(struct workload *w)
{
    unsigned percent = workload_below(w, 100);

    return percent < 33 ? 'A' : percent < 63 ? 'T' : percent < 84 ? 'G' : 'C';
}

/* Random bases, and now and then something that was there before, with a few differences. */
static char *reference_make(struct workload *w, int n)
{
    char *text = (char *)workload_alloc(n + 2);

    for (int i = 0; i < n;) {
        bool copy = i > 0 && workload_below(w, 16) == 0;
        int length = 1 + (int)workload_below(w, 200), from = (int)workload_below(w, i + 1);

        for (int end = i + length < n ? i + length : n; i < end; i++, from++)
            text[i] = copy && workload_below(w, 50) ? text[from] : base_draw(w);
    }
    text[n] = '$';
    return text;
}

static struct reads reads_make(struct workload *w, int n, const char *text, int n_base)
{
    struct reads r = {n, (char *)workload_alloc((size_t)n * (READ + 1)),
                      (int *)workload_alloc(n * sizeof(int)),
                      (int *)workload_alloc(n * sizeof(int))};

    for (int i = 0; i < n; i++) {
        bool from_text = workload_below(w, 100) < 27;
        int from = (int)workload_below(w, n_base - READ + 1);

        r.at[i] = i * (READ + 1);
        r.length[i] = READ;
        for (int b = 0; b < READ; b++)
            r.base[r.at[i] + b] = from_text ? text[from + b] : base_draw(w);
    }
    return r;
}

static void reads_free(struct reads r)
{
    free(r.base);
    free(r.at);
    free(r.length);
}

static void compare(struct workload *w, const uint2 *match, struct layout l, const char *text,
                    int n, struct reads r)
{
    const size_t n_match = (size_t)r.n * STARTS;
    int *length = (int *)workload_alloc(n_match * sizeof *length);
    int *want_length = (int *)workload_alloc(n_match * sizeof *want_length);
    int *occurrences = (int *)workload_alloc(n_match * sizeof *occurrences);
    int *want_occurrences = (int *)workload_alloc(n_match * sizeof *want_occurrences);

    for (size_t i = 0; i < n_match; i++) {
        length[i] = match[i].y;
        if (length[i])
            occurrences[i] = l.n_leaf[texel(match[i].x)];
    }
    match_cpu(text, n, r, want_length, want_occurrences);
    workload_compare_i32(w, "length", length, want_length, n_match);
    workload_compare_i32(w, "occurrences", occurrences, want_occurrences, n_match);
    free(length);
    free(want_length);
    free(occurrences);
    free(want_occurrences);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){.unit = "reads",
                               .usual = 50000,
                               .large = 50000,
                               .least = 1,
                               .most = 1 << 18,
                               .extra = {"--block", "threads in a block", 256, 1, 1024}});
    int n_read = (int)w.size, n_base = READ + n_read * BASES;
    char *text = reference_make(&w, n_base);
    struct reads reads = reads_make(&w, n_read, text, n_base);
    struct tree tree = tree_make(text, n_base + 1);
    struct layout layout = layout_make(&tree);
    uint2 *match = (uint2 *)workload_alloc((size_t)n_read * STARTS * sizeof *match);

    match_gpu(layout, text, n_base + 1, reads, (int)w.extra, match);
    compare(&w, match, layout, text, n_base + 1, reads);

    free(text);
    free(tree.node);
    free(match);
    layout_free(layout);
    reads_free(reads);
    return workload_end(&w);
}
