/* t_energy.c -- joules from made-up counters: what is booked, where, and that it adds up to the last bit. */
#include "gpu/joules.h"
#include "tests/test_main.h"

#include <math.h>

static struct counters c;
static struct conf conf; /* only gpu and power are filled in */
static struct energy e;

/* Books of two components: what clusters share out among them. */
enum { COMP_sp_int = N_COMPONENT, COMP_sp_fp };

/* 1 GHz, 4 SMs, tables for 1 V, and nothing costs anything. */
static void begin(void)
{
    struct power_conf *p = &conf.power;

    memset(&conf, 0, sizeof conf);
    memset(&c, 0, sizeof c);
    conf.gpu.core_mhz = 1000, conf.gpu.n_sm = 4;
    p->vdd_mv = p->vdd_ref_mv = 1000, p->leak_scale = 1, p->pipe_front_share = 0.5;
}

/* As the defaults are, and with leakage everywhere. */
static void begin_costly(void)
{
    struct power_conf *p = &conf.power;

    begin();
    sheet_defaults(&power_sheet, p);
#define COMPONENT(name, per, doc) p->leak_##name = 10 + 3.7 * COMP_##name;
#include "sm/component.def"
    p->vdd_mv = p->vdd_ref_mv = 1000;
}

static void end(void)
{
    sheet_free(&power_sheet, &conf.power);
}

static const struct mech_set no_mechs;

/* It has the chip to itself. */
static void compute(void)
{
    c.chip_cycles = c.cycles;
    joules_of(&conf, &no_mechs, &c, &e);
}

static u64 seed;

