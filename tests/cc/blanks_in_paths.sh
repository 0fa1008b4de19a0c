#!/usr/bin/env bash
# Blanks and quotes in the names of sources, results, TMPDIR and the toolkit.
. "$SRC/tests/cc/lib.bash"

here="$PWD/a b 'c'"
mkdir -p "$here/tmp dir" "$here/tool kit"
cp prog.cu "$here/my prog.cu"
toolkit=$("$SMELT" cc --print-toolkit)
cp -RL "$toolkit/include" "$toolkit/lib64" "$here/tool kit"
cd "$here" || exit 1
export TMPDIR="$here/tmp dir"
works cc -I"$here" "my prog.cu" -o "the prog"
passes "./the prog"
SMELT_TOOLKIT="$here/tool kit" works cc "$here/my prog.cu" -o "moved prog"
grep -q "tool kit/lib64" <<<"$(readelf -d "moved prog")" || failed "no rpath to the moved toolkit"
passes "./moved prog"
no_leftovers
finish
