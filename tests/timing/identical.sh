#!/usr/bin/env bash
# A program gives the same bytes with and without skipping, on 1, 2 and 4 host threads, with a mechanism
# that does nothing, on wider and plain lanes.  Several of these at once: if one of them changed a byte, so
# would all together.
#
#   identical.sh PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

one base "$SMELT" "$@"
grep -q '"cycles": [1-9]' "$folder/base.json" || die "nothing was timed"
one no_skip "$SMELT" --no-skip --threads 2 "$@" && same base no_skip
one plain "$SMELT" --threads 4 --isa base -m noop:timer=37 "$@" && same base plain
exit 0
