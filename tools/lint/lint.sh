#!/usr/bin/env bash
#
# lint.sh -- the house rules a compiler does not check.  Silent if all is well; otherwise one line
# per finding, `file:line: what`, and status 1.  Needs bash, awk, grep, find and clang-format.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

# Everything we wrote, NUL separated; the find tests given as arguments narrow it down.
our_files()
{
    find . \( -name .git -o -path ./build -o -name node_modules \) -prune -o -type f "$@" -print0 |
        sed -z 's|^\./||' | sort -z
}

c_files()
{
    our_files \( -path './src/*' -o -path './tests/*' -o -path './bench/*' \) \
        \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' \)
}

text_files()
{
    our_files \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' -o -name '*.cu' -o -name '*.awk' \
        -o -name '*.cmake' -o -name CMakeLists.txt -o -name '*.sh' -o -name '*.md' \
        -o -name '*.conf' -o -name run \)
}

# grep over NUL-separated names, turned into findings.
find_lines()
{
    local what=$1 pattern=$2
    xargs -0 -r grep -nHIE -e "$pattern" | sed -E "s/^([^:]*:[0-9]+):.*/\1: $what/"
}

# The brackets in the patterns keep this file from matching itself.
check_marks()
{
    our_files | find_lines 'unfinished: finish it, or say NEEDSWORK: and what is open' \
        '(^|[^A-Za-z0-9_])([T]ODO|[F]IXME|[X]XX|[H]ACK)($|[^A-Za-z0-9_])'
    our_files | find_lines 'path of one particular machine' \
        '(^|[^A-Za-z0-9_./}*-])/([w]ork|[r]oot)/'
}

# grep -q ends at its first match, and under pipefail the killed writer before it fails the line.
check_scripts()
{
    our_files \( -name '*.sh' -o -name '*.bash' -o -path './bench/*' \) |
        find_lines 'grep -q behind a pipe: give it the text with <<<' '[|] grep -q'
}

check_space()
{
    text_files | find_lines 'trailing white space' '[[:space:]]$'
    c_files | find_lines 'tab' $'\t'
}

# Pages that smelt or bench/ writes, with their parts.
generated='docs/CONFIG.md docs/STATS.md workloads/README.md workloads/notes/*.md'

check_prose()
{
    local not=()
    local -a pages
    read -ra pages <<<"$generated"
    for page in "${pages[@]}"; do
        not+=(! -path "./$page")
    done
    our_files -name '*.md' "${not[@]}" | xargs -0 -r awk -f tools/lint/prose.awk
}

check_c()
{
    c_files | xargs -0 -r awk -f tools/lint/source.awk
    our_files -path './src/*' \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' \) |
        xargs -0 -r awk -f tools/lint/include.awk
    # Not what programs are compiled with: it is no part of ours.
    our_files -path './src/*' ! -path './src/toolkit/*' -name '*.c' |
        xargs -0 -r awk -f tools/lint/names.awk
}

findings=$(
    check_c
    check_scripts
    check_marks
    check_space
    check_prose
    tools/lint/format.sh check
)
[ -n "$findings" ] || exit 0
echo "$findings"
exit 1
