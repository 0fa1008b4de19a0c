#!/usr/bin/env bash
#
# format.sh check|fix -- clang-format over our C files.  `check` prints `file:line: what` for each
# line that would change; `fix` changes it.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

# Versions differ in taste, so the one the rules were written for is preferred.
tool=$(command -v clang-format-14 || command -v clang-format) || {
    echo "tools/lint/format.sh:1: clang-format-14 is not installed (./run installs it)"
    exit 1
}

format()
{
    find src tests bench -name '*.[ch]' -print0 2>/dev/null | sort -z |
        xargs -0 -r -n 16 -P "$(nproc)" "$tool" "$@"
}

case ${1:-check} in
check)
    format --dry-run 2>&1 | grep -E '^[^ ]+:[0-9]+:[0-9]+: ' |
        sed -E 's/^([^:]+:[0-9]+):.*/\1: not formatted (.\/run format)/' | sort -u
    ;;
fix)
    format -i
    ;;
*)
    echo "usage: format.sh check|fix" >&2
    exit 2
    ;;
esac
