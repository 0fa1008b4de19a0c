#!/usr/bin/env bash
# Cross-core sharing on its own GPU.  Scheme base is the baseline.  Whatever the scheme, the program's
# result is right, its threads execute as many instructions, every cycle of a scheduler has one reason,
# and the bytes are the same however they were made.
#
#   share.sh PROGRAM [ARGS..]      SMELT is the command
set -uo pipefail

. "$(dirname "$0")/lib.sh"

shared()
{
    local name=$1 scheme=$2
    shift 2
    one "$name" "$SMELT" -g share -m "share:scheme=$scheme" "$@"
}

one baseline "$SMELT" -g share "$@"
shared base base "$@" && same baseline base
for scheme in half occ bal bigsm bigsm_occ; do
    shared $scheme $scheme "$@"
    cmp -s "$folder/baseline.out" "$folder/$scheme.out" || die "$scheme: another output"
    [ "$(value $scheme thread_insts)" = "$(value baseline thread_insts)" ] || die "$scheme: other instructions"
    reasons_add_up $scheme
    shared no_skip $scheme --no-skip --threads 2 "$@" && same $scheme no_skip
    shared four $scheme --threads 4 "$@" && same $scheme four
done

# A table chooses for each kernel: all in one scheme is that scheme.
echo '* bigsm   # all of them' >"$folder/table"
shared table "table:$folder/table" "$@" && same bigsm table
exit 0
