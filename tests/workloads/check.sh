#!/usr/bin/env bash
# A workload passes, says nothing else on stdout, and its results are in the JSON.
#
#   check.sh NAME [OPTIONS]      SMELT is the command
set -uo pipefail

json=$(mktemp)
trap 'rm -f "$json"' EXIT
said=$("$SMELT" run --functional --json "$json" "$@")
status=$?
[ $status -eq 0 ] && [ "$said" = PASS ] || { echo "status $status: $said"; exit 1; }
grep -q '"status": "done"' "$json" || { echo "the JSON is not finished"; exit 1; }
grep -q '"exit_status": 0' "$json" || { echo "no exit status in the JSON"; exit 1; }
grep -q '"warp_insts": [1-9]' "$json" || { echo "no instruction was executed"; exit 1; }
