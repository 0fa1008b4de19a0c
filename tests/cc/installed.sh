#!/usr/bin/env bash
# The toolkit as an installation has it: PREFIX/bin/smelt and PREFIX/lib/smelt.
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
mkdir -p prefix/bin prefix/lib/smelt/bin
cp "$SMELT" prefix/bin/smelt
cp -RL "$toolkit/include" "$toolkit/lib64" prefix/lib/smelt
ln -s ../../../bin/smelt prefix/lib/smelt/bin/nvcc
same "toolkit" "$(prefix/bin/smelt cc --print-toolkit)" "$PWD/prefix/lib/smelt"
prefix/lib/smelt/bin/nvcc prog.cu -o prog || failed "does not compile"
grep -q "$PWD/prefix/lib/smelt/lib64" <<<"$(readelf -d prog)" || failed "no rpath"
passes ./prog
mkdir -p alone
cp "$SMELT" alone/smelt
got=$(alone/smelt cc prog.cu 2>&1)
same "status without a toolkit" "$?" 2
case $got in
"smelt: cc needs its toolkit"*) ;;
*) failed "without a toolkit: $got" ;;
esac
finish
