/* help.c -- the table of commands, their help, and the way to them (see cli.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/build.h"
#include "cli/cli.h"
#include "conf/conf.h"
#include "version.h"

static const char run_help[] =
    "usage: smelt run [options] PROGRAM [ARGS..]\n"
    "\n"
    "Runs a program on a simulated GPU.  PROGRAM is a bundled workload's name (smelt list\n"
    "workloads), a CUDA executable made by smelt cc, a .ptx file or a .job file.  What\n"
    "follows a workload or an executable is for it; for the other two, options may stand\n"
    "on either side.\n"
    "\n"
    "  -g, --gpu GPU        the GPU, a name (smelt list gpus) or a file; default " CONF_GPU "\n"
    "  --set KEY=VALUE      change a key of the GPU (smelt list keys); may be repeated\n"
    "  -m MECH[:KEY=VAL,..] a mechanism (smelt list mechanisms); may be repeated\n"
    "  --functional         compute results only, no timing\n"
    "  --kernels A-B        time only these launches, counted from 1; others compute only\n"
    "  --max-cycles N       end after N cycles, all launches together\n"
    "  --max-insts N        end after N warp instructions, for programs that may not\n"
    "  --sample N           in the JSON, counters of every N cycles of a launch (with --json)\n"
    "  --lines              show which lines of the program lost the cycles\n"
    "  --check              report reads of memory that nobody wrote\n"
    "  --threads N          host threads, for timing, as far as there are free CPUs;\n"
    "                       results do not depend on it\n"
    "  --no-skip            with timing, idle cycles one by one; results are the same\n"
    "  --isa ISA            host instructions to use: base, avx2 or avx512; default the best\n"
    "  --json OUT           write results to OUT; '-' is standard output\n"
    "  --json-launches N    in it, the first N launches of each kernel one by one and the\n"
    "                       others as a sum; first is 1, all is all of them; default 1000\n"
    "  -q, --quiet          no summary and no progress on stderr\n"
    "\n"
    "for a .ptx file ('-' is PTX on standard input):\n"
    "  --kernel NAME        the kernel to launch; not needed if there is only one\n"
    "  --grid X[,Y[,Z]]     CTAs in the grid\n"
    "  --block X[,Y[,Z]]    threads in a CTA\n"
    "  --smem BYTES         dynamic shared memory of a CTA\n"
    "  --arg ARG            an argument; once per parameter, in order:\n"
    "                       u32:5 s32:-1 u64:7 f32:1.5 f64:2, or a buffer\n"
    "                       buf:TYPE[N]=zero|iota|rand:SEED|file:PATH\n"
    "                       TYPE is u8 s8 u16 s16 u32 s32 u64 s64 f32 f64; rand gives\n"
    "                       floats from 0 to 1 and integers of their full range;\n"
    "                       bytes:HEX for a parameter that is a struct\n"
    "  --dump I:PATH        write the buffer of argument I (counted from 0) to PATH\n"
    "\n"
    "for a .job file, one command a line, # comments, paths relative to the file:\n"
    "  module FILE.ptx\n"
    "  buf NAME TYPE COUNT zero | const V | iota | lcg SEED LO HI | file PATH\n"
    "  launch KERNEL gx gy gz bx by bz smem ARG...\n"
    "                       ARG: @NAME[+BYTES] i:INT u:UINT l:INT64 f:FLOAT d:DOUBLE bytes:HEX\n"
    "  sum NAME             print the sum of a buffer\n"
    "  at NAME INDEX        print one element\n"
    "  dump NAME PATH       write a buffer to a file\n"
    "  expect sum NAME VALUE [REL_TOL] | expect at NAME INDEX VALUE [REL_TOL]\n"
    "                       fail unless it is so; without REL_TOL floats may be off by 1e-6\n"
    "\n"
    "A CUDA executable may also be started without smelt run; then the options are taken\n"
    "from the variable SMELT_ARGS, or one by one from SMELT_GPU, SMELT_SET, SMELT_MECH,\n"
    "SMELT_JSON, SMELT_JSON_LAUNCHES, SMELT_QUIET=1, SMELT_FUNCTIONAL=1, SMELT_KERNELS,\n"
    "SMELT_MAX_CYCLES, SMELT_MAX_INSTS, SMELT_SAMPLE, SMELT_LINES=1, SMELT_CHECK=1,\n"
    "SMELT_THREADS, SMELT_NO_SKIP=1 and SMELT_ISA.\n"
    "\n"
    "A workload is compiled when it is first run, and again when its sources, the toolkit or\n"
    "the compilers have changed.  An installed smelt keeps the executables in a folder of\n"
    "the user's own, $XDG_CACHE_HOME/smelt or ~/.cache/smelt.\n"
    "\n"
    "Exit status: 0 done; 1 the simulated program failed: a kernel faulted, or its own\n"
    "status is not 0; 2 a mistake in the call, or the JSON could not be written.\n";

static const char list_help[] =
    "usage: smelt list TOPIC [-v | --markdown]\n"
    "\n"
    "Prints one item a line: its name, two blanks, what it is.  On a terminal columns are\n"
    "aligned, and what is longer than it is wide goes on in the next line.\n"
    "\n"
    "  gpus                 GPUs that run -g takes\n"
    "  keys                 configuration keys that run --set takes\n"
    "  stats                counters, ratios and stall reasons in results\n"
    "  instructions         the machine's instructions\n"
    "  components           what energy is booked to\n"
    "  mechanisms           hardware mechanisms that run -m takes\n"
    "  schedulers           warp schedulers\n"
    "  dram-schedulers      in which order a DRAM channel serves requests\n"
    "  workloads            bundled programs\n"
    "  sets                 named sets of workloads\n"
    "  studies              bundled studies\n"
    "\n"
    "  -v, --verbose        whole lines, and all columns, on a terminal too\n"
    "  --markdown           of keys or stats: the whole page that is in docs/\n";

static const char explain_help[] =
    "usage: smelt explain [-g GPU] NAME..\n"
    "\n"
    "Says what each NAME is: a key (sm.n_warp), a module (sm), a counter (l1d_miss), a stall\n"
    "reason (stall.raw), a component of energy (sp0_int), a scheduler (gto), a mechanism,\n"
    "a GPU (gtx480), a workload (bfs) or an instruction (add).\n"
    "\n"
    "A NAME with a '/' in it or ending in .conf is a file: of a GPU (what it sets beside its\n"
    "base, which mechanisms it does not take), of energies, or a predictor.\n"
    "\n"
    "  -g, --gpu GPU        show a key's value in this GPU only, not in all\n";

static const char disasm_help[] =
    "usage: smelt disasm [options] IN.ptx\n"
    "\n"
    "Prints the machine code that a PTX file becomes: pc, guard, instruction, then the\n"
    "line of PTX (and of CUDA, if known).  rN is a register, rdN a pair of them, pN a\n"
    "predicate, LN the instruction at pc N; branches say where their lanes meet again.\n"
    "\n"
    "  --kernel NAME        only this kernel\n"
    "  --live               show how many registers are live after each instruction\n"
    "  -g, --gpu GPU        for this GPU; default " CONF_GPU "\n"
    "  --set KEY=VALUE      change a key of the GPU; may be repeated\n";

static const char compare_help[] =
    "usage: smelt compare [--all | --exact] A.json B.json\n"
    "\n"
    "Shows what differs between the results of two runs: keys and other words first, then\n"
    "totals, then counters, stalls and the cycles of each launch, the largest relative\n"
    "change first.  Host and wall time are not looked at.  If programs, arguments or builds\n"
    "of smelt differ, a warning on stderr says so.\n"
    "\n"
    "  --all                show what is equal too, and not only the first 40 numbers\n"
    "  --exact              say nothing and end with 0 if the two are the same but for host\n"
    "                       and wall time (and build and hash of the program, see above);\n"
    "                       else name the first difference and end with 1\n"
    "\n"
    "Exit status: 0 both could be read; 1 --exact, and they differ; 2 a mistake.\n";

#define STUDY_OPTIONS                                                                              \
    "  --store DB           another store than DIR/store.db\n"                                     \
    "  -j, --jobs N         runs at once; default as many as there are cores\n"                    \
    "  --limit-time T       of one run: 90 (seconds), 10m, 2h\n"                                   \
    "  --limit-memory M     of one run: 500M, 4G\n"                                                \
    "  --retry              run again what failed before\n"                                        \
    "  --dry-run            say what would run, and what is there already\n"                       \
    "  --slurm [OPTIONS]    on a cluster: OPTIONS are sbatch's, in one word (\"-p long\"); with "  \
    "-j,\n"                                                                                        \
    "                       as many tasks at once\n"

static const char sweep_help[] =
    "usage: smelt sweep [options] --vary KEY=A,B.. PROGRAM..\n"
    "       smelt sweep [options] STUDY.lua\n"
    "\n"
    "Runs every combination of some values over some programs, or what a study's file says\n"
    "(docs/STUDIES.md), and writes tables (CSV, Markdown), pictures (SVG) and report.html.\n"
    "Finished runs are kept in a store: the same command again runs only what is missing.\n"
    "\n"
    "PROGRAM is set:NAME (smelt list sets), or what smelt run takes, in one word with its\n"
    "arguments: bfs, \"bfs --size 2000\", ./mine, x.job.\n"
    "\n"
    "  --vary KEY=A,B,..    a key of the GPU (l1d.size=16K,48K), gpu (gpu=gtx480,titanx) or mech\n"
    "                       (mech=none,gates); may be repeated.  Between values that have\n"
    "                       commas stand semicolons: \"mech=none;gates:variant=naive,epoch=9\";\n"
    "                       a value may bring keys along: \"l1d.size=32K,48K l1d.ways=6\"\n"
    "  --metric NAME        what the table shows: a number of the results (total.ipc,\n"
    "                       stats.l1d_miss); default total.cycles; may be repeated\n"
    "  -g, --gpu GPU        of all runs; default " CONF_GPU "\n"
    "  --set KEY=VALUE      of all runs; may be repeated\n"
    "  -m MECH[:KEY=VAL,..] of all runs; may be repeated\n"
    "  --quick, --large     workloads get the tests' or their large inputs; for a study:\n"
    "                       options.quick, options.large\n"
    "  -D NAME=VALUE        for a study: options.NAME\n"
    "  --programs DIR|any   a study may run executables that are in DIR, or any; may be repeated.\n"
    "                       Without, it runs bundled workloads and jobs\n"
    "\n"
    "  -o, --out DIR        where everything goes; default sweep-vary or sweep-NAME\n" STUDY_OPTIONS
    "  --status             of a sweep on a cluster: how DIR stands\n"
    "  --cancel             ends one: DIR's jobs; what is finished stays\n"
    "\n"
    "Exit status: 0 every run is there; 1 some failed (they are listed, and cells are empty),\n"
    "or it was stopped; 2 a mistake.\n";

static const char reproduce_help[] =
    "usage: smelt reproduce STUDY | all [options]\n"
    "\n"
    "Makes the runs of a bundled study (smelt list studies), mostly those of a paper, and writes\n"
    "its figures: CSV, Markdown and a picture (SVG, with gnuplot) each, and report.html.\n"
    "Finished runs are kept in a store: what was interrupted goes on where it was, and nothing is\n"
    "made again unless smelt or the program has changed.  all makes every one, each in a folder\n"
    "of its own below DIR, and ends with how many of each paper's numbers and claims are met.\n"
    "\n"
    "  -o, --out DIR        where everything goes; default reproduce-STUDY\n"
    "  --page PAGE.md       put the tables into this page, between its marks, and what the page\n"
    "                       names of the study into PAGE.csv; says what its text says otherwise\n"
    "  --quick              few programs with small inputs: a look at how it works\n"
    "  --large              the programs' large inputs: hours\n"
    "  -D NAME=VALUE        options.NAME of the study\n" STUDY_OPTIONS "\n"
    "Exit status: as of sweep.\n";

static const char report_help[] =
    "usage: smelt report [-o FILE] RUN.json | STORE.db\n"
    "\n"
    "Makes one HTML file that opens from disk and needs no network: of the result of a run\n"
    "its numbers, kernels, stalls, energy, caches and keys, with figures (drawn by gnuplot);\n"
    "of a store a table of its runs, which sorts by the column that is clicked.  Studies make\n"
    "theirs themselves.\n"
    "\n"
    "  -o, --out FILE       the page; default report.html; '-' is standard output\n";

static const char store_help[] =
    "usage: smelt store list [filters] [-v] DB\n"
    "       smelt store show KEY DB [--json]\n"
    "       smelt store export [filters] [--metric NAME].. [-o x.csv | x.jsonl] DB\n"
    "       smelt store prune (filters | KEY..) [--yes] DB\n"
    "\n"
    "Looks into a store: the file in which smelt sweep and smelt reproduce keep finished runs\n"
    "(docs/STORE.md).  A point has a key of 32 digits; the first few of them will do if no other\n"
    "key begins so.\n"
    "\n"
    "  list                 a line for each point: key, state, program, GPU, mechanisms, keys, "
    "cycles\n"
    "  show                 all that is known of one; of a failed one, its last lines\n"
    "  export               a line for each point: CSV, or JSON lines with whole results\n"
    "  prune                says which points it would remove; with --yes it does\n"
    "\n"
    "  --program NAME       of this program; of a path its last name will do\n"
    "  -g, --gpu GPU        on this GPU\n"
    "  -m, --mech MECH      whose mechanisms have this in their text\n"
    "  --set KEY            whose settings have this in their text\n"
    "  --build TEXT         made by this smelt: a part of version, commit or hash;\n"
    "                       'other': not made by the one that asks\n"
    "  --before DATE        finished before that day: 2025-12-31\n"
    "  --failed             failed ones alone\n"
    "\n"
    "  -v, --verbose        list: whole keys, hosts and builds too\n"
    "  --json               show: the whole result, as smelt run --json wrote it\n"
    "  --metric NAME        export: one more column, a number of the result: total.ipc\n"
    "  -o, --out OUT        export: the file; without it, CSV on standard output\n"
    "  --yes                prune: remove them\n";

static const char train_help[] =
    "usage: smelt train [options] FILE.csv\n"
    "\n"
    "Fits a binary logistic regression (liblinear, L2 penalty): which coefficients of the metrics\n"
    "tell rows of 1 from rows of 0?  FILE.csv has a header; a column says which program a row is\n"
    "of, one is the answer, 0 or 1, and all others are metrics, numbers in any units.\n"
    "\n"
    "  -o, --out FILE       write the coefficients to FILE, for a mechanism's predictor (an "
    "example\n"
    "                       is conf/predictor/paper.conf)\n"
    "  --label COLUMN       the answer; default fuse\n"
    "  --group COLUMN       the program; default program\n"
    "  --cost C|auto        of an error, compared with large coefficients; default 1.  auto:\n"
    "                       that and how many metrics are chosen by leaving programs out\n"
    "  --json OUT           write what is printed, and more, to OUT; '-' is standard output, then\n"
    "                       without what is printed\n"
    "\n"
    "Prints how often the model is right: of the rows that it was fitted to; leave one out: of "
    "the\n"
    "rows of each program, by a model fitted to all other programs; and by always answering what\n"
    "most rows have.  Then what each metric contributes: its coefficient times its standard\n"
    "deviation, by which they are sorted, and times its mean.  A metric that never changes has "
    "the\n"
    "coefficient 0.  The same file gives the same bytes.\n";

static const char pages_help[] =
    "usage: smelt pages man|bash|zsh\n"
    "       smelt pages check PAGE.md..\n"
    "\n"
    "Prints the manual page, or the completion of a shell, made from the help of all commands.\n"
    "An installation has them where they are looked for; from a build tree:\n"
    "\n"
    "  source <(smelt pages bash)\n"
    "  smelt pages zsh >DIR/_smelt     with DIR in fpath\n"
    "  smelt pages man | man -l -\n"
    "\n"
    "check compares the tables and numbers of pages on papers (docs/papers/*.md) with what\n"
    "their studies gave (the .csv file beside each; reproduce --page writes both).  What differs,\n"
    "and numbers that do not say where they are from, are told with file and line.\n"
    "\n"
    "Exit status: 0 all is as it was measured; 1 something is not; 2 a mistake.\n";

static const char bench_help[] =
    "usage: smelt bench [options] [NAME..]\n"
    "\n"
    "Measures how fast the simulator is on this machine, with one thread: fma, sgemm,\n"
    "gather, saxpy, branch, or only those named.  Rates are also scaled by a calibration\n"
    "loop, so that machines can be compared.\n"
    "\n"
    "  --timing             with the timing model (half a minute); default without\n"
    "  --calibrate          only print the calibration, by wall and by CPU time\n"
    "  --json OUT           write results to OUT; '-' is standard output\n"
    "  --record             append the results to bench/history.csv\n"
    "  --isa ISA            host instructions to use: base, avx2 or avx512\n"
    "  -g, --gpu GPU        the GPU; default " CONF_GPU "\n"
    "  --set KEY=VALUE      change a key of the GPU; may be repeated\n";

static const char cc_help[] =
    "usage: smelt cc [options] FILE..\n"
    "\n"
    "Compiles CUDA programs (.cu, and .c, .cpp, .o, .a with them) for simulated GPUs, with\n"
    "clang's help and the command line of nvcc.  Called as nvcc, it is the same.\n"
    "\n"
    "  -o FILE              the result; default a.out\n"
    "  -c                   an object per file; -lib: one archive of all; -shared: a library\n"
    "  -dc, -rdc=true       device code that is linked with other files' (objects, archives)\n"
    "                       before the executable is made, or by\n"
    "  -dlink               an object with the linked code, for another linker\n"
    "  -ptx                 device code as text (so do -cubin and -fatbin)\n"
    "  -cuda                FILE.cu.cpp.ii, of which any C++ compiler makes the object\n"
    "  -E, -M, -MM          preprocess; -MD, -MMD, -MF, -MT, -MP as gcc has them\n"
    "  -x cu|c|c++          the language, whatever the files' names end in\n"
    "  -I -D -U -include -isystem -L -l -O -g -std= -w\n"
    "                       as every compiler has them; -O concerns the host's code\n"
    "  -arch=sm_XX          the GPU's architecture; default sm_35, of several (-gencode)\n"
    "                       the highest\n"
    "  --maxrregcount=N     registers per thread, at most\n"
    "  -use_fast_math, -ftz= -prec-div= -prec-sqrt= -fmad=\n"
    "                       how exact floating point has to be\n"
    "  -G                   device code that is less optimised\n"
    "  -Xcompiler LIST      for the host's compiler; also -Xlinker\n"
    "  -Xptxas LIST         -v tells registers, shared and local memory of each kernel,\n"
    "                       -dlcm=ca|cg|cs|cv which caches loads of global memory use\n"
    "  -ccbin PATH          the host's compiler, for .c and .cpp files and to link\n"
    "  --keep, --keep-dir   keep what is made on the way\n"
    "  --dryrun, -v         show the commands, instead of or besides running them\n"
    "  @FILE                options from a file\n"
    "  --print-toolkit      where bin/nvcc, include and lib64 are: for make CUDA_DIR=..\n"
    "  --version            which nvcc this stands in for\n"
    "\n"
    "Other options of nvcc are taken and have no effect; -f.., -m.. and -W.. go to clang.\n"
    "SMELT_CLANG names another clang++, SMELT_TOOLKIT another toolkit.\n"
    "\n"
    "Exit status: 0 done, 2 a mistake in the call, else that of the step that failed.\n";

static const struct cli_command commands[] = {
    {"run", "run a program on a simulated GPU", cmd_run, run_help},
    {"list", "list GPUs, keys, counters, instructions, ...", cmd_list, list_help},
    {"explain", "say what a key, counter, GPU, workload or instruction is", cmd_explain,
     explain_help},
    {"disasm", "show the machine code that PTX becomes", cmd_disasm, disasm_help},
    {"compare", "show what differs between two results", cmd_compare, compare_help},
    {"sweep", "vary keys over programs, or run a study of one's own", cmd_sweep, sweep_help},
    {"reproduce", "make the figures of a paper", cmd_reproduce, reproduce_help},
    {"report", "show a result or a store as a page", cmd_report, report_help},
    {"store", "look into the file of finished runs", cmd_store, store_help},
    {"train", "fit coefficients that predict an answer from metrics", cmd_train, train_help},
    {"cc", "compile a CUDA program; takes nvcc's options", cmd_cc, cc_help},
    {"pages", "print the manual page or a shell's completion; check pages on papers", cmd_pages,
     pages_help},
    {"bench", "measure the simulator's own speed", cmd_bench, bench_help},
};

const struct cli_command *cli_commands(u32 *n)
{
    *n = LEN(commands);
    return commands;
}

static const struct cli_command *find_command(const char *name)
{
    for (u32 i = 0; i < LEN(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int print_usage(FILE *f)
{
    fputs("usage: smelt COMMAND [options]\n\n"
          "smelt runs GPU programs on simulated GPUs and says where the time went.\n\n",
          f);
    for (u32 i = 0; i < LEN(commands); i++)
        fprintf(f, "  %-10s %s\n", commands[i].name, commands[i].doc);
    fputs("\n"
          "  smelt COMMAND --help   all about one command\n"
          "  smelt --version        which smelt this is\n",
          f);
    return 0;
}

const char *cli_help_text(const char *command)
{
    const struct cli_command *c = find_command(command);
    return c ? c->help : NULL;
}

int cli_help(const char *command)
{
    fputs(cli_help_text(command), stdout);
    return 0;
}

int cli_finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    struct err e;
    err_set(&e, "standard output: %s", strerror(errno));
    return err_tell(&e);
}

static int unknown_command(const char *name)
{
    const char *names[LEN(commands)];
    for (u32 i = 0; i < LEN(commands); i++)
        names[i] = commands[i].name;
    struct err_hint h;
    struct err e;
    err_set(&e, "unknown %s '%s'%s; see smelt --help", name[0] == '-' ? "option" : "command", name,
            err_hint(&h, name, names, LEN(commands), " (did you mean ", "?)"));
    return err_tell(&e);
}

static int help_on(const char *name)
{
    return find_command(name) ? cli_finish(cli_help(name)) : unknown_command(name);
}

static bool is_nvcc(const char *path)
{
    return strcmp(text_base_name(path), "nvcc") == 0;
}

static void print_version(void)
{
    printf("smelt " SMELT_VERSION);
    if (build_commit[0])
        printf(" (%.12s%s)", build_commit, build_is_dirty ? ", dirty" : "");
    putchar('\n');
}

int cli_main(int argc, char **argv)
{
    if (argc > 0 && is_nvcc(argv[0]))
        return cli_finish(cmd_cc(argc, argv));
    if (argc < 2) {
        print_usage(stderr);
        return ERR_USER;
    }
    const char *name = argv[1];
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (help || strcmp(name, "help") == 0)
        return argc > 2 && !help ? help_on(argv[2]) : cli_finish(print_usage(stdout));
    if (strcmp(name, "--version") == 0) {
        print_version();
        return cli_finish(0);
    }
    const struct cli_command *c = find_command(name);
    if (!c)
        return unknown_command(name);
    return cli_finish(c->run(argc - 1, argv + 1));
}
