/*
 * omp.h -- OpenMP's functions for .cu files, which clang compiles: gcc's own header is for gcc
 * only.
 *
 * The functions are those of gcc's library, which `smelt cc` links with -fopenmp.  Pragmas have no
 * effect in .cu files, so that a program's host part runs on one thread there.
 */
#ifndef SMELT_OMP_H
#define SMELT_OMP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Larger than any library's. */
typedef struct {
    void *opaque[4];
} omp_lock_t;
typedef struct {
    void *opaque[8];
} omp_nest_lock_t;

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4
} omp_sched_t;

int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_get_dynamic(void);
int omp_get_nested(void);
int omp_get_level(void);
int omp_get_thread_limit(void);
void omp_set_num_threads(int n);
void omp_set_dynamic(int on);
void omp_set_nested(int on);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_get_schedule(omp_sched_t *kind, int *chunk);

void omp_init_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
void omp_init_nest_lock(omp_nest_lock_t *lock);
void omp_destroy_nest_lock(omp_nest_lock_t *lock);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);

double omp_get_wtime(void);
double omp_get_wtick(void);

#ifdef __cplusplus
}
#endif

#endif
