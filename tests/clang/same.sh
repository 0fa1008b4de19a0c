#!/usr/bin/env bash
# A program gives the same bytes in the build of the other compiler.
#
#   same.sh CLANG PROGRAM [ARGS..]      SMELT is the command, CLANG the other one
set -uo pipefail

. "$SRC/tests/timing/lib.sh"

clang=$1
shift
[ -x "$clang" ] || die "$clang is not built: ./run test all does"
one gcc "$SMELT" "$@"
grep -q '"cycles": [1-9]' "$folder/gcc.json" || die "nothing was timed"
one clang "$clang" "$@" && same gcc clang
exit 0
