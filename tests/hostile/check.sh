#!/usr/bin/env bash
# A workload passes on this GPU, and what it counts adds up.
#
#   check.sh GPU [OPTIONS] NAME [OPTIONS OF NAME]      SMELT is the command
set -uo pipefail

gpu=$1
shift
json=$(mktemp)
trap 'rm -f "$json"' EXIT
said=$("$SMELT" run -g "$gpu" --json "$json" "$@")
status=$?
[ $status -eq 0 ] && [ "$said" = PASS ] || { echo "status $status: $said"; exit 1; }
grep -q '"status": "done"' "$json" || { echo "the JSON is not finished"; exit 1; }
