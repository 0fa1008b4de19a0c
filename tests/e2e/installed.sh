#!/usr/bin/env bash
# An installed smelt takes its own files, whatever else lies beside its prefix: a user with the
# prefix ~/.local has ~/workloads and ~/conf for other things.
. "$SRC/tests/e2e/lib/check.bash"

rm -rf ./*
built=$(dirname "$SMELT")
cmake --install "$built" --prefix "$PWD/home/.local" >install.txt 2>&1 || failed "$(tail -3 install.txt)"
known=$("$SMELT" list workloads | wc -l)
sms=$("$SMELT" explain gpu.n_sm -g gtx480)
mkdir -p home/workloads/mine home/conf/gpu home/.local/conf/gpu home/.local/bin/toolkit home/conf/predictor
echo '/* mine -- not a workload of smelt */' >home/workloads/mine/mine.cu
for dir in home home/.local; do
    sed 's/^n_sm = .*/n_sm = 2/' "$SRC/conf/gpu/gtx480.conf" >$dir/conf/gpu/gtx480.conf
    echo 'name = other' >$dir/conf/gpu/other.conf
done
cp "$SRC/conf/predictor/paper.conf" home/conf/predictor/other.conf
SMELT=$PWD/home/.local/bin/smelt
[ "$known" -gt 60 ] || failed "only $known workloads in the build tree"
same "workloads" "$("$SMELT" list workloads | wc -l)" "$known"
same "GPU" "$("$SMELT" explain gpu.n_sm -g gtx480)" "$sms"
! grep -q "^other " <<<"$("$SMELT" list gpus)" || failed "a GPU from beside the prefix"
[ -e home/.local/share/smelt/conf/predictor/paper.conf ] || failed "no predictor is installed"
works run -q -g tiny -m noop:model=paper "$SRC/examples/vecadd.job"
fails 2 "no predictor 'other'; known: " run -g tiny -m noop:model=other "$SRC/examples/vecadd.job"
same "toolkit" "$("$SMELT" cc --print-toolkit)" "$PWD/home/.local/lib/smelt"

# What README.md shows a user to type works where it is installed, from a copy of its folder.
cp -r home/.local/share/doc/smelt readme
cd readme || exit 1
mkdir -p ../bin && ln -sf "$SMELT" ../bin/smelt
sed -n 's/^    \$ \(smelt .*\)/\1/p' README.md >commands.txt
[ "$(wc -l <commands.txt)" -ge 4 ] || failed "no commands in README.md"
while read -r command; do
    XDG_CACHE_HOME=$PWD/cache PATH=$PWD/../bin:$PATH bash -c "$command" >out.txt 2>&1 </dev/null || failed "$command: $(tail -3 out.txt)"
done <commands.txt
cd ..

# Its library, in a program that is started without smelt run, does the same.
cat >prog.cu <<'CU'
#include <stdio.h>
int main()
{
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%d\n", p.multiProcessorCount);
}
CU
works cc prog.cu -o prog
case $SMELT in *asan*) finish ;; esac # whose library wants to be the first
same "GPU of the library" "$(env -u SMELT_CONF_DIR ./prog)" 15
finish
