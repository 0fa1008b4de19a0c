#!/usr/bin/env bash
# Where compiled workloads are kept, and when they are compiled again: contents decide, not times.
. "$SRC/tests/e2e/lib/check.bash"

rm -rf ./*
cmake --install "$(dirname "$SMELT")" --prefix "$PWD/prefix" >install.txt 2>&1 || failed "$(tail -3 install.txt)"
SMELT=$PWD/prefix/bin/smelt
share=$PWD/prefix/share/smelt toolkit=$PWD/prefix/lib/smelt
export XDG_CACHE_HOME=$PWD/cache
run=(run --functional vectoradd --size 2003)

compiles()
{
    works "${run[@]}"
    same "compiled $1" "$(grep -c 'compiling workload' err.txt)" "$2"
}

compiles "at first" 1
compiles "again" 0
same "mode of the folder" "$(stat -c %a cache/smelt cache/smelt/* | sort -u)" 700
old()
{
    touch -d 2001-01-01 "$1"
}
touch "$share/workloads/vectoradd/vectoradd.cu" "$share/workloads/common/mars.h" "$toolkit/lib64/math.bc"
compiles "after touch" 0
for file in "$share/workloads/vectoradd/vectoradd.cu" "$share/workloads/workload.h" \
    "$share/workloads/common/mars.h" "$toolkit/include/crt/host_defines.h"; do
    echo '// another line' >>"$file"
    old "$file"
    compiles "after a change of $file" 1
    compiles "after that" 0
done
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v clang++-14 || command -v clang++)" >clang
chmod +x clang
SMELT_CLANG=$PWD/clang compiles "with another compiler" 1
compiles "with the first one" 0

# Superseded executables go after a day, killed compilations leave nothing that counts.
dir=$(echo cache/smelt/*)
find "$dir" -name vectoradd -exec touch -d 2001-01-01 {} +
echo junk >"$dir/vectoradd.part"
echo '// and another' >>"$share/workloads/workload.h"
compiles "after one more change" 1
same "in the folder" "$(ls "$dir" | grep -vc '\.lock$')" 1

# Folders that others can write are not executed from, nor those of others.
said="smelt: $PWD/$dir can be written by others, so nothing is executed from there"
for mode in 770 707; do
    chmod $mode "$dir"
    fails 2 "^$said: empty it and chmod go-w it; XDG_CACHE_HOME chooses" "${run[@]}"
done
chmod 700 "$dir"
chmod 777 cache/smelt
fails 2 "^smelt: $PWD/cache/smelt can be written by others" "${run[@]}"
chmod 700 cache/smelt
if [ "$(id -u)" -eq 0 ]; then
    chown 65534 "$dir"
    fails 2 "^smelt: $PWD/$dir belongs to another user" "${run[@]}"
    chown 0 "$dir"
fi
echo >file
XDG_CACHE_HOME=$PWD/file fails 2 "^smelt: $PWD/file/smelt: Not a directory; XDG_CACHE_HOME" "${run[@]}"

# What cannot be written is not called a compile error.  (Root can write everywhere.)
as=()
[ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${as[@]}" "$SMELT" list workloads >out.txt 2>&1; then
    mkdir -p locked/smelt/"$(basename "$dir")"
    [ "$(id -u)" -ne 0 ] || chown -R 65534 locked
    chmod 500 locked/smelt/*
    XDG_CACHE_HOME=$PWD/locked "${as[@]}" "$SMELT" "${run[@]}" >out.txt 2>err.txt
    same "status with an unwritable folder" $? 2
    same "what it says" "$(cat err.txt)" \
        "smelt: $(echo "$PWD"/locked/smelt/*) cannot be written: Permission denied; XDG_CACHE_HOME chooses another place for compiled workloads"
    chmod 700 locked/smelt/*
fi

# Without HOME: the password database, and nothing else.
case $SMELT in *asan*) finish ;; esac # which wants to be the first library
cat >passwd.c <<'C'
#include <pwd.h>
#include <stdlib.h>
struct passwd *getpwuid(uid_t uid)
{
    static struct passwd p;
    (void)uid;
    p.pw_dir = getenv("PASSWD_HOME");
    return p.pw_dir ? &p : NULL;
}
C
gcc -shared -fPIC passwd.c -o passwd.so || failed "gcc"
homeless=(env -u HOME -u XDG_CACHE_HOME "LD_PRELOAD=$PWD/passwd.so")
PASSWD_HOME=$PWD/home "${homeless[@]}" "$SMELT" "${run[@]}" >out.txt 2>err.txt ||
    failed "without HOME: $(cat err.txt)"
same "folder of the password database" "$(ls home/.cache/smelt)" "$(basename "$dir")"
"${homeless[@]}" "$SMELT" "${run[@]}" >out.txt 2>err.txt
same "status without any home" $? 2
same "what it says without any home" "$(cat err.txt)" "smelt: no folder for compiled workloads: HOME is not set, and \
user $(id -u) has no home in the password database; XDG_CACHE_HOME chooses another place for compiled workloads"
finish
