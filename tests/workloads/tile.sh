#!/usr/bin/env bash
# A workload passes, and a kernel with this tile in its name was among those that it chose.
#
#   tile.sh TILE OPTIONS.. NAME [OPTIONS]      SMELT is the command; TILE plain: none with a tile was
set -uo pipefail

tile=$1
shift
json=$(mktemp)
trap 'rm -f "$json"' EXIT
said=$("$SMELT" run --functional --json "$json" "$@")
status=$?
[ $status -eq 0 ] && [ "$said" = PASS ] || { echo "status $status: $said"; exit 1; }
tiles=$(sed -nE 's/.*"name": "_Z[0-9]+[a-z_]+_([0-9]+x[0-9]+)P.*/\1/p' "$json" | sort -u)
if [ "$tile" = plain ]; then
    [ -z "$tiles" ] || { echo "kernels with tiles were run: $tiles"; exit 1; }
else
    grep -qx "$tile" <<<"$tiles" || { echo "no kernel with a tile of $tile; there are: $tiles"; exit 1; }
fi