static u64 draw(u64 below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

static void draw_cache(struct cache_stat *s)
{
    s->store_sector = draw(100000);
    s->store_miss = s->store_sector + draw(100000);
    s->store = s->store_miss + draw(100000);
    s->miss = s->store_miss + draw(100000);
    s->access = s->store + s->miss + draw(100000);
}

/* Counters as a launch might have them: parts are no larger than what they are parts of. */
static void draw_counters(struct counters *to, u64 from)
{
    u32 n;
    const struct counter_sheet *list = counters_list(&n);

    seed = from;
    memset(to, 0, sizeof *to);
    for (u32 i = 0; i < n; i++)
        for (u32 k = 0; k < list[i].sheet->n_stat; k++)
            if (list[i].sheet->stat[k].over == STAT_NONE)
                *(u64 *)(void *)((char *)to + list[i].off + list[i].sheet->stat[k].off) =
                    draw(1000000);
    draw_cache(&to->l1i), draw_cache(&to->l1d), draw_cache(&to->l1c), draw_cache(&to->l1t);
    draw_cache(&to->l2);
    to->dram.write += to->dram.write_back;
    to->sm.followed += to->sm.followed_mem, to->sm.issued_mem += to->sm.followed_mem;
    to->ptx.warp_insts += to->sm.issued_mem + to->sm.followed;
    to->cycles = to->chip_cycles = 5000000 + draw(1000000);
    to->sm.sm_cycles = conf.gpu.n_sm * to->cycles;
}

static double part_sum(const struct energy_part *p)
{
    return p->dynamic_j + p->static_j + p->gating_j + p->base_j;
}

static double dynamic_of(u32 component)
{
    if (component == COMP_sp_int)
        return e.part[COMP_sp0_int].dynamic_j + e.part[COMP_sp1_int].dynamic_j;
    if (component == COMP_sp_fp)
        return e.part[COMP_sp0_fp].dynamic_j + e.part[COMP_sp1_fp].dynamic_j;
    return e.part[component].dynamic_j;
}

static double all_dynamic(void)
{
    double sum = 0;

    for (u32 k = 0; k < N_COMPONENT; k++)
        sum += e.part[k].dynamic_j;
    return sum;
}

/* Equal but for `steps` times the 2^-44 J that energies are multiples of. */
static void check_near(double have, double want, double steps)
{
    if (!(fabs(have - want) <= ldexp(steps, -44)))
        fail_msg("%.17g J instead of %.17g", have, want);
}

static void check_equal(double have, double want)
{
    check_near(have, want, 0);
}

/* ---- sums */

static void components_add_up_to_the_total_in_any_order(void **state)
{
    (void)state;
    begin_costly();
    for (u64 round = 1; round <= 200; round++) {
        double up = 0, down = 0, by_part[4] = {0}, shuffled = 0;

        draw_counters(&c, round);
        compute();
        for (u32 k = 0; k < N_COMPONENT; k++) {
            up += part_sum(&e.part[k]);
            down += part_sum(&e.part[N_COMPONENT - 1 - k]);
            shuffled += part_sum(&e.part[(5 * k + round) % N_COMPONENT]); /* 5: no divisor of it */
            by_part[0] += e.part[k].dynamic_j, by_part[1] += e.part[k].static_j;
            by_part[2] += e.part[k].gating_j, by_part[3] += e.part[k].base_j;
        }
        assert_true(N_COMPONENT % 5 != 0);
        check_equal(up, energy_total(&e));
        check_equal(down, energy_total(&e));
        check_equal(shuffled, energy_total(&e));
        check_equal(by_part[3] + by_part[1] + by_part[0] + by_part[2], energy_total(&e));
        check_equal(by_part[0] + by_part[3], energy_noleak(&e));
    }
    end();
}

/* Rounding: each part of each span is off by half a step at most, so they by one. */
static void check_span_sum(const struct energy *a, const struct energy *b)
{
    for (u32 k = 0; k < N_COMPONENT; k++) {
        if (k < COMP_sp0_int || k > COMP_sp1_fp)
            check_near(a->part[k].dynamic_j + b->part[k].dynamic_j, e.part[k].dynamic_j, 1);
        check_near(a->part[k].static_j + b->part[k].static_j, e.part[k].static_j, 1);
        check_near(a->part[k].gating_j + b->part[k].gating_j, e.part[k].gating_j, 1);
        check_near(a->part[k].base_j + b->part[k].base_j, e.part[k].base_j, 1);
    }
    /* Lanes do not say how clusters shared each operation, so only both clusters together add up. */
    for (u32 k = COMP_sp0_int; k <= COMP_sp1_fp; k += 2)
        check_near(a->part[k].dynamic_j + a->part[k + 1].dynamic_j + b->part[k].dynamic_j +
                       b->part[k + 1].dynamic_j,
                   e.part[k].dynamic_j + e.part[k + 1].dynamic_j, 3);
}

static void two_samples_add_up_to_their_span(void **state)
{
    (void)state;
    begin_costly();
    for (u64 round = 1; round <= 100; round++) {
        struct counters first, second;
        struct energy a, b;

        draw_counters(&first, round), draw_counters(&second, round + 1000);
        c = first;
        counters_add(&c, &second);
        joules_of(&conf, &no_mechs, &first, &a), joules_of(&conf, &no_mechs, &second, &b);
        compute();
        check_span_sum(&a, &b);
    }
    end();
}

static void launches_add_up_to_the_device_exactly(void **state)
{
    enum { N = 50 };
    struct energy device = {0}, backwards = {0};
    double total = 0, noleak = 0, seconds = 0, no_front = 0;

    (void)state;
    begin_costly();
    for (u64 i = 0; i < 2 * N; i++) {
        draw_counters(&c, i < N ? i + 1 : 2 * N - i);
        compute();
        joules_add(i < N ? &device : &backwards, &e);
        total += i < N ? energy_total(&e) : 0, noleak += i < N ? energy_noleak(&e) : 0;
        seconds += i < N ? e.seconds : 0, no_front += i < N ? e.no_front_j : 0;
    }
    check_equal(energy_total(&device), total);
    check_equal(energy_noleak(&device), noleak);
    check_equal(device.seconds, seconds);
    check_equal(device.no_front_j, no_front);
    assert_memory_equal(device.part, backwards.part, sizeof device.part);
    assert_memory_equal(device.kind_j, backwards.kind_j, sizeof device.kind_j);
    end();
}

static void kinds_of_operations_add_up_to_the_units(void **state)
{
    double kinds = 0, units;

    (void)state;
    begin_costly();
    draw_counters(&c, 1);
    compute();
    for (u32 k = 0; k < N_OP_KIND; k++)
        kinds += e.kind_j[k];
    units = dynamic_of(COMP_sp_int) + dynamic_of(COMP_sp_fp) + dynamic_of(COMP_sfu) +
            dynamic_of(COMP_dp);
    assert_true(units > 0);
    check_near(kinds, units, N_OP_KIND);
    end();
}

/* ---- dynamic */

/* Each costs 2^-34 J while all others are free: no rounding, and nothing elsewhere. */
static void each_event_goes_to_its_component(void **state)
{
    u32 rows = 0;

    (void)state;
    begin();
    draw_counters(&c, 1);
    c.sm.sp0_int_lanes = c.sm.sp1_int_lanes, c.sm.sp0_fp_lanes = c.sm.sp1_fp_lanes;
    c.sm.followed = c.sm.followed_mem = 0; /* go through a part of the pipeline */
    const struct counters before = c;
    const struct energy_input input = {&c.ptx,   &c.sm,    &c.ops,   &c.l1i,  &c.l1d,
                                       &c.l1c,   &c.l1t,   &c.l2,    &c.dram, &c.request,
                                       &c.reply, &conf.sm, c.cycles, 1000,    4,
                                       4,        0,        0,        {0}},
                              *i = &input;
#define EVENT(name, component, count, pj, doc)                                                     \
    conf.power.e_##name = 0x1p-34 / 1e-12;                                                         \
    compute();                                                                                     \
    conf.power.e_##name = 0;                                                                       \
    assert_true((count) > 0 && (count) < 100000000);                                               \
    check_equal(dynamic_of(COMP_##component), ldexp((double)(count), -34));                        \
    check_equal(all_dynamic(), ldexp((double)(count), -34));                                       \
    check_equal(energy_total(&e), all_dynamic());                                                  \
    rows++;
#include "power/event.def"
    assert_true(rows > 40);
    assert_memory_equal(&before, &c, sizeof c); /* computing changes no counter */
}

/* 100 accesses, 30 of them stores; 20 misses, 6 of them stores, 2 to a further sector. */
static void cache_events_are_told_apart(void **state)
{
    struct power_conf *p = &conf.power;

    (void)state;
    begin();
    c.l1d = c.l2 = (struct cache_stat){
        .access = 100, .store = 30, .miss = 20, .store_miss = 6, .store_sector = 2};
    p->e_l1_read_hit = 1e9, p->e_l1_read_miss = 1e7, p->e_l1_write_hit = 1e5;
    p->e_l1_write_miss = 1e3;
    p->e_l2_read_hit = 1e9, p->e_l2_read_miss = 1e7, p->e_l2_write_hit = 1e5;
    p->e_l2_write_miss = 1e3, p->e_l2_write_sector = 10;
    compute();
    check_near(dynamic_of(COMP_l1_shared), 56.142406e-3, 1); /* 56, 14, 24, 6 */
    check_near(dynamic_of(COMP_l2), 56.14240402e-3, 1);      /* 56, 14, 24, 4, 2 */
}

static void clusters_share_by_lanes(void **state)
{
    (void)state;
    begin();
    conf.power.e_int_add = conf.power.e_fp_mul = 1e6; /* 1 uJ */
    c.ops.iadd = 64, c.ops.fmul = 80;
    c.sm.sp0_int_lanes = 30, c.sm.sp1_int_lanes = 10;
    c.sm.sp1_fp_lanes = 7;
    compute();
    check_near(e.part[COMP_sp0_int].dynamic_j, 48e-6, 1);
    check_near(e.part[COMP_sp1_int].dynamic_j, 16e-6, 1);
    check_near(e.part[COMP_sp0_fp].dynamic_j, 0, 0);
    check_near(e.part[COMP_sp1_fp].dynamic_j, 80e-6, 1);
    check_near(e.kind_j[KIND_iadd], 64e-6, 1);
    check_near(e.kind_j[KIND_fmul], 80e-6, 1);

    c.sm.sp1_fp_lanes = 0; /* nobody knows: half each */
    compute();
    check_near(e.part[COMP_sp0_fp].dynamic_j, 40e-6, 1);
    check_near(e.part[COMP_sp1_fp].dynamic_j, 40e-6, 1);
}

/* 24 of 32 lanes off: 8 + 12 of an addition, 8 + 18 of a root. */
static void lanes_that_are_off_take_their_share(void **state)
{
    struct power_conf *p = &conf.power;

    (void)state;
    begin();
    p->e_int_add = p->e_sqrt = 1e6; /* 1 uJ */
    c.ops.iadd = c.ops.sqrt = 8, c.ops.off_iadd = c.ops.off_sqrt = 24;
    compute();
    check_near(all_dynamic(), 16e-6, 1);
    p->lane_off = 0.5, p->lane_off_sfu = 0.75;
    compute();
    check_near(e.part[COMP_sp0_int].dynamic_j + e.part[COMP_sp1_int].dynamic_j, 20e-6, 1);
    check_near(dynamic_of(COMP_sfu), 26e-6, 1);
    check_near(e.kind_j[KIND_iadd], 20e-6, 1);
    check_near(e.kind_j[KIND_sqrt], 26e-6, 1);
}

/*
 * 10 instructions, 4 of them memory's; 6 and 2 follow another SM's.  A front end has 4, of which 2 are
 * scheduled; pipeline registers 10 and, of the front half, 4: 7 in all.
 */
static void what_follows_another_sm_costs_no_front_end(void **state)
{
    (void)state;
    begin();
    conf.power.e_ibuffer = conf.power.e_pipe_inst = 1e6, conf.power.e_schedule = 1e3;
    c.ptx.warp_insts = 10, c.sm.issued_mem = 4, c.sm.followed = 6, c.sm.followed_mem = 2;
    compute();
    check_near(e.part[COMP_ibuffer].dynamic_j, 4e-6, 1);
    check_near(e.part[COMP_scheduler].dynamic_j, 2e-9, 1);
    check_near(e.part[COMP_pipeline].dynamic_j, 7e-6, 1);
    check_near(energy_front(&e, &conf.power), 4e-6 + 2e-9 + 2e-6, 3);
}

/* 1 J of I-cache, 2 J of pipeline registers, of which half count, 5 J of L2. */
static void front_end_has_its_part_of_the_pipeline(void **state)
{
    (void)state;
    begin();
    compute();
    check_equal(energy_front_share(&e, &conf.power), 0);
    conf.power.e_icache_hit = conf.power.e_pipe_inst = conf.power.e_l2_read_hit = 1e6;
    c.l1i.access = 1000000, c.ptx.warp_insts = 2000000, c.l2.access = 5000000;
    compute();
    check_near(energy_front_share(&e, &conf.power), 0.25, 1);
}

/* ---- static, gating, base */

/* One second without work: 4 SMs of which each leaks 0.1 W, an L2 of 2 W, idle SMs, board. */
static void nothing_done_costs_leakage_and_base(void **state)
{
    struct power_conf *p = &conf.power;

    (void)state;
    begin();
    sheet_defaults(&power_sheet, p);
    p->vdd_mv = p->vdd_ref_mv;
    p->leak_regfile = 100, p->leak_l2 = 2000;
    p->idle_sm = 1.5, p->constant = 10, p->mc_base = 1.25;
    c.cycles = 1000000000, c.sm.sm_cycles = 4 * c.cycles;
    compute();
    assert_true(e.seconds == 1);
    check_equal(all_dynamic(), 0);
    check_near(e.part[COMP_regfile].static_j, 0.4, 1);
    check_near(e.part[COMP_l2].static_j, 2, 1);
    check_equal(e.part[COMP_idle_sm].base_j, 6);
    check_equal(e.part[COMP_constant].base_j, 10);
    check_equal(e.part[COMP_mc].base_j, 1.25);
    check_near(energy_total(&e), 0.4 + 2 + 6 + 10 + 1.25, 2);
    check_equal(energy_noleak(&e), 17.25);
    check_near(joules_power(&e, energy_total(&e)), 19.65, 2);

    c.sm.busy_cycles = 3 * c.cycles; /* three of the four SMs have a CTA */
    compute();
    check_equal(e.part[COMP_idle_sm].base_j, 1.5);
    end();
}

static void no_time_is_no_power(void **state)
{
    (void)state;
    begin();
    conf.power.constant = 10;
    compute();
    check_equal(energy_total(&e), 0);
    check_equal(joules_power(&e, energy_total(&e)), 0);
}

static void half_the_clock_keeps_dynamic_and_doubles_the_rest(void **state)
{
    struct energy fast;

    (void)state;
    begin_costly();
    draw_counters(&c, 1);
    compute();
    fast = e;
    conf.gpu.core_mhz /= 2;
    compute();
    assert_true(e.seconds == 2 * fast.seconds);
    for (u32 k = 0; k < N_COMPONENT; k++) {
        check_equal(e.part[k].dynamic_j, fast.part[k].dynamic_j);
        check_near(e.part[k].static_j, 2 * fast.part[k].static_j, 1);
        check_near(e.part[k].gating_j, 2 * fast.part[k].gating_j, 1);
        check_near(e.part[k].base_j, 2 * fast.part[k].base_j, 1);
    }
    end();
}

/* Energies at 1 V and leakage as it is, then with both changed: how much each part grows. */
static void check_growth(double dynamic, double leakage)
{
    struct energy was = e;

    compute();
    for (u32 k = 0; k < N_COMPONENT; k++) {
        check_near(e.part[k].dynamic_j, dynamic * was.part[k].dynamic_j, 1 + dynamic / 2);
        check_near(e.part[k].static_j, leakage * was.part[k].static_j, 1 + leakage / 2);
        check_near(e.part[k].gating_j, leakage * was.part[k].gating_j, 1 + leakage / 2);
        check_equal(e.part[k].base_j, was.part[k].base_j);
    }
    for (u32 k = 0; k < N_OP_KIND; k++)
        check_near(e.kind_j[k], dynamic * was.kind_j[k], 1 + dynamic / 2);
}

static void dynamic_goes_with_the_square_of_vdd_and_leakage_with_vdd(void **state)
{
    (void)state;
    begin_costly();
    draw_counters(&c, 1);
    compute();
    conf.power.vdd_mv = 1500;
    check_growth(2.25, 1.5);
    conf.power.vdd_ref_mv = 3000; /* the tables are for 3 V, so that all of it is less */
    check_growth(1.0 / 9, 1.0 / 3);
    end();
}

static void leak_scale_is_of_leakage_only(void **state)
{
    (void)state;
    begin_costly();
    draw_counters(&c, 1);
    compute();
    conf.power.leak_scale = 3;
    check_growth(1, 3);
    conf.power.leak_scale = 0;
    check_growth(1, 0);
    end();
}

/* 1 W each, 4 SMs for 1000 cycles of 1 ns: 4 uJ; off for 600 SM-cycles, 20 times at 14 cycles. */
static void check_gated(u32 component, u64 *off, u64 *cost)
{
    compute();
    check_near(e.part[component].static_j, 4e-6, 1);
    check_equal(e.part[component].gating_j, 0);
    *off = 600, *cost = 20 * 14;
    compute();
    check_near(e.part[component].static_j, 3.4e-6, 1);
    check_near(e.part[component].gating_j, 0.28e-6, 1);
    check_near(energy_total(&e), 5 * 4e-6 - 0.6e-6 + 0.28e-6, 6);
    *off = *cost = 0;
}

static void gating_saves_leakage_and_costs_what_switching_costs(void **state)
{
    struct power_conf *p = &conf.power;

    (void)state;
    begin();
    p->leak_sp0_int = p->leak_sp1_int = p->leak_sp0_fp = p->leak_sp1_fp = p->leak_sfu = 1000;
    c.cycles = 1000;
    check_gated(COMP_sp0_int, &c.sm.sp0_int_off, &c.sm.sp0_int_gating);
    check_gated(COMP_sp1_int, &c.sm.sp1_int_off, &c.sm.sp1_int_gating);
    check_gated(COMP_sp0_fp, &c.sm.sp0_fp_off, &c.sm.sp0_fp_gating);
    check_gated(COMP_sp1_fp, &c.sm.sp1_fp_off, &c.sm.sp1_fp_gating);
    check_gated(COMP_sfu, &c.sm.sfu_off, &c.sm.sfu_gating);
}

/* 1 W, off for 600 SM-cycles with all its parts, which cost 20 times 14 cycles: as above. */
static void check_residency(u32 component, double *leak, u64 *off, u64 *cost)
{
    u32 parts = residency_parts(&conf.sm, (enum component)component);

    *leak = 1000, *off = 600 * parts, *cost = 20 * 14 * parts;
    compute();
    check_near(e.part[component].static_j, 3.4e-6, 1);
    check_near(e.part[component].gating_j, 0.28e-6, 1);
    check_equal(energy_total(&e), part_sum(&e.part[component]));
    *leak = 0, *off = *cost = 0;
}

static void every_component_of_an_sm_leaks_only_while_it_is_on(void **state)
{
    u32 n = 0;

    (void)state;
    begin();
    conf.sm.sub_cores = 2, conf.sm.sp_clusters = 2, conf.sm.sfu_units = 1, conf.sm.dp_units = 3;
    conf.sm.tensor_units = 1;
    c.cycles = 1000;
#define CHECK_CHIP(name)
#define CHECK_PORT(name)
#define CHECK_SM(name)                                                                             \
    check_residency(COMP_##name, &conf.power.leak_##name, &c.sm.name##_off, &c.sm.name##_gating);  \
    n++;
#define CHECK_PIPE CHECK_SM
#define CHECK_RARE_PIPE CHECK_SM
#define COMPONENT(name, per, doc) CHECK_##per(name)
#include "sm/component.def"
    assert_int_equal(n, 22);
}

/* One of the four ways of one of four SMs for a third of the time: a 48th less. */
static void a_part_that_is_off_saves_its_share(void **state)
{
    (void)state;
    begin();
    conf.power.leak_l1_shared = 1000;
    c.cycles = 900;
    compute();
    check_near(e.part[COMP_l1_shared].static_j, 3.6e-6, 1);
    c.sm.l1_shared_off = 300 * RESIDENCY_WHOLE / 4;
    c.sm.l1_shared_waking = 600 * RESIDENCY_WHOLE; /* leaks all the same */
    compute();
    check_near(e.part[COMP_l1_shared].static_j, 3.525e-6, 1);
}

/* 4 SMs and 6 slices have a tenth of the network each: that of one SM off for half the time. */
static void the_router_of_an_sm_is_its_part_of_the_network(void **state)
{
    (void)state;
    begin();
    conf.mem.channels = 3, conf.mem.slices = 2;
    conf.power.leak_noc = 1000;
    c.cycles = 1000;
    c.sm.noc_off = 500 * RESIDENCY_WHOLE, c.sm.noc_gating = 100 * RESIDENCY_WHOLE;
    compute();
    check_near(e.part[COMP_noc].static_j, 0.95e-6, 1);
    check_near(e.part[COMP_noc].gating_j, 0.01e-6, 1);
}

/* 4 sub-cores, 3 clusters: eight pipelines are sp0, four are sp1; one of them off is an eighth, a quarter. */
static void pipelines_of_a_component_share_its_leakage(void **state)
{
    (void)state;
    begin();
    conf.power.leak_sp0_int = conf.power.leak_sp1_int = 1000;
    conf.sm.sub_cores = 4, conf.sm.sp_clusters = 3;
    c.cycles = 1000;
    c.sm.sp0_int_off = c.sm.sp1_int_off = 800;
    c.sm.sp0_int_gating = 80;
    compute();
    check_near(e.part[COMP_sp0_int].static_j, 3.9e-6, 1);
    check_near(e.part[COMP_sp1_int].static_j, 3.8e-6, 1);
    check_near(e.part[COMP_sp0_int].gating_j, 0.01e-6, 1);
}

/* Off for as long as switching costs is neither gain nor loss. */
static void break_even_is_where_gating_pays(void **state)
{
    (void)state;
    begin();
    conf.power.leak_sfu = 1000;
    c.cycles = 1000;
    compute();
    double never = energy_total(&e);
    c.sm.sfu_gating = 10 * 14, c.sm.sfu_off = 140;
    compute();
    check_near(energy_total(&e), never, 2);
    c.sm.sfu_off = 141;
    compute();
    assert_true(energy_total(&e) < never);
}

/* ---- mechanisms */

static void set_mech(struct mech_set *s, const char *text)
{
    struct err err;

    memset(s, 0, sizeof *s);
    if (!mech_add(s, text, &err))
        fail_msg("%s", err.msg);
}

/* 1000 times 3 pJ; at twice the voltage of the tables four times that.  Nothing else costs anything. */
static void events_of_a_mechanism_are_charged(void **state)
{
    static const struct {
        const char *text;
        enum component to;
    } row[] = {{"noop:issue_pj=3", COMP_mechanism},
               {"noop:issue_pj=3,issue_to=sp0_fp", COMP_sp0_fp},
               {"noop:issue_pj=3,issue_to=l2", COMP_l2}};

    (void)state;
    begin();
    c.charged.n[0][0] = 1000;
    for (u32 k = 0; k < LEN(row); k++) {
        struct mech_set s;

        set_mech(&s, row[k].text);
        conf.power.vdd_mv = 1000;
        joules_of(&conf, &s, &c, &e);
        check_near(e.part[row[k].to].dynamic_j, 3e-9, 1);
        check_equal(energy_total(&e), e.part[row[k].to].dynamic_j);
        conf.power.vdd_mv = 2000;
        joules_of(&conf, &s, &c, &e);
        check_near(e.part[row[k].to].dynamic_j, 12e-9, 1);
        mech_free(&s);
    }
}

static void events_add_up_over_spans(void **state)
{
    struct counters sum = {0}, since;

    (void)state;
    begin();
    c.charged.n[0][0] = 7, c.charged.n[MAX_MECHS - 1][MECH_EVENTS - 1] = 5;
    counters_add(&sum, &c), counters_add(&sum, &c);
    assert_int_equal(sum.charged.n[0][0], 14);
    assert_int_equal(sum.charged.n[MAX_MECHS - 1][MECH_EVENTS - 1], 10);
    since = sum;
    counters_sub(&since, &c);
    assert_memory_equal(&since, &c, sizeof c);
}

/* ---- area */

static void areas_are_of_all_instances(void **state)
{
    double sum = 0;

    (void)state;
    begin();
    conf.power.area_regfile = 2, conf.power.area_sfu = 0.5, conf.power.area_l2 = 30;
    assert_true(area_of(&conf.power, COMP_regfile, 15) == 30);
    assert_true(area_of(&conf.power, COMP_sfu, 15) == 7.5);
    assert_true(area_of(&conf.power, COMP_l2, 15) == 30);
    assert_true(area_of(&conf.power, COMP_dram, 15) == 0);
    for (u32 k = 0; k < N_COMPONENT; k++)
        sum += area_of(&conf.power, (enum component)k, 15);
    assert_true(sum == 67.5 && area_total(&conf.power, 15) == 67.5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(components_add_up_to_the_total_in_any_order),
    cmocka_unit_test(two_samples_add_up_to_their_span),
    cmocka_unit_test(launches_add_up_to_the_device_exactly),
    cmocka_unit_test(kinds_of_operations_add_up_to_the_units),
    cmocka_unit_test(each_event_goes_to_its_component),
    cmocka_unit_test(cache_events_are_told_apart),
    cmocka_unit_test(clusters_share_by_lanes),
    cmocka_unit_test(lanes_that_are_off_take_their_share),
    cmocka_unit_test(what_follows_another_sm_costs_no_front_end),
    cmocka_unit_test(front_end_has_its_part_of_the_pipeline),
    cmocka_unit_test(nothing_done_costs_leakage_and_base),
    cmocka_unit_test(no_time_is_no_power),
    cmocka_unit_test(half_the_clock_keeps_dynamic_and_doubles_the_rest),
    cmocka_unit_test(dynamic_goes_with_the_square_of_vdd_and_leakage_with_vdd),
    cmocka_unit_test(leak_scale_is_of_leakage_only),
    cmocka_unit_test(gating_saves_leakage_and_costs_what_switching_costs),
    cmocka_unit_test(every_component_of_an_sm_leaks_only_while_it_is_on),
    cmocka_unit_test(a_part_that_is_off_saves_its_share),
    cmocka_unit_test(the_router_of_an_sm_is_its_part_of_the_network),
    cmocka_unit_test(pipelines_of_a_component_share_its_leakage),
    cmocka_unit_test(break_even_is_where_gating_pays),
    cmocka_unit_test(events_of_a_mechanism_are_charged),
    cmocka_unit_test(events_add_up_over_spans),
    cmocka_unit_test(areas_are_of_all_instances),
};

TEST_MAIN(tests)
