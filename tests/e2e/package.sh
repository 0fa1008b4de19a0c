#!/usr/bin/env bash
# tier: all
# A package runs where it is unpacked, in a folder with blanks too, and has all that it needs: nothing
# in it says where it was built, and of the machine it loads only glibc.
. "$SRC/tests/e2e/lib/check.bash"

case $SMELT in *asan*) finish ;; esac # its library is gcc's, which no package has
rm -rf ./*
for file in one.tar.zst two.tar.zst; do
    "$SRC/tools/package.sh" -b "$(dirname "$SMELT")" -o "$PWD/$file" >package.txt 2>&1 || failed "$(cat package.txt)"
done
cmp one.tar.zst two.tar.zst || failed "the same build gives other bytes"
version=$(cat "$SRC/VERSION")
known=$("$SMELT" list gpus)
mkdir -p "in here" plain/bin
tar -C "in here" -xf one.tar.zst
prefix="$PWD/in here/smelt-$version"
SMELT="$prefix/bin/smelt"
for file in README.md LICENSE CHANGELOG.md CITATION.cff docs/WALK.md examples/saxpy.cu licenses/libsqlite3-0 \
    share/smelt/conf/gpu/gtx480.conf; do
    [ -s "$prefix/$file" ] || failed "no $file"
done
same "files that name the source tree" "$(grep -rlF "$SRC" "$prefix")" ""

# "=> PATH" of all that is loaded, but for glibc's.
loaded()
{
    ldd "$1" | grep -vE '(/lib(c|m)\.so\.6|/ld-linux-[^ ]*) ' | sed -n 's/.* => \(.*\) (.*/\1/p'
}
loaded "$SMELT" >loaded.txt
loaded "$prefix/lib/smelt/lib64/libcudart.so" >>loaded.txt
[ "$(wc -l <loaded.txt)" -ge 7 ] || failed "few libraries: $(cat loaded.txt)"
same "libraries from elsewhere" "$(grep -vF "in here/smelt-$version/" loaded.txt)" ""

works --version
same "version of CITATION.cff" "$(sed -n "s/^version: //p" "$prefix/CITATION.cff")" "$version"
same "version" "$(cut -d ' ' -f 2 out.txt)" "$version"
same "GPUs" "$("$SMELT" list gpus)" "$known"
same "toolkit" "$("$SMELT" cc --print-toolkit)" "$prefix/lib/smelt"
works run "$prefix/examples/vecadd.job"
same "sum of 1 to 1000" "$(head -n 1 out.txt)" "sum c 500500"
works run -q "$prefix/examples/vecadd.ptx" --grid 4 --block 256 --arg 'buf:f32[1000]=iota' \
    --arg 'buf:f32[1000]=iota' --arg 'buf:f32[1000]=zero' --arg u32:1000

# A program, also without smelt run, by way of a link to the command; 3 x 1 + 2, as its source has it.
export XDG_CACHE_HOME=$PWD/cache
ln -s "$SMELT" plain/bin/smelt
plain/bin/smelt cc "$prefix/examples/saxpy.cu" -o "a program" || failed "smelt cc"
works run ./"a program"
same "saxpy" "$(cat out.txt)" "mean 5"
same "saxpy by itself" "$(SMELT_ARGS=--functional ./"a program" 2>/dev/null)" "mean 5"
got=$(PATH=$PWD/plain/bin "$SMELT" cc prog.cu 2>&1)
same "status without clang" "$?" 2
[[ $got == "smelt: cc needs clang "*" or newer: no clang++ was found; "* && $got != *$'\n'* ]] || failed "without clang: $got"
works run --functional bfs --size 2000
same "bfs" "$(cat out.txt)" PASS
cp "$prefix"/examples/vecadd.* .
works sweep --vary sm.scheduler=lrr,gto vecadd.job -o out
same "runs of the sweep" "$(grep -c ^vecadd out/total_cycles.csv)" 1
finish
