#!/usr/bin/env bash
# smelt run and programs that make trouble for it: signals, forks, closed files, foreign languages.
. "$SRC/tests/e2e/lib/check.bash"

cat >prog.cu <<'CU'
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__global__ void add(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += i;
}
__global__ void talk(int n)
{
    for (int i = 0; i < n; i++)
        printf("%08d %.2f twenty-four more bytes\n", i, 1.5);
}
__global__ void endless(volatile int *p)
{
    unsigned long long n = 0; /* counts, so that nobody can prove that it never ends */
    while (!*p && ++n >> 60 == 0)
        ;
}
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int *p, n = argc > 2 ? atoi(argv[2]) : 1, c;
    if (!strcmp(how, "locale") && !setlocale(LC_ALL, "de_DE.UTF-8"))
        return 9;
    cudaMalloc((void **)&p, 4096);
    cudaMemset(p, 0, 4096);
    for (int i = 0; i < (strcmp(how, "launches") ? 1 : n); i++)
        add<<<1, 32>>>(p, 32);
    if (!strcmp(how, "locale"))
        printf("%.2f\n", 1.5);
    if (!strcmp(how, "locale") || !strcmp(how, "talk"))
        talk<<<1, 1>>>(n);
    if (!strcmp(how, "endless"))
        endless<<<1, 32>>>(p + 1023);
    if (!strcmp(how, "signal"))
        kill(getpid(), n);
    while (!strcmp(how, "cat") && (c = getchar()) != EOF)
        putchar(c);
    if (!strcmp(how, "daemon")) {
        if (fork() || (setsid(), fork()))
            _exit(0);
        for (c = 0; c < 64; c++)
            close(c);
        usleep(200000);
        add<<<1, 32>>>(p, 32);
        add<<<1, 32>>>(NULL, 32); /* nobody is left who could be told */
        _exit(3);
    }
    return cudaDeviceSynchronize() ? 1 : 0;
}
CU
works cc prog.cu -o prog

# run_as STATUS WORD ARGS..: the exit status, and a whole file that says how it ended.
run_as()
{
    local want=$1 word=$2
    shift 2
    rm -f e.json
    "$SMELT" run --functional -g tiny --json e.json ./prog "$@" >out.txt 2>err.txt
    same "status of $*" "$?" "$want"
    is_json e.json
    same "word of $*" "$(field e.json status)" "\"$word\""
}
run_as 1 crashed signal 9
run_as 1 crashed signal 14
run_as 1 interrupted signal 2
run_as 1 interrupted signal 15
run_as 0 done daemon
sleep 0.5
is_json e.json
same "a daemon's kernels" "$(grep -c '"name": "_Z3add' e.json)" 1

# Many launches: the file grows with each, and does not take longer with each.
for check in "" --check; do
    works run --functional -g tiny $check --json many.json --json-launches all ./prog launches 10000
    same "launches $check" "$(grep -c '"name": "_Z3add' many.json)" 10000
    same "the file's end" "$(tail -n 1 many.json)" "}"
done
same "reads" "$(field many.json uninitialised_reads)" 0
works run --functional -g tiny --check --json e.json ./prog launches 20
is_json e.json

# What the program reads and writes is its own, byte by byte; and kernels may say a lot.
printf 'a\0b\377\n' >bytes
"$SMELT" run --functional -g tiny ./prog cat <bytes >out.txt 2>err.txt
cmp -s bytes out.txt || failed "bytes have changed on their way"
works run --functional -g tiny ./prog talk 200000
same "lines said" "$(wc -l <out.txt) $(tail -n 1 out.txt)" \
    "200000 00199999 1.50 twenty-four more bytes"
"$SMELT" run --functional -g tiny --json e.json ./prog talk 3 >&- 2>err.txt
same "without an output" "$?" 0
is_json e.json

# The decimal comma is the host program's alone.
mkdir -p locales
if localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >/dev/null 2>&1; then
    LOCPATH=$PWD/locales run_as 0 done locale
    same "numbers" "$(cat out.txt)" "$(printf '1,50\n00000000 1.50 twenty-four more bytes')"
    LOCPATH=$PWD/locales works run -g tiny --lines --json e.json ./prog locale
    grep -Eq '^smelt:   IPC +[0-9]+\.[0-9]{2} ' err.txt || failed "IPC: $(cat err.txt)"
    grep -q '[0-9],[0-9]' err.txt && failed "decimal commas in the summary: $(grep '[0-9],[0-9]' err.txt)"
    is_json e.json
fi

# Where SIGCHLD is ignored, a parent must ask for the end of its child.
(trap '' CHLD && exec "$SMELT" run --functional -g tiny ./prog signal 9) >out.txt 2>err.txt
same "with SIGCHLD ignored" "$?" 1

# The program inherits nothing of ours.
printf '#!/bin/sh\nls -l /proc/$$/fd\n' >script
chmod +x script
works run --functional ./script
grep -q memfd out.txt && failed "an open file is left to the program: $(cat out.txt)"
mkdir -p 'a folder'
cp prog 'a folder/a program'
works run --functional 'a folder/a program'
fails 2 'No space left' run --functional --quiet --json /dev/full ./prog

# Ctrl-C goes to the whole group, and twice is not too often.
ctrl_c()
{
    local pid status=0 tries=0
    rm -f stop.json
    setsid env --default-signal=INT "$SMELT" run --functional --json stop.json ./prog endless \
        >/dev/null 2>err.txt &
    pid=$!
    until grep -q '"name": "_Z3add' stop.json 2>/dev/null || [ $tries -gt 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    sleep 0.2
    for _ in $(seq "$1"); do
        kill -INT -- "-$pid"
    done
    wait $pid || status=$?
    same "status after $1 Ctrl-C" "$status" 1
    is_json stop.json
    same "word after $1 Ctrl-C" "$(field stop.json status)" '"interrupted"'
    same "files left" "$(find . -name '*.tmp')" ""
}
ctrl_c 1
ctrl_c 2

# The library may be loaded late, and let go of early.
cat >late.c <<'C'
#include <dlfcn.h>
#include <stddef.h>
int main(int argc, char **argv)
{
    void *lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *p = NULL;
    int (*alloc)(void **, size_t) = lib ? (int (*)(void **, size_t))dlsym(lib, "cudaMalloc") : NULL;
    return argc != 2 || !alloc || alloc(&p, 16) || !p || dlclose(lib);
}
C
cc -Wall -Werror late.c -o late -ldl || failed "late.c"
for name in libcudart.so libcuda.so libcuda.so.1; do
    "$SMELT" run --functional --quiet --json e.json ./late $name >out.txt 2>err.txt
    same "loading $name" "$?: $(cat err.txt)" "0: "
    same "word of $name" "$(field e.json status)" '"done"'
done
finish
